package io.poolkeeper.simulation;

import io.poolkeeper.judge.Disturbance;
import io.poolkeeper.lock.LeaseAnswer;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.Leases;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The calls of one process about the shared Lease, its watch, and the rules: no write of its own
 * begins without the Lease, unless it has said so, or cannot know yet that the Lease was lost; and
 * nobody holds it for nothing.
 */
final class LeaseClient implements Leases {
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The value in the settings of the simulator. */
  static final Duration MAX_HOLD = SECOND.multipliedBy(5);

  static final Duration DRAIN_WAIT = SECOND.multipliedBy(10);

  /** The longest time until a call fails. */
  private static final Duration CALL = SECOND.multipliedBy(5);

  /** How late a process may give the Lease back after a failed call. */
  private static final Duration SPOILED = SECOND.multipliedBy(30);

  private static final Duration LENGTH = Duration.ofMinutes(15);

  private final SimProcess process;
  private final SimWorld sim;
  private final InstantSource clock;
  private final Consumer<LeaseView> seen;
  private final Map<PoolId, Instant> bypassed = new HashMap<>();

  /** The call in flight; empty if there is none. */
  private String call = "";

  private boolean held;
  private Instant spoiledUntil = Instant.EPOCH;

  /** The version in which the process lost the Lease, until it knows; else 0. */
  private long lost;

  private Instant knows = Instant.EPOCH;

  private boolean idle;

  /** Since when the process can use the Lease; MAX while it cannot. */
  private Instant usableSince = Instant.MAX;

  /** When the process could use the Lease last, or began. */
  private Instant usable;

  LeaseClient(SimProcess process, InstantSource clock, Consumer<LeaseView> seen) {
    this.process = process;
    this.sim = process.sim;
    this.clock = clock;
    this.seen = seen;
    usable = sim.time.now();
    sim.lease.watch(this::changed);
    changed(sim.lease.version());
  }

  private LeaseView view() {
    return sim.lease.view(process.number, Duration.between(sim.time.now(), clock.instant()));
  }

  private boolean holds() {
    return sim.lease.hold().map(hold -> hold.of(process.number)).orElse(false);
  }

  private void changed(long version) {
    if (!process.alive()) {
      return;
    }
    boolean still = holds();
    if (held && !still && !call.equals("give back")) {
      lost = version;
      process.ledger.waits.met(Disturbance.LEASE_HELD);
      unusable();
    }
    held = still;
    foreign();
    LeaseView view = view();
    boolean slow = sim.faults.on() && sim.options.has(Fault.WATCH_GAP) && sim.chance.happens(0.1);
    Duration delay =
        sim.chance.between(MILLI, slow ? SECOND.multipliedBy(60) : MILLI.multipliedBy(200));
    if (slow) {
      process.ledger.waits.lasts(Disturbance.LEASE_HELD, delay);
    }
    sim.time.after(delay, process.guarded(() -> hears(view)));
  }

  /** Another client has the Lease, or has it no longer. */
  private void foreign() {
    process.ledger.waits.lasts(Disturbance.LEASE_HELD, "", sim.lease.foreign());
    if (sim.lease.foreign()) {
      sim.time.after(LENGTH, this::foreign);
    }
  }

  private void hears(LeaseView view) {
    learns(view);
    seen.accept(view);
  }

  private void learns(LeaseView view) {
    if (lost != 0 && view.version() >= lost) {
      lost = 0;
      knows = sim.time.now();
    }
  }

  @Override
  public CompletionStage<LeaseAnswer> read() {
    return call("read", () -> new LeaseAnswer.Is(view()));
  }

  @Override
  public CompletionStage<LeaseAnswer> take(LeaseView read) {
    return call(
        "take",
        () ->
            guarded(
                read,
                () -> {
                  lost = 0;
                  sim.lease.taken(process.number * SimLease.STAMPS + sim.lease.version());
                }));
  }

  @Override
  public CompletionStage<LeaseAnswer> giveBack(LeaseView read) {
    unusable();
    return call("give back", () -> guarded(read, sim.lease::givenBack));
  }

  private void unusable() {
    usable = usableSince.equals(Instant.MAX) ? usable : sim.time.now();
    usableSince = Instant.MAX;
  }

  private LeaseAnswer guarded(LeaseView read, Runnable write) {
    if (read.version() != sim.lease.version()) {
      return new LeaseAnswer.Conflict();
    }
    write.run();
    return new LeaseAnswer.Is(view());
  }

  /** A call that had no answer in time may still arrive. */
  private CompletionStage<LeaseAnswer> call(String name, Supplier<LeaseAnswer> what) {
    CompletableFuture<LeaseAnswer> answer = new CompletableFuture<>();
    call = name;
    Optional<SimLease.Outage> outage = sim.lease.outage();
    if (outage.isPresent()) {
      process.ledger.waits.met(Disturbance.LEASE_UNREACHABLE);
      boolean refused = !outage.get().hangs();
      boolean reads = refused && name.equals("read");
      Duration after = refused ? sim.chance.between(MILLI, MILLI.multipliedBy(200)) : CALL;
      answers(
          name, answer, after, reads ? what : () -> new LeaseAnswer.Failed("refused or no answer"));
      return answer;
    }
    boolean spoiled =
        sim.faults.on() && sim.options.has(Fault.LEASE_CALL) && sim.chance.happens(0.2);
    boolean arrives = !spoiled || sim.chance.happens(0.5);
    Duration longest = spoiled ? SECOND.multipliedBy(20) : MILLI.multipliedBy(100);
    if (spoiled) {
      process.ledger.waits.met(Disturbance.LEASE_UNREACHABLE);
      answers(name, answer, CALL, () -> new LeaseAnswer.Failed("no answer"));
    }
    sim.time.after(
        sim.chance.between(MILLI, longest),
        () -> {
          LeaseAnswer comes = arrives ? what.get() : new LeaseAnswer.Failed("lost");
          Duration back = sim.chance.between(MILLI, longest);
          answers(name, answer, back, () -> spoiled ? new LeaseAnswer.Failed("lost") : comes);
        });
    return answer;
  }

  private void answers(
      String name,
      CompletableFuture<LeaseAnswer> answer,
      Duration after,
      Supplier<LeaseAnswer> what) {
    sim.time.after(
        after,
        process.guarded(
            () -> {
              if (answer.isDone()) {
                return;
              }
              LeaseAnswer said = what.get();
              call = "";
              if (said instanceof LeaseAnswer.Is is) {
                learns(is.view());
              }
              sim.trace.say("Lease: %s: %s".formatted(name, said.getClass().getSimpleName()));
              if (said instanceof LeaseAnswer.Failed) {
                spoiledUntil = sim.time.now().plus(SPOILED);
              }
              if (name.equals("take") && said instanceof LeaseAnswer.Is && holds()) {
                usableSince = sim.time.now();
              }
              answer.complete(said);
            }));
  }

  /**
   * A drain goes without the Lease. Further ones of its load balancer follow at once, until the
   * Lease can be used again (decision 0018).
   *
   * @param read whether it may have had it meanwhile, and could only read
   * @param slack by so much a slow rate limiter may have heard later that it had it
   */
  void bypassed(PoolId pool, boolean read, Duration slack) {
    Instant now = sim.time.now();
    sim.mark(RunMark.LEASE_BYPASSED);
    boolean follows =
        bypassed.entrySet().stream()
            .filter(one -> one.getKey().loadBalancer().equals(pool.loadBalancer()))
            .anyMatch(one -> !one.getValue().isBefore(usable));
    bypassed.put(pool, now);
    boolean denied = !usable.isAfter(now.minus(DRAIN_WAIT).plus(slack));
    sim.check(
        read || ((denied || follows) && !usableSince.isBefore(now.minus(slack))),
        "a drain of %s goes without the Lease too soon".formatted(pool));
  }

  /** A PUT is sent, the first one or a repeated one, in an attempt. */
  void writeBegins(Attempt attempt, Duration slack) {
    Instant now = sim.time.now();
    boolean cannotKnow = lost != 0 || !now.isAfter(knows.plus(slack));
    Optional<Instant> without = Optional.ofNullable(bypassed.get(attempt.pool));
    boolean allowed =
        without
            .map(
                at ->
                    !attempt.readAt.isBefore(at)
                        && !attempt.from.isAfter(at.plus(SECOND).plus(slack)))
            .orElse(false);
    sim.check(
        holds() || cannotKnow || allowed,
        "process %d, %s: a write without the shared Lease".formatted(process.number, attempt.pool));
  }

  /** Every few seconds, while no actor has anything to do: the Lease is not held for nothing. */
  void look(int permitsOut) {
    boolean forNothing =
        holds()
            && !process.ending()
            && permitsOut == 0
            && call.isEmpty()
            && sim.time.now().isAfter(spoiledUntil);
    sim.check(!(idle && forNothing), "the shared Lease is held though no permit is out");
    idle = forNothing;
  }
}
