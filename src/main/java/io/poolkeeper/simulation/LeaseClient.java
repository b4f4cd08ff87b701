package io.poolkeeper.simulation;

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

  /** Of a drain, in the settings of the simulator. */
  static final Duration DRAIN_WAIT = SECOND.multipliedBy(10);

  private final SimProcess process;
  private final SimWorld sim;
  private final InstantSource clock;
  private final Consumer<LeaseView> seen;
  private final Map<PoolId, Instant> bypassed = new HashMap<>();
  private long stamp;

  /** In flight; empty if none is. */
  private String call = "";

  private boolean held;
  private Instant spoiledUntil = Instant.EPOCH;

  /** The version with which the process lost the Lease, as far as it has not heard of that. */
  private long lost;

  private Instant knows = Instant.EPOCH;
  private boolean idle;

  LeaseClient(SimProcess process, SimWorld sim, InstantSource clock, Consumer<LeaseView> seen) {
    this.clock = clock;
    this.process = process;
    this.sim = sim;
    this.seen = seen;
    sim.lease.watch(this::changed);
    changed(sim.lease.version());
  }

  private LeaseView view() {
    return sim.lease.view(stamp, Duration.between(sim.time.now(), clock.instant()));
  }

  private boolean holds() {
    return stamp != 0 && sim.lease.hold().map(hold -> hold.stamp() == stamp).orElse(false);
  }

  private void changed(long version) {
    if (!process.alive()) {
      return;
    }
    boolean still = holds();
    if (held && !still && !call.equals("give back")) {
      lost = version;
    }
    held = still;
    LeaseView view = view();
    boolean late = sim.faults.on() && sim.options.has(Fault.WATCH_GAP) && sim.chance.happens(0.1);
    Duration delay =
        sim.chance.between(MILLI, late ? SECOND.multipliedBy(60) : MILLI.multipliedBy(200));
    sim.time.after(delay, process.guarded(() -> hears(view)));
  }

  private void hears(LeaseView view) {
    if (lost != 0 && view.version() >= lost) {
      lost = 0;
      knows = sim.time.now();
    }
    seen.accept(view);
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
                  stamp = process.number * 1_000_000L + sim.lease.version();
                  lost = 0;
                  sim.lease.taken(stamp);
                }));
  }

  @Override
  public CompletionStage<LeaseAnswer> giveBack(LeaseView read) {
    return call("give back", () -> guarded(read, sim.lease::givenBack));
  }

  private LeaseAnswer guarded(LeaseView read, Runnable write) {
    if (read.version() != sim.lease.version()) {
      return new LeaseAnswer.Conflict();
    }
    write.run();
    return new LeaseAnswer.Is(view());
  }

  private CompletionStage<LeaseAnswer> call(String name, Supplier<LeaseAnswer> what) {
    CompletableFuture<LeaseAnswer> answer = new CompletableFuture<>();
    call = name;
    boolean spoiled =
        sim.faults.on() && sim.options.has(Fault.LEASE_CALL) && sim.chance.happens(0.2);
    boolean arrives = !spoiled || sim.chance.happens(0.5);
    Duration longest = spoiled ? SECOND.multipliedBy(20) : MILLI.multipliedBy(100);
    Duration there = sim.chance.between(MILLI, longest);
    sim.time.after(
        there,
        () -> {
          LeaseAnswer comes = arrives ? what.get() : new LeaseAnswer.Failed("lost");
          LeaseAnswer said = spoiled ? new LeaseAnswer.Failed("lost") : comes;
          sim.time.after(
              sim.chance.between(MILLI, longest),
              process.guarded(
                  () -> {
                    call = "";
                    sim.trace.say("Lease: %s: %s".formatted(name, said.getClass().getSimpleName()));
                    spoiledUntil =
                        spoiled ? sim.time.now().plus(SECOND.multipliedBy(30)) : spoiledUntil;
                    answer.complete(said);
                  }));
        });
    return answer;
  }

  /** A drain goes without the Lease. */
  void bypassed(PoolId pool, Duration slack) {
    sim.mark(Mark.LEASE_BYPASSED);
    bypassed.put(pool, sim.time.now());
    // A slow turnstile may not have heard yet that it was not busy meanwhile.
    Instant busySince = sim.time.now().minus(DRAIN_WAIT).plus(slack);
    sim.check(
        !sim.lease.lastOurs().isAfter(busySince),
        "a drain of %s goes without the Lease too soon".formatted(pool));
  }

  /** A first PUT is sent, in an attempt that began then. */
  void writeBegins(PoolId pool, Instant attemptFrom, Duration slack) {
    Instant now = sim.time.now();
    boolean cannotKnow = lost != 0 || !now.isAfter(knows.plus(slack));
    Optional<Instant> without = Optional.ofNullable(bypassed.get(pool));
    boolean allowed =
        without
            .map(
                at ->
                    !attemptFrom.isBefore(at) && !attemptFrom.isAfter(at.plus(SECOND).plus(slack)))
            .orElse(false);
    sim.check(
        holds() || cannotKnow || allowed,
        "process %d, %s: a write without the shared Lease".formatted(process.number, pool));
  }

  /** Every few seconds, while no actor has anything to do: the Lease is not held for nothing. */
  void look(int turnsOut) {
    boolean forNothing =
        holds()
            && !process.failing()
            && turnsOut == 0
            && call.isEmpty()
            && sim.time.now().isAfter(spoiledUntil);
    sim.check(!(idle && forNothing), "the shared Lease is held though no turn is out");
    idle = forNothing;
  }
}
