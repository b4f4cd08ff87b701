package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The retry budget as the wire shows it: deposits and withdrawals count for a while, beside a
 * trickle that needs none, and no more than the cap goes at once.
 */
final class RetryTokens {
  private final Documented.Budget limits;
  private final Deque<Move> moves = new ArrayDeque<>();
  private double purse;
  private Instant asOf;

  private record Move(Instant at, double amount) {}

  RetryTokens(Documented.Budget limits, Instant now) {
    this.limits = limits;
    this.purse = limits.cap();
    this.asOf = now;
  }

  void deposit(Instant now) {
    at(now);
    double room = Math.max(0, limits.cap() - saved());
    moves.add(new Move(now, Math.min(room, limits.worth())));
    purse = Math.min(limits.cap(), purse + limits.worth());
  }

  void withdraw(Instant now) {
    at(now);
    moves.add(new Move(now, -1));
    purse -= 1;
  }

  /** When a retry may be made if nothing else happens. */
  Instant allowedAt(Instant now) {
    at(now);
    double missing = Math.max(0, 1 - purse);
    Instant filled = now.plusNanos((long) Math.ceil(missing / limits.perSecond() * 1e9));
    double sum = saved();
    Instant window = now;
    for (Move move : moves) {
      if (sum >= 1) {
        break;
      }
      sum -= move.amount();
      // Whole tenths of the time are forgotten at once.
      window = move.at().plus(limits.ttl());
    }
    return window.isAfter(filled) ? window : filled;
  }

  private double saved() {
    double reserve = Math.ceil(limits.perSecond() * limits.ttl().toMillis() / 1_000.0);
    return reserve + moves.stream().mapToDouble(Move::amount).sum();
  }

  private void at(Instant now) {
    double seconds = Math.max(0, Duration.between(asOf, now).toNanos() / 1e9);
    purse = Math.min(limits.cap(), purse + seconds * limits.perSecond());
    asOf = now;
    while (!moves.isEmpty() && !moves.peek().at().plus(limits.ttl()).isAfter(now)) {
      moves.remove();
    }
  }
}
