package io.poolkeeper.lab.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How long changes took: from just before the request to the API server until ARM accepted the PUT
 * with this change or a later one of the same pool. A change that was reverted before it was
 * written is not counted, nor is one of slices after which the pool wants the same.
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

  /** Milliseconds, of changes after a quiet interval. */
  public List<Long> afterQuiet() {
    return millis(Took::quiet);
  }

  /** Milliseconds, of the others. */
  public List<Long> withinInterval() {
    return millis(took -> !took.quiet());
  }

  /** Milliseconds, of some of the changes. */
  public List<Long> millis(Predicate<Took> which) {
    return all.stream().filter(which).map(Took::millis).toList();
  }

  /**
   * A PUT that ARM accepted.
   *
   * @param sentNanos when it arrived at ARM
   */
  public record Put(
      String loadBalancer, String pool, long sentNanos, long acceptedNanos, Set<String> addresses) {
    public Put {
      addresses = Set.copyOf(addresses);
    }
  }

  /** Measures; changes and puts are in order of time. */
  public static Propagation measure(List<Change> changes, List<Put> puts, Duration interval) {
    List<Took> all = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      List<Put> ofPool =
          puts.stream().filter(put -> change.concerns(put.loadBalancer(), put.pool())).toList();
      Put carrier = carrier(change, changes.subList(i, changes.size()), ofPool);
      if (carrier != null && !changesNothing(change, changes.subList(0, i))) {
        boolean quiet = opensInterval(change, changes.subList(0, i), ofPool, interval);
        all.add(new Took(change, carrier.acceptedNanos(), quiet));
      }
    }
    return new Propagation(all);
  }

  /** The changes that were not written within a time, a line each. */
  public static List<String> late(List<Change> changes, List<Put> puts, Duration limit) {
    return late(changes, puts, limit, ArmTime.NONE);
  }

  /**
   * The same.
   *
   * @param writing of other writes at the change's own load balancer, which does not count
   */
  public static List<String> late(
      List<Change> changes, List<Put> puts, Duration limit, ArmTime writing) {
    List<String> late = new ArrayList<>();
    for (Change change : changes) {
      List<Put> ofPool =
          puts.stream().filter(put -> change.concerns(put.loadBalancer(), put.pool())).toList();
      Put carrier = carrier(change, List.of(change), ofPool);
      long took = carrier == null ? Long.MAX_VALUE : carrier.acceptedNanos() - change.atNanos();
      long excused =
          carrier == null
              ? 0
              : writing.nanos(change.loadBalancer(), change.atNanos(), carrier.sentNanos());
      if (took - excused > limit.toNanos()) {
        late.add(
            "%s/%s after %s"
                .formatted(
                    change.loadBalancer(),
                    change.pool(),
                    carrier == null ? "no time at all" : took / 1_000_000 + " ms"));
      }
    }
    return late;
  }

  /**
   * How long pools stayed damaged, in milliseconds: until the controller's next write to them.
   *
   * @param announced whether the other writer had said so
   */
  public static List<Long> repairs(List<Damage> damages, List<Put> puts, boolean announced) {
    List<Long> millis = new ArrayList<>();
    for (Damage damage : damages) {
      if (damage.announced() == announced) {
        puts.stream()
            .filter(put -> put.pool().equalsIgnoreCase(damage.pool()))
            .filter(put -> put.acceptedNanos() >= damage.atNanos())
            .findFirst()
            .ifPresent(put -> millis.add((put.acceptedNanos() - damage.atNanos()) / 1_000_000));
      }
    }
    return millis;
  }

  /** Whether the pool wanted the same before. */
  private static boolean changesNothing(Change change, List<Change> earlier) {
    return earlier.reversed().stream()
        .filter(other -> other.concerns(change.loadBalancer(), change.pool()))
        .findFirst()
        .filter(before -> before.addresses().equals(change.addresses()))
        .isPresent();
  }

  private static boolean opensInterval(
      Change change, List<Change> earlier, List<Put> ofPool, Duration interval) {
    long from = change.atNanos() - interval.toNanos();
    return ofPool.stream()
            .noneMatch(put -> put.sentNanos() > from && put.sentNanos() <= change.atNanos())
        && earlier.stream()
            .noneMatch(
                other ->
                    other.atNanos() > from
                        && other.concerns(change.loadBalancer(), change.pool())
                        && other.atNanos() < change.atNanos());
  }

  private static @Nullable Put carrier(Change change, List<Change> fromHere, List<Put> ofPool) {
    List<Set<String>> acceptable =
        fromHere.stream()
            .filter(later -> later.concerns(change.loadBalancer(), change.pool()))
            .map(Change::addresses)
            .toList();
    return ofPool.stream()
        .filter(put -> put.acceptedNanos() >= change.atNanos())
        .filter(put -> acceptable.contains(put.addresses()))
        .findFirst()
        .orElse(null);
  }
}
