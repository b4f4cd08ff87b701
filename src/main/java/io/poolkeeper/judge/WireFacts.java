package io.poolkeeper.judge;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What calls and their answers excuse: each goes to the pool, the load balancer, the gates and the
 * quota that it concerns.
 */
final class WireFacts {
  /** What a write that is answered sooner than that keeps is no wait. */
  private static final Duration SILENCE = Duration.ofSeconds(2);

  /** After another client was seen to write somewhere, nobody is early there. */
  private static final Duration CONTESTED = Duration.ofSeconds(30);

  /** A call that is not answered for so long has failed. */
  private static final Duration LONGEST_CALL = Duration.ofSeconds(75);

  private static final String IN_FLIGHT = "in flight";

  private final Documented documented;
  private final Excuses everywhere;
  private final Excuses listing = new Excuses();
  private final Excuses notEarly = new Excuses();
  private final Excuses retries = new Excuses();
  private final Excuses silent = new Excuses();
  private final Gates gates;
  private final Quota quota;
  private final Map<PoolId, PoolWire> pools = new HashMap<>();
  private final Map<LoadBalancerId, BalancerWire> balancers = new HashMap<>();
  private final Map<Call, Instant> lists = new HashMap<>();

  /** Calls of turns that were over before the answer. */
  private final Set<Call> lost = new HashSet<>();

  private final Written written;

  /** Hears of each write that the process knows to be made. */
  interface Written {
    void wrote(Call call, Instant at);
  }

  WireFacts(Documented documented, Excuses everywhere, Written written, Instant now) {
    this.documented = documented;
    this.everywhere = everywhere;
    this.written = written;
    this.gates = new Gates(documented);
    this.quota = new Quota(documented, everywhere, retries, now);
  }

  PoolWire at(PoolId pool) {
    return pools.computeIfAbsent(pool, any -> new PoolWire(documented));
  }

  BalancerWire at(LoadBalancerId balancer) {
    return balancers.computeIfAbsent(balancer, any -> new BalancerWire(documented));
  }

  /** What delays a listing. */
  Excuses listing() {
    return listing;
  }

  /** While a write has had no answer for a while, which keeps the shared Lease. */
  Excuses silent() {
    return silent;
  }

  /** What delays retries and repairs. */
  Excuses retries() {
    return retries;
  }

  /** What delays early writes everywhere. */
  Excuses notEarly() {
    return notEarly;
  }

  void sent(Call call, Instant now) {
    if (call.kind() == Call.Kind.LIST) {
      listing.open("call " + call.number(), "a listing runs", now);
      lists.put(call, now);
    }
    call.pool().ifPresent(pool -> sent(call, pool, at(pool.loadBalancer()), now));
    int busy = busy(now);
    quota.sent(call, busy, now);
    notEarly.span("no token for an early write", now, quota.earlyAllowedAt(busy, now));
  }

  private void sent(Call call, PoolId pool, BalancerWire balancer, Instant now) {
    // One call at a time: of the last one nobody waits for an answer any more.
    balancer.under().ifPresent(before -> unanswered(before.call(), now));
    boolean look = false;
    if (call.kind() == Call.Kind.GET) {
      balancer
          .following()
          .flatMap(Call::pool)
          .ifPresent(followed -> unresolved(followed, balancer, balancer.followedAt(), now));
      look = balancer.looksAt(pool, now);
      if (!look && at(pool).reads(now)) {
        quota.attempt(at(pool).again(), now);
      }
    } else if (call.write()) {
      at(pool).writes(now);
      silent.open("" + call.number(), "a write without an answer", now.plus(SILENCE));
    }
    balancer.sent(call, look, now);
  }

  /** How many load balancers have a turn out; as many as may be keep all others waiting. */
  private int busy(Instant now) {
    int busy = (int) balancers.values().stream().filter(BalancerWire::busy).count();
    limit(everywhere, "as many turns are out as may be", busy >= documented.maxInFlight(), now);
    limit(notEarly, "half of the turns are out", 2 * busy >= documented.maxInFlight(), now);
    return busy;
  }

  private static void limit(Excuses excuses, String why, boolean reached, Instant now) {
    if (reached) {
      excuses.open(IN_FLIGHT, why, now);
    } else {
      excuses.close(IN_FLIGHT, now);
    }
  }

  void answered(Call call, Call.Answer answer, Instant now) {
    giveUp(now);
    silent.close("" + call.number(), now);
    if (isLost(call, now)) {
      return;
    }
    Optional<Instant> until = Optional.empty();
    if (answer.status() == 429) {
      Instant end = gates.close(call, answer, now);
      Excuses closed =
          answer.lock() ? call.balancer().map(lb -> at(lb).excuses).orElse(everywhere) : everywhere;
      closed.span("a gate is closed", now, end);
      until = Optional.of(end);
    } else {
      until =
          answer
              .retryAfter()
              .map(asked -> now.plus(Documented.shorter(asked, documented.maxRetryAfter())));
    }
    if (call.kind() == Call.Kind.LIST) {
      listed(call, answer.good(), now);
    }
    Optional<Instant> asked = until;
    call.pool()
        .ifPresent(pool -> answered(call, answer, pool, at(pool.loadBalancer()), asked, now));
    busy(now);
  }

  /** Its turn was over before, and with it all that was known of the load balancer. */
  private boolean isLost(Call call, Instant now) {
    boolean gone = lost.remove(call);
    call.pool()
        .filter(any -> gone)
        .ifPresent(pool -> at(pool.loadBalancer()).doubts(pool, true, now));
    return gone;
  }

  private void listed(Call call, boolean good, Instant now) {
    listing.close("call " + call.number(), now);
    lists.remove(call);
    if (good) {
      listing.close("failed", now);
    } else {
      listing.open("failed", "a listing has failed", now);
    }
  }

  private void answered(
      Call call,
      Call.Answer answer,
      PoolId pool,
      BalancerWire balancer,
      Optional<Instant> asked,
      Instant now) {
    Optional<BalancerWire.Under> ended = balancer.ended(call, now);
    boolean look = ended.filter(BalancerWire.Under::look).isPresent();
    ended.filter(any -> answer.good()).ifPresent(under -> gates.succeeded(call, under.sentAt()));
    if (look && !(answer.good() && answer.shows() == Call.Shows.ENDED) && answer.status() != 404) {
      if (ended.filter(BalancerWire.Under::attempt).isPresent() && !answer.good()) {
        at(pool).failed(answer.retriable(), answer.repeated(), asked, now);
      }
      looked(answer, pool, balancer, now);
    } else if (answer.good()) {
      good(call, answer, pool, balancer, now);
    } else if (call.kind() != Call.Kind.POLL && answer.status() == 404) {
      balancer.shownEnded();
      at(pool).gone(now);
    } else {
      bad(call, answer, pool, balancer, asked, now);
    }
  }

  /** A look has not shown the end. */
  private static void looked(Call.Answer answer, PoolId pool, BalancerWire balancer, Instant now) {
    if (answer.good() && answer.shows() == Call.Shows.RUNS) {
      contested(balancer, now);
    }
    balancer.doubts(pool, true, now);
  }

  private void good(
      Call call, Call.Answer answer, PoolId pool, BalancerWire balancer, Instant now) {
    switch (answer.shows()) {
      case ENDED -> {
        if (call.kind() == Call.Kind.GET) {
          balancer.shownEnded();
          pauseEarly(pool, balancer, now);
        } else {
          Call put = balancer.following().filter(one -> !call.write()).orElse(call);
          balancer.knowsEnd();
          balancer.shownEnded();
          tookEarly(pool, balancer, now);
          if (put.write()) {
            at(pool).wrote(put.members(), now);
            quota.succeeded(now);
            written.wrote(put, now);
          }
        }
      }
      case RUNS -> {
        if (call.kind() == Call.Kind.GET) {
          contested(balancer, now);
          balancer.doubts(pool, false, now);
        } else {
          balancer.follows(call, answer.retryAfter(), now);
        }
      }
      case SUPERSEDED -> {
        contested(balancer, now);
        unresolved(pool, balancer, now, now);
      }
      case FAILED, NONSENSE -> failed(pool, balancer, false, false, Optional.empty(), now);
    }
    if (call.write()) {
      balancer.accepted(now);
    }
  }

  private void bad(
      Call call,
      Call.Answer answer,
      PoolId pool,
      BalancerWire balancer,
      Optional<Instant> asked,
      Instant now) {
    if (answer.status() == 409 || answer.status() == 412) {
      contested(balancer, now);
    }
    if (call.kind() == Call.Kind.POLL) {
      // Another poll may come, or a look, which shows that none does.
      balancer.follows(call, asked.map(until -> Duration.between(now, until)), now);
      return;
    }
    boolean mayRun = answer.repeated() || answer.shows() == Call.Shows.NONSENSE;
    balancer.failed(pool, call.write(), now);
    failed(pool, balancer, answer.retriable(), answer.repeated(), asked, now);
    if (call.write() && mayRun) {
      balancer.doubtsItsWrite(pool, now);
    }
  }

  private void failed(
      PoolId pool,
      BalancerWire balancer,
      boolean retriable,
      boolean mayRepeat,
      Optional<Instant> asked,
      Instant now) {
    balancer.knowsEnd();
    balancer.failed(pool, false, now);
    tookEarly(pool, balancer, now);
    at(pool).failed(retriable, mayRepeat, asked, now);
  }

  private void unresolved(PoolId pool, BalancerWire balancer, Instant since, Instant now) {
    failed(pool, balancer, true, false, Optional.empty(), now);
    balancer.doubtsItsWrite(pool, since, now);
  }

  private void tookEarly(PoolId pool, BalancerWire balancer, Instant now) {
    if (at(pool).early()) {
      quota.wroteEarly(now);
      pauseEarly(pool, balancer, now);
    }
  }

  /** An early turn may be over: others have the load balancer for a multiple of its length. */
  private void pauseEarly(PoolId pool, BalancerWire balancer, Instant now) {
    if (at(pool).early()) {
      double others = (1 - documented.earlyShare()) / documented.earlyShare();
      Duration pause = Duration.ofNanos((long) (at(pool).taken(now).toNanos() * others));
      balancer.notEarly.span("early writes have had their share", now, now.plus(pause));
    }
  }

  private static void contested(BalancerWire balancer, Instant now) {
    balancer.notEarly.span("another client writes there", now, now.plus(CONTESTED));
  }

  /** No answer came, or nobody waits for it any more. */
  void unanswered(Call call, Instant now) {
    silent.close("" + call.number(), now);
    if (isLost(call, now)) {
      return;
    }
    if (call.kind() == Call.Kind.LIST) {
      listed(call, false, now);
    }
    call.pool().ifPresent(pool -> unanswered(call, pool, at(pool.loadBalancer()), now));
    busy(now);
  }

  private void unanswered(Call call, PoolId pool, BalancerWire balancer, Instant now) {
    Optional<BalancerWire.Under> ended = balancer.ended(call, now);
    if (ended.isEmpty()) {
      return;
    }
    if (call.kind() == Call.Kind.POLL) {
      balancer.follows(call, Optional.empty(), now);
      return;
    }
    if (ended.get().look()) {
      if (ended.get().attempt()) {
        at(pool).failed(true, false, Optional.empty(), now);
      }
      balancer.doubts(pool, true, now);
      return;
    }
    failed(pool, balancer, true, false, Optional.empty(), now);
    if (call.write()) {
      balancer.doubtsItsWrite(pool, now);
    }
  }

  /** Nobody waits for an answer for longer than a call or a turn may last. */
  void giveUp(Instant now) {
    for (BalancerWire balancer : balancers.values()) {
      balancer.under().ifPresent(one -> giveUp(one, balancer, now));
    }
    for (Map.Entry<Call, Instant> one : Map.copyOf(lists).entrySet()) {
      if (one.getValue().plus(LONGEST_CALL).isBefore(now)) {
        unanswered(one.getKey(), one.getValue().plus(LONGEST_CALL));
      }
    }
  }

  private void giveUp(BalancerWire.Under under, BalancerWire balancer, Instant now) {
    Duration longest =
        under.look() ? LONGEST_CALL : Documented.shorter(LONGEST_CALL, documented.turnDeadline());
    if (under.sentAt().plus(longest).isBefore(now)) {
      unanswered(under.call(), under.sentAt().plus(longest));
      if (!under.look()) {
        lost.add(under.call());
        // The turn is over with it, and says nothing of whether it has written.
        under
            .call()
            .pool()
            .filter(any -> longest.equals(documented.turnDeadline()))
            .ifPresent(pool -> balancer.doubtsItsWrite(pool, now));
      }
    }
  }

  void forget(Instant before) {
    pools.values().forEach(one -> one.forget(before));
    balancers.values().forEach(one -> one.forget(before));
    listing.forget(before);
    notEarly.forget(before);
    retries.forget(before);
    silent.forget(before);
  }
}
