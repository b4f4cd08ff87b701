package io.poolkeeper.simulation;

import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.LeaseView.Holder;
import io.poolkeeper.lock.LeaseView.Whose;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The shared Lease at the API server, and who else takes it: the cloud provider around its writes,
 * which does not wait but fails and backs off, and sometimes dies with it; and somebody who takes,
 * clears or deletes it although it is ours.
 */
final class SimLease {
  private static final Duration LENGTH = Duration.ofMinutes(15);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String CLOUD_PROVIDER = "cloud-controller-manager";
  private static final String OURS = "poolkeeper";

  /** More stamps than a process writes. */
  static final long STAMPS = 1_000_000;

  private final SimWorld sim;
  private final List<Consumer<Long>> watchers = new ArrayList<>();
  private Optional<Hold> hold = Optional.empty();
  private long version = 1;
  private int writersOfTheCloudProvider;
  private Outage outage = new Outage(Instant.EPOCH, false);
  private boolean thiefWaits;

  /**
   * A time in which calls about the Lease fail.
   *
   * @param hangs whether they have no answer; else writes are refused
   */
  record Outage(Instant until, boolean hangs) {}

  /**
   * The holder.
   *
   * @param stamp when it was taken, unique
   */
  record Hold(String identity, long stamp, Instant since) {
    /** Whether a process has taken it. */
    boolean of(int process) {
      return stamp / STAMPS == process;
    }
  }

  SimLease(SimWorld sim) {
    this.sim = sim;
  }

  long version() {
    return version;
  }

  Optional<Hold> hold() {
    return hold;
  }

  /** Whether another client holds the Lease, and it has not expired. */
  boolean foreign() {
    return busyFor(OURS);
  }

  private boolean isHeldBy(String identity) {
    return hold.map(Hold::identity).equals(Optional.of(identity));
  }

  /** Whether a client with another identity holds the Lease, and it has not expired. */
  private boolean busyFor(String identity) {
    return hold.filter(found -> !found.identity().equals(identity))
        .map(found -> sim.time.now().isBefore(found.since().plus(LENGTH)))
        .orElse(false);
  }

  /** Hears the version of each change. */
  void watch(Consumer<Long> watcher) {
    watchers.add(watcher);
  }

  /**
   * What a process reads that has written stamps of that number.
   *
   * @param process its number
   * @param ahead what its clock is ahead of ours
   */
  LeaseView view(int process, Duration ahead) {
    return new LeaseView(
        version,
        hold.map(
            found -> {
              Whose ours = found.of(process) ? Whose.OURS : Whose.NAMESAKE;
              return new Holder(
                  found.identity(),
                  found.identity().equals(OURS) ? ours : Whose.OTHER,
                  Optional.of(found.since().plus(ahead)),
                  found.since().plus(ahead).plus(LENGTH));
            }));
  }

  private void write(Optional<Hold> next) {
    hold = next;
    version++;
    watchers.forEach(watcher -> watcher.accept(version));
  }

  /** A process takes the version that it has read. */
  void taken(long stamp) {
    sim.check(!busyFor(OURS), "the shared Lease of another client is taken");
    write(Optional.of(new Hold(OURS, stamp, sim.time.now())));
    if (thiefWaits) {
      thiefWaits = false;
      sim.time.after(sim.chance.between(Duration.ofMillis(1), SECOND), this::stealOurs);
    }
  }

  void givenBack() {
    sim.check(isHeldBy(OURS), "the shared Lease of another client is given back");
    write(Optional.empty());
  }

  /** The cloud provider begins to write; if it cannot, it fails at once. */
  boolean cloudProviderTakes() {
    if (!sim.options.sharing().lease()) {
      return true;
    }
    if (busyFor(CLOUD_PROVIDER)) {
      sim.mark(RunMark.LEASE_REFUSED);
      return false;
    }
    writersOfTheCloudProvider++;
    write(Optional.of(new Hold(CLOUD_PROVIDER, 0, sim.time.now())));
    return true;
  }

  /** How long the cloud provider waits after so many refusals in a row: 5 s, doubling to 5 min. */
  static Duration backoff(int refusals) {
    return SECOND.multipliedBy(Math.min(300, 5L << Math.min(refusals - 1, 6)));
  }

  /** Calls about it fail for a while. */
  void beginOutage() {
    sim.mark(RunMark.LEASE_UNREACHABLE);
    Duration length = sim.chance.between(SECOND, Duration.ofMinutes(5));
    outage = new Outage(sim.time.now().plus(length), sim.chance.happens(0.5));
    sim.trace.say("calls about the Lease fail for %s: %s".formatted(length, outage));
  }

  Optional<Outage> outage() {
    return Optional.of(outage)
        .filter(now -> sim.faults.on() && sim.time.now().isBefore(now.until()));
  }

  /** The cloud provider has written, and gives the Lease back unless it dies. */
  void cloudProviderGivesBack() {
    if (!sim.options.sharing().lease() || --writersOfTheCloudProvider > 0) {
      return;
    }
    boolean its = isHeldBy(CLOUD_PROVIDER);
    if (its && sim.faults.on() && sim.options.has(Fault.LEASE_LEFT) && sim.chance.happens(0.1)) {
      sim.mark(RunMark.LEASE_LEFT);
      sim.trace.say("the cloud provider dies with the Lease");
    } else if (its) {
      write(Optional.empty());
    }
  }

  /** Another client changes the Lease soon after we have taken it. */
  void steal() {
    thiefWaits = true;
  }

  private void stealOurs() {
    if (!isHeldBy(OURS) || !sim.faults.on()) {
      return;
    }
    sim.mark(RunMark.LEASE_STOLEN);
    sim.trace.say("somebody changes the Lease");
    if (sim.chance.happens(0.5)) {
      write(Optional.empty());
      return;
    }
    Hold thief = new Hold("somebody", 0, sim.time.now());
    write(Optional.of(thief));
    sim.time.after(
        sim.chance.between(SECOND, SECOND.multipliedBy(40)),
        () -> {
          if (hold.equals(Optional.of(thief))) {
            write(Optional.empty());
          }
        });
  }
}
