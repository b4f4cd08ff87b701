package io.poolkeeper.judge;

import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * What the wire shows of one load balancer: the call under way, of which there is one at a time,
 * and a write whose end the process does not know (ADR 14): then it looks after a second, doubling
 * to half a minute, until the limit for settling is over.
 */
final class BalancerWire {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = SECOND.multipliedBy(30);
  private static final String CALL = "call";

  final Excuses excuses = new Excuses();

  /** Early writes have no place there meanwhile. */
  final Excuses notEarly = new Excuses();

  private final Documented documented;
  private final Deque<Put> puts = new ArrayDeque<>();
  private Optional<Under> under = Optional.empty();
  private Optional<Doubt> doubt = Optional.empty();
  private Optional<Call> following = Optional.empty();
  private Instant followedAt = Instant.MIN;
  private Duration lastGet = Duration.ZERO;

  /**
   * A call under way.
   *
   * @param look whether it is a look at a write of an unknown end
   * @param attempt whether it may be an attempt
   */
  record Under(Call call, Instant sentAt, boolean look, boolean attempt) {}

  private record Put(Instant at, Duration get) {}

  /**
   * A write of an unknown end.
   *
   * @param own whether it was a write of the process
   * @param at when the last call was that did not show the end
   * @param over whether an attempt has shown it after the limit, and may have written all the same
   */
  private record Doubt(
      PoolId pool, Instant since, boolean own, Instant at, Duration pause, boolean over) {}

  BalancerWire(Documented documented) {
    this.documented = documented;
  }

  Optional<Under> under() {
    return under;
  }

  /** Whether a turn is out there. */
  boolean busy() {
    return under.isPresent() || following.isPresent();
  }

  /** When it heard of that last, or would have. */
  Instant followedAt() {
    return followedAt;
  }

  /** The accepted PUT that the process follows. */
  Optional<Call> following() {
    return following;
  }

  /** Whether a GET of the pool is a look at a write of an unknown end. */
  boolean looksAt(PoolId pool, Instant now) {
    return doubt
        .filter(one -> one.pool().equals(pool) && now.isBefore(end(one).minus(SECOND)))
        .isPresent();
  }

  /** Whether it is so late for a look that it may as well be an attempt. */
  private boolean late(Instant now) {
    return doubt.filter(one -> one.at().plus(one.pause()).plus(SECOND).isBefore(now)).isPresent();
  }

  /**
   * An attempt at the pool has failed: after the limit it has nothing from having waited.
   *
   * @param write whether it was the write that failed: before the limit it is only tried again
   */
  void failed(PoolId pool, boolean write, Instant now) {
    doubt =
        doubt.filter(
            one -> !one.pool().equals(pool) || (looksAt(pool, now) && (one.own() || !write)));
  }

  void sent(Call call, boolean look, Instant now) {
    under = Optional.of(new Under(call, now, look, !look || late(now)));
    excuses.open(CALL, "a call of ours", now);
  }

  /** It has ended in any way; returns it if it is the one that is under way. */
  Optional<Under> ended(Call call, Instant now) {
    Optional<Under> ended = under.filter(one -> one.call().equals(call));
    if (ended.isPresent()) {
      under = Optional.empty();
      excuses.close(CALL, now);
      if (call.kind() == Call.Kind.GET) {
        lastGet = Duration.between(ended.get().sentAt(), now);
      }
    }
    return ended;
  }

  /** ARM has accepted a PUT; it costs others a second and its GET. */
  void accepted(Instant now) {
    puts.addLast(new Put(now, lastGet));
  }

  /** What PUTs since then allow. */
  Duration allowed(Instant since) {
    return puts.stream()
        .filter(put -> !put.at().isBefore(since))
        .map(put -> Documented.EACH_PUT.plus(put.get()))
        .reduce(Duration.ZERO, Duration::plus);
  }

  void forget(Instant before) {
    excuses.forget(before);
    notEarly.forget(before);
    while (!puts.isEmpty() && puts.peek().at().isBefore(before)) {
      puts.remove();
    }
  }

  /** The process follows its write and asks again in a moment. */
  void follows(Call call, Optional<Duration> asked, Instant now) {
    following = call.write() ? Optional.of(call) : following;
    followedAt = now;
    Duration next = asked.filter(one -> one.compareTo(SECOND) > 0).orElse(SECOND);
    excuses.span("a write of ours is followed", now, now.plus(next).plus(SECOND));
  }

  /** It follows the write no longer. */
  void knowsEnd() {
    following = Optional.empty();
  }

  /** A write of the process may be running there, and it does not know its end. */
  void doubtsItsWrite(PoolId pool, Instant now) {
    doubtsItsWrite(pool, now, now);
  }

  /** It has not known it since then. */
  void doubtsItsWrite(PoolId pool, Instant since, Instant now) {
    doubts(new Doubt(pool, since, true, now, SECOND, false), now);
  }

  /**
   * A write may be running there, as a GET says or does not say.
   *
   * @param look whether the GET was a look
   */
  void doubts(PoolId pool, boolean look, Instant now) {
    doubts(
        doubt
            .filter(one -> one.pool().equals(pool) && (look || !(runs() || one.over())))
            .map(one -> longer(one, look, now))
            .orElse(new Doubt(pool, now, false, now, SECOND, false)),
        now);
  }

  private void doubts(Doubt next, Instant now) {
    following = Optional.empty();
    doubt = Optional.of(next);
    Instant limit = end(next);
    Instant look = now.plus(next.pause()).plus(SECOND.dividedBy(2));
    excuses.span("a write of an unknown end", now, look.isBefore(limit) ? look : limit);
  }

  /** Then attempts are made all the same. */
  private Instant end(Doubt one) {
    return one.since().plus(documented.settleLimit()).plus(SECOND);
  }

  /** Whether a write runs in truth; a marker alone begins no other wait. */
  private boolean runs() {
    return excuses.anyOpenBut(CALL);
  }

  private static Doubt longer(Doubt one, boolean look, Instant now) {
    Duration twice = Documented.shorter(one.pause().multipliedBy(2), LONGEST_PAUSE);
    return new Doubt(one.pool(), one.since(), one.own(), now, twice, !look);
  }

  /** A GET has shown that none runs. */
  void shownEnded() {
    doubt = Optional.empty();
  }
}
