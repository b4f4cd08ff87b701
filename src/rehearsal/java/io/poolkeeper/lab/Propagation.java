package io.poolkeeper.lab;

import io.poolkeeper.lab.judge.PoolWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How long changes took: from just before the request to the API server until ARM accepted the PUT
 * with this change or a later one of the same pool. A change that was reverted before it was
 * written is not counted, nor is one of slices after which the pool wants the same. Changes and
 * writes are in order of time.
 */
public record Propagation(List<Took> all) {
  /**
   * One change that was written.
   *
   * @param quiet whether no write and no other change of the pool preceded it within the interval
   */
  public record Took(Change change, long acceptedNanos, boolean quiet) {
    public long millis() {
      return (acceptedNanos - change.atNanos()) / 1_000_000;
    }
  }

  public List<Long> millis(Predicate<Took> which) {
    return all.stream().filter(which).map(Took::millis).toList();
  }

  public static Propagation measure(
      List<Change> changes, List<PoolWrite> writes, Duration interval) {
    List<Took> all = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      List<Change> before = changes.subList(0, i).stream().filter(change::ofSamePool).toList();
      List<PoolWrite> ofPool = ofPool(change, writes);
      boolean same = !before.isEmpty() && before.getLast().addresses().equals(change.addresses());
      carrier(change, changes.subList(i, changes.size()), ofPool)
          .filter(any -> !same)
          .map(carrier -> carrier.acceptedNanos())
          .ifPresent(at -> all.add(new Took(change, at, quiet(change, before, ofPool, interval))));
    }
    return new Propagation(all);
  }

  private static List<PoolWrite> ofPool(Change change, List<PoolWrite> writes) {
    return writes.stream().filter(change::concerns).toList();
  }

  /** The changes that were not written within a time, a line each. */
  public static List<String> overdue(List<Change> changes, List<PoolWrite> writes, Duration limit) {
    List<String> overdue = new ArrayList<>();
    for (Change change : changes) {
      Optional<Long> took =
          carrier(change, List.of(change), ofPool(change, writes))
              .map(carrier -> carrier.acceptedNanos() - change.atNanos());
      if (took.filter(nanos -> nanos <= limit.toNanos()).isEmpty()) {
        String how = took.map(nanos -> nanos / 1_000_000 + " ms").orElse("no time at all");
        overdue.add("%s after %s".formatted(change.pool(), how));
      }
    }
    return overdue;
  }

  /**
   * Milliseconds until the controller's next write to pools that were damaged, announced or not.
   */
  public static List<Long> repairs(
      List<Expectations.Damage> damages, List<PoolWrite> writes, boolean announced) {
    return damages.stream()
        .filter(damage -> damage.announced() == announced)
        .flatMap(
            damage ->
                writes.stream()
                    .filter(write -> write.pool().equals(damage.pool()))
                    .filter(write -> write.acceptedNanos() >= damage.atNanos())
                    .limit(1)
                    .map(write -> (write.acceptedNanos() - damage.atNanos()) / 1_000_000))
        .toList();
  }

  /** Milliseconds from each signal of the cluster to the first write of states, or to the last. */
  public static List<Long> drains(
      List<Expectations.Signal> signals, List<PoolWrite> writes, boolean first) {
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < signals.size(); i++) {
      long from = signals.get(i).atNanos();
      long until = i + 1 < signals.size() ? signals.get(i + 1).atNanos() : Long.MAX_VALUE;
      List<Long> after =
          writes.stream()
              .filter(write -> !write.states().isEmpty())
              .map(PoolWrite::acceptedNanos)
              .filter(at -> at >= from && at < until)
              .toList();
      if (signals.get(i).timed() && !after.isEmpty()) {
        millis.add(((first ? after.getFirst() : after.getLast()) - from) / 1_000_000);
      }
    }
    return millis;
  }

  private static boolean quiet(
      Change change, List<Change> before, List<PoolWrite> ofPool, Duration interval) {
    long at = change.atNanos();
    long from = at - interval.toNanos();
    return ofPool.stream().noneMatch(write -> write.sentNanos() > from && write.sentNanos() <= at)
        && before.stream().noneMatch(one -> one.atNanos() > from && one.atNanos() < at);
  }

  private static Optional<PoolWrite> carrier(
      Change change, List<Change> fromHere, List<PoolWrite> ofPool) {
    List<Set<String>> acceptable =
        fromHere.stream().filter(change::ofSamePool).map(Change::addresses).toList();
    return ofPool.stream()
        .filter(write -> write.acceptedNanos() >= change.atNanos())
        .filter(write -> acceptable.contains(write.addresses()))
        .findFirst();
  }
}
