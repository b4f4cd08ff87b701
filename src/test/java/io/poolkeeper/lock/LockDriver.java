package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaseView.Holder;
import io.poolkeeper.lock.LeaseView.Whose;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Drives the core of the shared lock, event by event, on a clock that only the test moves. */
final class LockDriver {
  static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  static final LockLimits LIMITS =
      new LockLimits(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(200));
  static final ServiceKey WEB = new ServiceKey("default", "web");
  static final LeaseDemand UPDATE = new LeaseDemand(true, false, 0);
  static final LeaseDemand DRAIN = new LeaseDemand(true, true, 0);

  private final SharedLockCore core = new SharedLockCore(LIMITS);
  private final RandomGenerator random;
  private Decision<SharedLockState, SharedLockEffect> last = Decision.of(SharedLockState.INITIAL);
  private Instant now = T0;
  private final List<String> came = new ArrayList<>();

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
    return new LockDriver(0);
  }

  /** A leader that has found the Lease free, in version 10. */
  static LockDriver leader() {
    return leader(0);
  }

  static LockDriver leader(double random) {
    return new LockDriver(random).leads().is(free(10)).forget();
  }

  /** A leader in its first session; the Lease has version 11. */
  static LockDriver holder() {
    return leader().wants(UPDATE).is(ours(11)).wants(LeaseDemand.NONE).forget();
  }

  private LockDriver forget() {
    came.clear();
    return this;
  }

  LockDriver leads() {
    return send(new SharedLockEvent.Lead());
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
    last = core.decide(last.state(), event, now, random);
    last.effects().stream().map(LockDriver::text).forEach(came::add);
    return this;
  }

  private static String text(SharedLockEffect effect) {
    return switch (effect) {
      case SharedLockEffect.Read read -> "read";
      case SharedLockEffect.Take take -> "take " + take.read().version();
      case SharedLockEffect.GiveBack back -> "give " + back.read().version();
      case SharedLockEffect.Taken taken ->
          "taken-" + taken.waited().toMillis() + (taken.drain() ? "-drain" : "");
      case SharedLockEffect.Lost lost -> "lost " + lost.now().version();
      case SharedLockEffect.LeftBehind left -> "left " + left.found().version();
      case SharedLockEffect.Unreachable away -> "unreachable " + away.error();
    };
  }

  /** What was called and told since this was asked last. */
  LockDriver came(String expected) {
    assertThat(String.join(", ", came)).isEqualTo(expected);
    return forget();
  }

  LockDriver stands(LeaseStanding expected) {
    assertThat(last.state().standing()).isEqualTo(expected);
    return this;
  }

  /** Nobody has it, as far as the rate limiter must know. */
  LockDriver isFree() {
    return stands(new LeaseStanding.Free());
  }

  /** A peer has it, which was found at the start. */
  LockDriver isBusy() {
    return stands(new LeaseStanding.Busy("peer", Optional.of(T0), T0.plusSeconds(900), T0));
  }

  /** It is held in the first session, for members until that millisecond. */
  LockDriver isHeldFor(long millis) {
    Instant tail = T0.plusSeconds(5);
    return stands(new LeaseStanding.Held(1, T0.plusMillis(millis), tail, T0.plusSeconds(15)));
  }

  /** Calls have failed since that second, and nobody else was seen to hold it. */
  LockDriver isAwaySince(long second) {
    return stands(new LeaseStanding.Unreachable("away", T0.plusSeconds(second), Optional.empty()));
  }

  /** It has nothing to do until something happens. */
  LockDriver rests() {
    assertThat(core.wakeAt(last.state())).isEmpty();
    return this;
  }

  /** Nothing will be done any more. */
  LockDriver isOver() {
    assertThat(last.state().phase()).isEqualTo(new LockPhase.Ended());
    return rests();
  }

  LockDriver wants(LeaseDemand demand) {
    return send(new SharedLockEvent.Demanded(demand));
  }

  /** No permit is out or granted any more. */
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

  /** A try of the cloud provider for its Service has failed so many seconds ago. */
  LockDriver complained(int secondsAgo) {
    return send(new SharedLockEvent.Complained(WEB, now.minusSeconds(secondsAgo)));
  }

  LockDriver stops() {
    return send(new SharedLockEvent.Stop());
  }

  LockDriver millis(long millis) {
    now = now.plusMillis(millis);
    return this;
  }

  /** The timer fires when it is set for, and not before. */
  LockDriver wakes(long millis) {
    assertThat(core.wakeAt(last.state())).contains(now.plusMillis(millis));
    return millis(millis).timer();
  }

  LockDriver timer() {
    return send(new SharedLockEvent.TimerDue());
  }
}
