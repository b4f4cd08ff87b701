package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.judge.PoolWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the writes of admin states with the signals: after each one, until the next, every pool
 * that it concerns is written once, and no other.
 */
public record Drained(List<Signal> signals, List<PoolWrite> writes) {
  /** Keeps the writes of admin states only; both are in order of time. */
  public Drained {
    signals = List.copyOf(signals);
    writes = writes.stream().filter(write -> !write.states().isEmpty()).toList();
  }

  /** Pools that were written too often, not at all or without a reason, a line each. */
  public List<String> wrong() {
    List<String> wrong = new ArrayList<>();
    after("the start", between(Long.MIN_VALUE, from(0)), Map.of(), wrong);
    for (int i = 0; i < signals.size(); i++) {
      Signal signal = signals.get(i);
      after(signal.what(), between(from(i), from(i + 1)), signal.pools(), wrong);
    }
    return wrong;
  }

  private static void after(
      String what, List<PoolWrite> writes, Map<String, Integer> allowed, List<String> wrong) {
    Map<String, Integer> seen = new TreeMap<>();
    writes.forEach(write -> seen.merge(pool(write), 1, Integer::sum));
    seen.forEach(
        (pool, times) -> {
          int most = allowed.getOrDefault(pool, 0);
          if (times > most) {
            wrong.add("%s: %d writes of %s, at most %d".formatted(what, times, pool, most));
          }
        });
    allowed.keySet().stream()
        .filter(pool -> !seen.containsKey(pool))
        .forEach(pool -> wrong.add("%s: no write of %s".formatted(what, pool)));
  }

  /**
   * Pools that showed some of the signals too late, a line each.
   *
   * @param writing of other writes at the pool's own load balancer, which does not count
   */
  public List<String> late(List<Signal> some, Duration limit, ArmTime writing) {
    List<String> late = new ArrayList<>();
    for (int i = 0; i < signals.size(); i++) {
      Signal signal = signals.get(i);
      long from = from(i);
      List<PoolWrite> after = between(from, from(i + 1));
      Set<String> pools = some.contains(signal) ? signal.pools().keySet() : Set.of();
      for (String pool : new TreeSet<>(pools)) {
        long took =
            after.stream()
                .filter(write -> pool(write).equalsIgnoreCase(pool))
                .findFirst()
                .map(write -> took(write, from, writing))
                .orElse(Long.MAX_VALUE);
        if (took > limit.toNanos()) {
          String how = took == Long.MAX_VALUE ? "no time at all" : took / 1_000_000 + " ms";
          late.add("%s: %s after %s".formatted(signal.what(), pool, how));
        }
      }
    }
    return late;
  }

  private static long took(PoolWrite write, long from, ArmTime writing) {
    String loadBalancer = write.pool().loadBalancer().name();
    return write.acceptedNanos() - from - writing.nanos(loadBalancer, from, write.sentNanos());
  }

  /** Writes that set a state to Up, which only operators do. */
  public List<String> up() {
    return writes.stream()
        .filter(write -> write.states().containsValue("Up"))
        .map(Drained::pool)
        .toList();
  }

  /** Milliseconds from each signal of the cluster to the first write, or to the last one. */
  public List<Long> millis(boolean first) {
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < signals.size(); i++) {
      List<PoolWrite> after = between(from(i), from(i + 1));
      if (signals.get(i).timed() && !after.isEmpty()) {
        PoolWrite write = first ? after.getFirst() : after.getLast();
        millis.add((write.acceptedNanos() - from(i)) / 1_000_000);
      }
    }
    return millis;
  }

  private long from(int signal) {
    return signal < signals.size() ? signals.get(signal).atNanos() : Long.MAX_VALUE;
  }

  private List<PoolWrite> between(long from, long until) {
    return writes.stream()
        .filter(write -> write.acceptedNanos() >= from && write.acceptedNanos() < until)
        .toList();
  }

  private static String pool(PoolWrite write) {
    return (write.pool().loadBalancer().name() + "/" + write.pool().name())
        .toLowerCase(Locale.ROOT);
  }
}
