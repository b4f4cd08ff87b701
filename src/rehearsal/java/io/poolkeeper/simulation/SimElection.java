package io.poolkeeper.simulation;

import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LeaderElection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The election that one process stands for, and the rule about it: no write is sent by a process
 * that never led, or later after the sending of its last renewal than it may be certain. The other
 * replicas are those that come after it.
 */
final class SimElection implements LeaderElection {
  static final Settings.LeaderElection SETTINGS =
      new Settings.LeaderElection(
          false,
          "poolkeeper-leader",
          Optional.empty(),
          Duration.ofSeconds(15),
          Duration.ofSeconds(10),
          Duration.ofSeconds(2));

  private static final Duration PERIOD = Duration.ofSeconds(2);
  private static final Duration LONGEST_STANDBY = Duration.ofSeconds(30);

  /** The probability that a renewal fails; about once in 15 minutes. */
  private static final double LOSS = 0.002;

  /** The probability that a write arrives when another process leads. */
  private static final double REPLACED = 0.05;

  private final SimProcess process;
  private final SimWorld sim;

  /** The clock of the process. */
  private final InstantSource clock;

  /** Until when the process is certain to lead, by the time of the world. */
  private Instant until = Instant.MIN;

  private Instant leadsSince = Instant.MAX;

  SimElection(SimProcess process, SimWorld sim, InstantSource clock) {
    this.process = process;
    this.sim = sim;
    this.clock = clock;
    if (!sim.options.has(Fault.LEADERSHIP)) {
      until = Instant.MAX;
      leadsSince = Instant.MIN;
    }
  }

  boolean leads() {
    return until.isAfter(Instant.MIN);
  }

  /** Whether the process led then. */
  boolean led(Instant at) {
    return !at.isBefore(leadsSince);
  }

  /** The process sends a write. */
  void writes() {
    sim.check(
        sim.time.now().isBefore(until),
        "process %d writes without being the leader".formatted(process.number));
  }

  /** Whether another process leads, unseen, when what this one sends arrives. */
  boolean replaces() {
    return sim.options.has(Fault.LEADERSHIP) && sim.faults.on() && sim.chance.happens(REPLACED);
  }

  @Override
  public void start(Consumer<Instant> renewed, Consumer<String> ended) {
    Duration standby =
        sim.faults.on() ? sim.chance.between(Duration.ofMillis(1), LONGEST_STANDBY) : Duration.ZERO;
    sim.time.after(standby, process.guarded(() -> renew(renewed, ended)));
  }

  private void renew(Consumer<Instant> renewed, Consumer<String> ended) {
    Instant sentAt = clock.instant();
    Instant certainUntil = sim.time.now().plus(SETTINGS.renewDeadline());
    if (leads() && !sim.time.now().isBefore(until)) {
      sim.mark(RunMark.LEADERSHIP_EXPIRED);
    }
    if (sim.faults.on() && leads() && sim.chance.happens(LOSS)) {
      lose(ended);
      return;
    }
    Duration answered = sim.chance.between(Duration.ofMillis(5), Duration.ofMillis(500));
    sim.time.after(
        answered,
        process.guarded(
            () -> {
              leadsSince = leads() ? leadsSince : sim.time.now();
              until = certainUntil;
              renewed.accept(sentAt);
            }));
    sim.time.after(PERIOD, process.guarded(() -> renew(renewed, ended)));
  }

  /** Somebody else has the Lease; or nothing of it is heard any more, and the process must know. */
  private void lose(Consumer<String> ended) {
    sim.mark(RunMark.LEADERSHIP_LOST);
    if (sim.chance.happens(0.5)) {
      ended.accept("the leader's lease was taken");
    }
  }
}
