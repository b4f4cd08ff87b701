package io.poolkeeper.status;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The Services that have lost backends, no matter who must act. A Service counts once, by the worst
 * of its pools, and only after {@link #AFTER}. What is held, paused, not managed or in shadow mode
 * does not count, nor does a pool of network interfaces, whose addresses are not known.
 *
 * <p>A pool counts for the Services that own it; a pool without an owner counts for none. An entry
 * that a drain has set Down is neither wanted nor missing; any other entry that is Down is missing.
 * A pool in which entries stay that may serve has a right node.
 *
 * @param none the Services that have no right node in a pool, the longest first
 * @param fewer the causes of the other Services with fewer nodes than wanted, one for each
 * @param tooMuch the causes of the pools that have all nodes and some too many, one for each
 */
public record Impact(List<Without> none, List<Cause> fewer, List<Cause> tooMuch) {
  /** For so long a Service must have been without before it counts. */
  static final Duration AFTER = Duration.ofSeconds(30);

  /**
   * A Service without a right node.
   *
   * @param cause that of the first of the pools
   * @param pools where it has none: one of two, if only one address family is hit
   * @param since monotonic
   */
  public record Without(ServiceKey service, Cause cause, List<PoolId> pools, Instant since) {
    private Without and(Without other) {
      List<PoolId> both = new ArrayList<>(pools);
      both.addAll(other.pools);
      return new Without(service, cause, both, since.isBefore(other.since) ? since : other.since);
    }
  }

  public Impact {
    none = List.copyOf(none);
    fewer = List.copyOf(fewer);
    tooMuch = List.copyOf(tooMuch);
  }

  /** How many of the nodes that a Service wants in a pool are right. */
  private record Share(int right, int wanted) {
    static Share of(PoolStatus pool, Set<Address> drained, Set<Address> wants) {
      Set<Address> wanted = new HashSet<>(wants);
      wanted.retainAll(pool.members().desired());
      wanted.removeAll(drained);
      long right =
          wanted.stream()
              .filter(pool.members().inPool()::contains)
              .filter(address -> !pool.members().down().contains(address))
              .count();
      return new Share(Math.toIntExact(right), wanted.size());
    }

    boolean none() {
      return wanted > 0 && right == 0;
    }

    boolean lacks() {
      return right < wanted;
    }
  }

  /** The owners of the pool that have no right node in it, as it was seen last. */
  static Set<ServiceKey> without(PoolStatus pool) {
    return counts(pool) && !pool.picture().keeps() ? owners(pool, Share::none) : Set.of();
  }

  private static Set<ServiceKey> owners(PoolStatus pool, Predicate<Share> which) {
    Set<Address> drained = drained(pool);
    return pool.services().entrySet().stream()
        .filter(owner -> which.test(Share.of(pool, drained, owner.getValue())))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The entries that a drain has set Down. */
  private static Set<Address> drained(PoolStatus pool) {
    Set<Address> drained = new HashSet<>(pool.members().down());
    if (!drained.isEmpty()) {
      drained.retainAll(pool.picture().leaving());
    }
    return drained;
  }

  /** The owners that have had none for so long that they count. */
  public static Map<ServiceKey, Instant> without(Snapshot snapshot, PoolId pool, Instant now) {
    if (!counts(snapshot)) {
      return Map.of();
    }
    Map<ServiceKey, Instant> without = new TreeMap<>(snapshot.recent().log(pool).without());
    without.values().removeIf(since -> !longEnough(since, now));
    return without;
  }

  private static boolean longEnough(Instant since, Instant now) {
    return !since.plus(AFTER).isAfter(now);
  }

  private static boolean counts(Snapshot snapshot) {
    return snapshot.knowledge().leads()
        && snapshot.comparison().isEmpty()
        && snapshot.pause().pause().isEmpty();
  }

  /** A pool without any difference is as it should be, or was not seen yet. */
  private static boolean counts(PoolStatus pool) {
    return switch (pool.state()) {
      case HELD, PAUSED, STOPPED, OPTED_OUT -> false;
      case IDLE, GATHERING, PARKED, BRAKED, WAITING, READING, WRITING, FAILED, POSTPONED ->
          !pool.difference().isEmpty() && !pool.members().interfaces();
    };
  }

  static Impact of(Snapshot snapshot, Collection<PoolLine> lines, Instant now) {
    if (!counts(snapshot)) {
      return new Impact(List.of(), List.of(), List.of());
    }
    Map<ServiceKey, Without> none = new HashMap<>();
    Map<ServiceKey, Cause> fewer = new HashMap<>();
    List<Cause> tooMuch = new ArrayList<>();
    for (PoolLine line : lines) {
      PoolStatus pool = line.status();
      if (line.cause().isEmpty() || !counts(pool)) {
        continue;
      }
      Cause cause = line.cause().get();
      without(snapshot, pool.id(), now)
          .forEach(
              (service, since) ->
                  none.merge(
                      service,
                      new Without(service, cause, List.of(pool.id()), since),
                      Without::and));
      if (line.since().filter(since -> longEnough(since, now)).isPresent()) {
        Set<ServiceKey> lacking = owners(pool, Share::lacks);
        lacking.forEach(service -> fewer.putIfAbsent(service, cause));
        if (lacking.isEmpty() && pool.difference().remove() > 0) {
          tooMuch.add(cause);
        }
      }
    }
    fewer.keySet().removeAll(none.keySet());
    List<Without> longest =
        none.values().stream()
            .sorted(Comparator.comparing(Without::since).thenComparing(Without::service))
            .toList();
    return new Impact(longest, List.copyOf(fewer.values()), tooMuch);
  }

  /** The worst of it, as the begin of a sentence; empty if nobody is hurt. */
  public String text() {
    if (!none.isEmpty()) {
      return count(none.size(), "Service has", "Services have") + " no right node";
    } else if (!fewer.isEmpty()) {
      return count(fewer.size(), "Service has", "Services have") + " fewer nodes than wanted";
    }
    return tooMuch.isEmpty() ? "" : surplus();
  }

  /** The end of the sentence: why, and what else there is. */
  public String rest() {
    return reason()
        .map(
            reason -> {
              String because = CauseText.of(reason.getKey()).because();
              return (reason.getValue() == worst().size()
                      ? ": %s.".formatted(because)
                      : ", %,d because %s.".formatted(reason.getValue(), because))
                  + others();
            })
        .orElse("");
  }

  private String others() {
    List<String> others = new ArrayList<>();
    if (!none.isEmpty() && !fewer.isEmpty()) {
      others.add(count(fewer.size(), "more has", "more have") + " fewer than wanted");
    }
    if (!tooMuch.isEmpty() && !(none.isEmpty() && fewer.isEmpty())) {
      others.add(surplus());
    }
    return others.isEmpty() ? "" : " " + String.join(", ", others) + ".";
  }

  private String surplus() {
    return count(tooMuch.size(), "pool only holds", "pools only hold") + " too much";
  }

  /** Which Services have no right node; empty if all have one. */
  String names() {
    List<String> names = none.stream().map(without -> without.service().toString()).toList();
    return names.isEmpty() ? "" : "Without a right node: " + CauseText.firstOf(names) + ".";
  }

  /** The causes of what the sentence begins with. */
  private List<Cause> worst() {
    return !none.isEmpty()
        ? none.stream().map(Without::cause).toList()
        : fewer.isEmpty() ? tooMuch : fewer;
  }

  /** The cause that the sentence names, and how often: first one that needs a person. */
  private Optional<Map.Entry<Cause, Long>> reason() {
    Map<Cause, Long> counts =
        worst().stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return counts.entrySet().stream()
        .min(
            Comparator.comparingInt(
                    (Map.Entry<Cause, Long> count) -> CauseLine.rank(count.getKey()))
                .thenComparing(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .thenComparing(count -> count.getKey().key()));
  }

  /** Whether the sentence names the cause. */
  boolean names(Cause cause) {
    return reason().filter(reason -> reason.getKey().equals(cause)).isPresent();
  }

  private static String count(int number, String singular, String plural) {
    return "%,d %s".formatted(number, number == 1 ? singular : plural);
  }
}
