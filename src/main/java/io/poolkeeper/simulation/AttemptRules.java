package io.poolkeeper.simulation;

import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules about attempts (architecture, Invariants, The turnstile): one per pool and load
 * balancer, no more than may be in flight, one unresolved write, every PUT from a GET of the same
 * attempt, nothing before everything is known, and no more than the tokens allow.
 */
final class AttemptRules {
  private final Ledger ledger;
  private final SimWorld sim;
  private final int process;
  private final TokenLedger tokens;

  /** Those of drains, too, which have a reserve. */
  private final TokenLedger allTokens;

  AttemptRules(Ledger ledger, SimWorld sim, int process) {
    this.ledger = ledger;
    this.sim = sim;
    this.process = process;
    this.tokens = TokenLedger.common(sim.options.turnstile(), sim.time.now());
    this.allTokens = TokenLedger.withReserve(sim.options.turnstile(), sim.time.now());
  }

  SimWorld.Violation broken(PoolId pool, String how) {
    return sim.broken("process %d, %s: %s".formatted(process, pool, how));
  }

  private void check(boolean holds, PoolId pool, String how) {
    if (!holds) {
      throw broken(pool, how);
    }
  }

  /** Whether its turn cannot have been lost yet. */
  private boolean young(Attempt attempt) {
    Duration deadline = sim.options.turnstile().turnDeadline();
    return !attempt.olderThan(deadline.minus(ledger.slack()), sim.time.now());
  }

  /** A GET begins an attempt at a pool beside others. */
  void attemptBegins(PoolId pool, Collection<Attempt> others) {
    int inFlight = 1;
    for (Attempt other : others) {
      if (young(other)
          && other.outstanding()
          && !ledger.settling().mayBeLook(other, ledger.slack())) {
        inFlight++;
        check(!other.pool.equals(pool), pool, "two calls at once");
        check(
            !other.pool.loadBalancer().equals(pool.loadBalancer())
                || ledger.settling().mayRepeatLook(pool, ledger.slack()),
            pool,
            "a second attempt at the load balancer, beside that at " + other.pool);
      }
    }
    int most = sim.options.turnstile().maxInFlight();
    check(inFlight <= most, pool, inFlight + " attempts in flight, allowed are " + most);
  }

  /** A PUT is sent. */
  void writeIsSent(Attempt attempt, ArmCall call) {
    PoolId pool = attempt.pool;
    Exchange last = attempt.last;
    boolean repeats = last != null && last.write() && last.mayBeRepeated();
    check(
        repeats || (attempt.hasRead && last != null && !last.write()),
        pool,
        "a PUT without a GET of the same attempt");
    String etag = call.ifMatch().orElse("");
    check(
        !etag.isEmpty() && etag.equals(attempt.etag),
        pool,
        "If-Match %s, read %s".formatted(etag, attempt.etag));
    Map<String, String> sent = Exchange.states(call.object());
    check(!sent.equals(attempt.read), pool, "a PUT that changes nothing");
    Set<String> unknown = new TreeSet<>(sent.keySet());
    unknown.removeAll(attempt.read.keySet());
    unknown.removeAll(ledger.desired().ever(pool));
    check(
        unknown.isEmpty() || BindingUsers.bound(pool),
        pool,
        "writes %s, which no Service wants".formatted(unknown));
    check(ledger.knowsAll(), pool, "writes before the caches are filled and ARM was listed");
    boolean leftToArm = ledger.settling().leaveToArm(pool);
    check(
        repeats || !attempt.updating || leftToArm,
        pool,
        "writes although another write is under way");
    inTime(attempt, "a PUT");
    boolean common = tokens.spend(!repeats, sim.time.now());
    boolean holds = allTokens.spend(!repeats, sim.time.now());
    // Any write may have been a drain's once a state was wrong.
    check(
        holds && (common || sim.met(Mark.NODE_LEFT) || sim.met(Mark.STATE_REVERTED)),
        pool,
        "writes faster than the tokens allow");
  }

  /** What is sent under a turn does not outlive it; a process that stood still sends it late. */
  void inTime(Attempt attempt, String what) {
    Instant end = attempt.readAt.plus(sim.options.turnstile().turnDeadline());
    Instant thaw = sim.time.frozenUntil();
    Instant latest = (thaw.isAfter(end) ? thaw : end).plusSeconds(1);
    check(!sim.time.now().isAfter(latest), attempt.pool, what + " after the end of its turn");
  }
}
