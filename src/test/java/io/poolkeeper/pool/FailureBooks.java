package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * Counts for itself what a failed attempt costs each of its changes, and whom to tell what, and
 * throws where the pool's core has come to something else.
 */
final class FailureBooks {
  private FailureBooks() {}

  /**
   * Compares.
   *
   * @param maxRetries the limit of now
   * @param matters whether a change of an attempt still concerns anybody
   * @return from when on the next PUT may come, if a change waits to be tried again
   */
  static Optional<Instant> check(
      PoolState before,
      ArmFailure failure,
      PoolDriver pool,
      int maxRetries,
      BiPredicate<Operation, Phase.Attempting> matters) {
    if (!(before.phase() instanceof Phase.Attempting attempting)) {
      boolean halts = before.phase() instanceof Phase.Ending;
      check(halts || pool.effects().isEmpty(), "a failure of nothing");
      return Optional.empty();
    }
    boolean gone = failure.status() == 404;
    boolean retriable = failure.status() == 412 || failure.status() == 429;
    Set<String> expected = new TreeSet<>();
    List<Operation> front = new ArrayList<>();
    for (Operation operation : attempting.attempt().operations()) {
      boolean patient = retriable && operation.retryCount() < maxRetries;
      if (!gone && matters.test(operation, attempting)) {
        String reason = patient ? EventTexts.RETRYING : EventTexts.FAILED;
        expected.add(reason + " " + operation.service());
        if (patient) {
          front.add(operation);
        }
      }
    }
    if (!attempting.attempt().isRepair()) {
      List<String> told = told(pool);
      check(told.equals(List.copyOf(expected)), "told " + told + ", not " + expected);
    }
    Optional<Instant> eligible = failure.retryAfter().filter(until -> until.isAfter(pool.now()));
    checkQueue(front, pool.state().queue().operations(), eligible);
    return front.isEmpty()
        ? Optional.empty()
        : eligible.or(() -> Optional.of(pool.now().plus(leastWait(front))));
  }

  /** Nine tenths of 2 s, 8 s, and from then on 30 s. */
  private static Duration leastWait(List<Operation> front) {
    int most = front.stream().mapToInt(Operation::retryCount).max().orElseThrow();
    Duration delay = most == 0 ? MIN_INTERVAL : most == 1 ? MIN_INTERVAL.multipliedBy(4) : INTERVAL;
    return delay.multipliedBy(9).dividedBy(10);
  }

  private static List<String> told(PoolDriver pool) {
    return pool.effects().stream()
        .filter(PoolEffect.Emit.class::isInstance)
        .map(effect -> ((PoolEffect.Emit) effect).event())
        .map(event -> event.reason() + " " + event.about())
        .sorted()
        .toList();
  }

  private static void checkQueue(
      List<Operation> front, List<Operation> queued, Optional<Instant> eligible) {
    check(queued.size() >= front.size(), "lost a change");
    for (int i = 0; i < front.size(); i++) {
      Operation back = queued.get(i);
      check(back.service().equals(front.get(i).service()), "not in front");
      check(back.retryCount() == front.get(i).retryCount() + 1, "wrong count");
      check(back.nextEligibleAt().equals(eligible), "wrong time");
    }
  }

  private static void check(boolean holds, String rule) {
    if (!holds) {
      throw new AssertionError(rule);
    }
  }
}
