package io.poolkeeper.lock;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaseView.Holder;
import io.poolkeeper.lock.LeaseView.Whose;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Drives the core of the shared lock, event by event, on a clock that only the test moves. */
final class LockDriver {
  static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  static final LockLimits LIMITS =
      new LockLimits(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(200));
  static final LeaseDemand UPDATE = new LeaseDemand(true, false, 0);
  static final LeaseDemand DRAIN = new LeaseDemand(true, true, 0);

  private final SharedLockCore core = new SharedLockCore(LIMITS);
  private final RandomGenerator random;
  private Decision<SharedLockState, SharedLockEffect> last = Decision.of(SharedLockState.INITIAL);
  private Instant now = T0;

  private LockDriver(double random) {
    this.random =
        new RandomGenerator() {
          @Override
          public long nextLong() {
            throw new AssertionError();
          }

          @Override
          public double nextDouble() {
            return random;
          }
        };
  }

  /** A process that does not lead yet. */
  static LockDriver standby() {
    return standby(0);
  }

  static LockDriver standby(double random) {
    return new LockDriver(random);
  }

  /** A leader that has found the Lease free, in version 10. */
  static LockDriver leader() {
    return leader(0);
  }

  static LockDriver leader(double random) {
    return standby(random).send(new SharedLockEvent.Lead()).is(free(10));
  }

  /** A leader in its first session; the Lease has version 11. */
  static LockDriver holder() {
    return leader().wants(UPDATE).is(ours(11)).wants(LeaseDemand.NONE);
  }

  static LeaseView free(long version) {
    return new LeaseView(version, Optional.empty());
  }

  static LeaseView ours(long version) {
    return held(version, Whose.OURS);
  }

  static LeaseView theirs(long version) {
    return held(version, Whose.OTHER);
  }

  static LeaseView held(long version, Whose whose) {
    String name = whose == Whose.OTHER ? "peer" : "poolkeeper";
    Holder holder = new Holder(name, whose, Optional.of(T0), T0.plusSeconds(900));
    return new LeaseView(version, Optional.of(holder));
  }

  LockDriver send(SharedLockEvent event) {
    last = core.decide(state(), event, now, random);
    return this;
  }

  LockDriver wants(LeaseDemand demand) {
    return send(new SharedLockEvent.Demanded(demand));
  }

  /** No turn is out or granted any more. */
  LockDriver ends(long session) {
    return wants(new LeaseDemand(false, false, session));
  }

  LockDriver is(LeaseView view) {
    return send(new SharedLockEvent.Answered(new LeaseAnswer.Is(view)));
  }

  LockDriver conflict() {
    return send(new SharedLockEvent.Answered(new LeaseAnswer.Conflict()));
  }

  LockDriver fails() {
    return send(new SharedLockEvent.Answered(new LeaseAnswer.Failed("away")));
  }

  LockDriver sees(LeaseView view) {
    return send(new SharedLockEvent.Seen(view));
  }

  /** A try of the cloud provider for the Service has failed just now. */
  LockDriver complains(String service) {
    return send(new SharedLockEvent.Complained(new ServiceKey("default", service), now));
  }

  LockDriver stops() {
    return send(new SharedLockEvent.Stop());
  }

  LockDriver after(Duration time) {
    now = now.plus(time);
    return this;
  }

  LockDriver millis(long millis) {
    return after(Duration.ofMillis(millis));
  }

  /** The timer fires when it is set for, and not before. */
  LockDriver wakes(long millis) {
    Instant at = core.wakeAt(state()).orElseThrow();
    if (!at.equals(now.plusMillis(millis))) {
      throw new AssertionError("wakes after " + Duration.between(now, at));
    }
    return millis(millis).send(new SharedLockEvent.TimerDue());
  }

  Instant now() {
    return now;
  }

  Optional<Instant> wakeAt() {
    return core.wakeAt(state());
  }

  SharedLockState state() {
    return last.state();
  }

  LeaseStanding standing() {
    return state().standing();
  }

  /** A session that began then. */
  static LeaseStanding session(long number, Instant begun) {
    Instant tail = begun.plusSeconds(5);
    return new LeaseStanding.Held(number, tail, tail, begun.plusSeconds(15));
  }

  /** Calls have failed since then, and nobody else was seen to hold it. */
  static LeaseStanding unreachable(String error, Instant since) {
    return new LeaseStanding.Unreachable(error, since, Optional.empty());
  }

  List<SharedLockEffect> effects() {
    return last.effects();
  }

  /** The call that the last event began. */
  Optional<SharedLockEffect.Call> call() {
    return effects().stream()
        .filter(SharedLockEffect.Call.class::isInstance)
        .map(SharedLockEffect.Call.class::cast)
        .findFirst();
  }
}
