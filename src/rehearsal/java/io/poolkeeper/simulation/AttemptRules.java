package io.poolkeeper.simulation;

import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ratelimit.RateLimiterLimits;
import io.poolkeeper.ratelimit.TokenBucket.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The rules about attempts (architecture, Invariants, The rate limiter): one per pool and load
 * balancer, no more than may be in flight, every PUT from a GET of the same attempt, nothing before
 * everything is known, nothing taken out while that is not so, and no more than the tokens allow.
 */
final class AttemptRules {
  private final SimWorld sim;
  private final int process;
  private final UnresolvedWrites unresolved;
  private final RateLimiterLimits rateLimiter;

  /** For changes alone. */
  private double tokens;

  /** For changes and drains, which have a reserve. */
  private double allTokens;

  private Instant tokensAsOf;

  /** Since when the process must know that it cannot know the cluster. */
  private Optional<Instant> lostSince = Optional.empty();

  AttemptRules(SimWorld sim, int process, UnresolvedWrites unresolved) {
    this.sim = sim;
    this.process = process;
    this.unresolved = unresolved;
    this.rateLimiter = sim.options.rateLimiter();
    this.tokens = rateLimiter.initialWrites();
    this.allTokens = tokens + rateLimiter.initialReserve();
    this.tokensAsOf = sim.time.now();
  }

  private void check(boolean holds, PoolId pool, String how) {
    sim.check(holds, "process %d, %s: %s".formatted(process, pool, how));
  }

  /** Once a second for each watch; {@code lost} if the process must know that one is lost. */
  void looks(boolean lost) {
    if (lost && lostSince.isEmpty()) {
      sim.mark(RunMark.WATCH_LOSS_NOTICED);
    }
    lostSince = lost ? lostSince.or(() -> Optional.of(sim.time.now())) : Optional.empty();
  }

  /** A GET begins an attempt at a pool beside others. */
  void attemptBegins(PoolId pool, Collection<Attempt> others) {
    // Whose permit began earlier may have lost it.
    Duration deadline = rateLimiter.permitDeadline().minus(sim.options.slack());
    Instant young = sim.time.now().minus(deadline);
    int inFlight = 1;
    for (Attempt other : others) {
      if (other.from.isAfter(young) && other.outstanding() && !unresolved.mayBeLook(other)) {
        inFlight++;
        check(
            !other.pool.loadBalancer().equals(pool.loadBalancer())
                || unresolved.mayRepeatLook(pool),
            pool,
            "a second attempt at the load balancer, beside that at " + other.pool);
      }
    }
    int most = rateLimiter.maxInFlight();
    check(inFlight <= most, pool, inFlight + " attempts in flight, allowed are " + most);
  }

  /**
   * A PUT is sent.
   *
   * @param lost whether the process must still know that a watch is lost
   */
  void writeIsSent(Attempt attempt, ArmCall call, boolean knowsAll, boolean lost) {
    PoolId pool = attempt.pool;
    Exchange last = attempt.last;
    boolean repeats = last != null && last.write() && last.mayBeRepeated();
    check(
        repeats || (last != null && !last.write()),
        pool,
        "a PUT without a GET of the same attempt");
    String etag = call.ifMatch().orElse("");
    check(
        !etag.isEmpty() && etag.equals(attempt.etag),
        pool,
        "If-Match %s, read %s".formatted(etag, attempt.etag));
    Map<String, String> sent = Attempt.states(call.object());
    check(!sent.equals(attempt.read), pool, "a PUT that changes nothing");
    check(knowsAll, pool, "writes before the caches are filled and ARM was listed");
    boolean leftToArm = unresolved.leaveToArm(pool);
    check(
        repeats || !attempt.updating || leftToArm,
        pool,
        "writes although another write is under way");
    inTime(attempt, "a PUT");
    check(spend(!repeats), pool, "writes faster than the tokens allow");
    if (lost && !BindingUsers.bound(pool)) {
      TreeSet<String> removed = new TreeSet<>(attempt.read.keySet());
      removed.removeAll(sent.keySet());
      check(
          removed.isEmpty()
              || lostSince.filter(since -> sim.mustKnow(since, attempt.from)).isEmpty(),
          pool,
          "removes %s while a watch is lost since %s".formatted(removed, lostSince));
    }
  }

  /**
   * Never more writes than initial + rate x t, nor than burst at once. A PUT that a call repeats
   * costs the controller a token, too, but may overdraw the bucket; so it is left out here.
   */
  private boolean spend(boolean first) {
    Rate writes = rateLimiter.writes();
    double rate = writes.milliPerSecond() / 1_000.0;
    double won = rate * Duration.between(tokensAsOf, sim.time.now()).toNanos() / 1e9;
    double spent = first ? 1 : 0;
    tokens = Math.min(writes.burst(), tokens + won) - spent;
    allTokens = Math.min(writes.burst() + rateLimiter.reserve().burst(), allTokens + won) - spent;
    tokensAsOf = sim.time.now();
    // Any write may have been a drain's once a state was wrong. The rest is rounding.
    boolean drains = sim.met(RunMark.NODE_LEFT) || sim.met(RunMark.STATE_REVERTED);
    return (drains ? allTokens : tokens) > -1e-6;
  }

  /** What is sent under a permit does not outlive it; a process that stood still sends it late. */
  void inTime(Attempt attempt, String what) {
    Instant end = attempt.readAt.plus(rateLimiter.permitDeadline());
    Instant thaw = sim.time.frozenUntil();
    Instant latest = (thaw.isAfter(end) ? thaw : end).plusSeconds(1);
    check(!sim.time.now().isAfter(latest), attempt.pool, what + " after the end of its permit");
  }
}
