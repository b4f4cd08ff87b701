package io.poolkeeper.judge;

import io.poolkeeper.judge.Pools.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The bound for waiting: what is wrong and was shown is put right within a base and the longest
 * documented wait of each kind of disturbance in effect. The time does not count in which a call of
 * ours or anybody's operation runs at the load balancer. A scope is the path of a pool or of a load
 * balancer, or {@link #PROCESS}. Facts come in the order of their times, {@link #check} after each
 * of them and at the time that it answers.
 */
public final class WaitJudge {
  public static final String PROCESS = "";
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration STATES = SECOND.multipliedBy(3);
  private static final Duration MEMBERS = SECOND.multipliedBy(5);

  /** What our own permits cause, without any fault. */
  private static final Set<Disturbance> OURS =
      EnumSet.of(Disturbance.LEASE_KEPT, Disturbance.IN_FLIGHT, Disturbance.SPENT);

  /** What keeps the program from knowing what is wrong. */
  private static final Set<Disturbance> BLINDING =
      EnumSet.of(Disturbance.WATCH_LOST, Disturbance.PROCESS);

  /** How much longer than the base what is wrong may be shown as right. */
  private static final Duration SHOWN = SECOND.multipliedBy(10);

  /** The most permits in a row that read and do not write. */
  private static final int PERMITS = 5;

  /** After so many writes by others a fight may have begun. */
  private static final int FIGHT = 3;

  private final Limits limits;
  private final Pools pools;
  private final Verdicts verdicts;
  private final Map<String, Map<Disturbance, Effect>> effects = new HashMap<>();
  private final Map<String, Map<Object, Instant>> running = new HashMap<>();
  private final Map<Subject, Clock> clocks = new HashMap<>();
  private final Map<String, Instant> writes = new HashMap<>();
  private final Map<String, Integer> damages = new HashMap<>();
  private Instant read = Instant.MIN;
  private boolean quiet;

  /**
   * What the settings allow.
   *
   * @param interval of a pool's writes
   * @param leadingEdge whether the first change after a quiet interval does not wait for it
   * @param maxInFlight the most permits at once
   * @param lease whether permits need the shared Lease
   */
  public record Limits(Duration interval, boolean leadingEdge, int maxInFlight, boolean lease) {}

  public interface Verdicts {
    /** Something has waited for too long; heard once or more. */
    void violated(String how);

    /** Something that was wrong for so long is right; the clock showed that, for these kinds. */
    void right(Duration lasted, Duration ran, Set<Disturbance> kinds);
  }

  /** A disturbance of one kind in one scope: what of it lasts, and when it has ended last. */
  private static final class Effect {
    final Set<Object> lasting = new HashSet<>();
    Instant ended = Instant.MIN;
  }

  private final class Clock {
    final Subject subject;
    final Instant since;
    final List<String> scopes;
    Instant from;
    Instant next;
    Duration ran = Duration.ZERO;

    /** The same since the program could last know of it: no other disturbance begins it anew. */
    Duration known = Duration.ZERO;

    /** The additional time for accepted writes. */
    Duration allowed = Duration.ZERO;

    int reads;

    Clock(Subject subject, Instant now) {
      this.subject = subject;
      this.since = now;
      this.from = now;
      this.next = now.plus(STATES);
      this.scopes = List.of(PROCESS, balancer(subject.pool()), subject.pool());
    }

    void startAnew(Instant now) {
      from = now;
      ran = Duration.ZERO;
      allowed = Duration.ZERO;
      reads = 0;
    }

    /** The kinds in effect since the clock began; or those that stop it now. */
    Set<Disturbance> kinds(boolean stopping) {
      Set<Disturbance> kinds = EnumSet.noneOf(Disturbance.class);
      for (String scope : scopes) {
        effects
            .getOrDefault(scope, Map.of())
            .forEach(
                (kind, effect) -> {
                  boolean lasts = !effect.lasting.isEmpty();
                  Duration wait = kind.wait(subject.members());
                  boolean recent = !effect.ended.plus(wait).isBefore(since);
                  boolean counts = !wait.isZero() && (lasts || recent);
                  if (stopping ? lasts && kind.stops(subject.members()) : counts) {
                    kinds.add(kind);
                  }
                });
      }
      return kinds;
    }

    Duration bound() {
      Instant wrote = writes.getOrDefault(subject.pool(), Instant.MIN);
      Duration interval = limits.interval();
      boolean soon = !limits.leadingEdge() || wrote.plus(interval).isAfter(from);
      Duration base = MEMBERS.plus(soon ? interval : Duration.ZERO);
      return kinds(false).stream()
          .map(kind -> kind.wait(subject.members()))
          .reduce((subject.members() ? base : STATES).plus(allowed), Duration::plus);
    }

    /** Whether the program has known of it for so long that it must not say that all is well. */
    boolean evident() {
      return known.compareTo((subject.members() ? MEMBERS : STATES).plus(SHOWN)) > 0
          && Collections.disjoint(kinds(true), BLINDING);
    }

    /** Finds a violation, or when to look again. */
    void judge(Instant now) {
      Duration left = bound().minus(ran);
      if (left.isNegative() && kinds(true).isEmpty()) {
        verdicts.violated(
            "%s since %s; counted from %s its clock ran for %s, allowed are %s: %s"
                .formatted(subject, since, from, ran, bound(), kinds(false)));
      }
      next = now.plus(left.compareTo(SECOND) < 0 ? SECOND : left);
    }
  }

  /** Begins when the process does. */
  public WaitJudge(Limits limits, Pools pools, Verdicts verdicts) {
    this.limits = limits;
    this.pools = pools;
    this.verdicts = verdicts;
  }

  /** From now on there are no faults: only the base, and what our own permits cause. */
  public void quiet() {
    quiet = true;
    effects.clear();
  }

  public void lasts(String scope, Disturbance kind, Object key, boolean lasts, Instant now) {
    if (lasts && (!quiet || OURS.contains(kind))) {
      effect(scope, kind).lasting.add(key);
    } else if (effect(scope, kind).lasting.remove(key)) {
      met(scope, kind, now);
    }
  }

  /** A disturbance begins and ends at once. */
  public void met(String scope, Disturbance kind, Instant now) {
    damages.merge(scope, kind == Disturbance.OTHER_WRITER ? 1 : 0, Integer::sum);
    if (!quiet || OURS.contains(kind)) {
      read(now);
      effect(scope, kind).ended = now;
      of(scope).stream()
          .filter(clock -> kind.stops(clock.subject.members()))
          .forEach(clock -> clock.startAnew(now));
      of(scope).stream()
          .filter(clock -> BLINDING.contains(kind))
          .forEach(clock -> clock.known = Duration.ZERO);
    }
  }

  private static String balancer(String pool) {
    return pool.substring(0, pool.indexOf("/backendAddressPools/"));
  }

  private Effect effect(String scope, Disturbance kind) {
    return effects
        .computeIfAbsent(scope, any -> new EnumMap<>(Disturbance.class))
        .computeIfAbsent(kind, any -> new Effect());
  }

  /** The clocks run on, where nothing else does. */
  private void read(Instant now) {
    for (Clock clock : clocks.values()) {
      if (running.getOrDefault(clock.scopes.get(1), Map.of()).isEmpty()) {
        clock.ran = clock.ran.plus(Duration.between(read, now));
        clock.known = clock.known.plus(Duration.between(read, now));
      }
    }
    read = now;
  }

  /** A call of ours or anybody's operation begins to run there, or ends. */
  public void runs(String id, Object key, boolean runs, Instant now) {
    read(now);
    Map<Object, Instant> keys = running.computeIfAbsent(id, any -> new HashMap<>());
    Instant since = runs ? keys.put(key, now) : keys.remove(key);
    kept(Stream.ofNullable(since), now);
    long busy = running.values().stream().filter(one -> !one.isEmpty()).count();
    lasts(PROCESS, Disturbance.IN_FLIGHT, "", busy >= limits.maxInFlight(), now);
  }

  /** What has run for longer than a moment keeps the Lease. */
  private void kept(Stream<Instant> since, Instant now) {
    if (limits.lease() && since.anyMatch(one -> one.plus(SECOND).isBefore(now))) {
      met(PROCESS, Disturbance.LEASE_KEPT, now);
    }
  }

  /** A permit of the pool begins with its GET, or its write is sent or followed. */
  public void calls(String pool, boolean write, Instant now) {
    if (write) {
      writes.put(pool, now);
    }
    for (Clock clock : of(pool)) {
      clock.reads = write ? 0 : clock.reads + 1;
      if (clock.reads > PERMITS && clock.kinds(true).isEmpty()) {
        verdicts.violated(clock.subject + ": " + PERMITS + " permits have read, and none wrote");
      }
    }
  }

  private List<Clock> of(String scope) {
    return clocks.values().stream().filter(clock -> clock.scopes.contains(scope)).toList();
  }

  /** A PUT of the pool was accepted; its GET took that long. */
  public void accepted(String pool, Duration get) {
    for (Clock clock : of(balancer(pool))) {
      clock.allowed = clock.allowed.plus(SECOND).plus(get);
    }
  }

  /** What is wrong and must be shown by now, be it mended late or never. */
  public List<String> evident(Instant now) {
    read(now);
    return clocks.values().stream()
        .filter(Clock::evident)
        .map(one -> "%s since %s, known for %s".formatted(one.subject, one.since, one.known))
        .sorted()
        .toList();
  }

  /** Finds what has waited for too long; the time of the next look at it. */
  public Instant check(Instant now) {
    kept(running.values().stream().flatMap(keys -> keys.values().stream()), now);
    read(now);
    pools.changed().forEach(pool -> look(pool, pools.wrong(pool), now));
    clocks.values().stream().filter(one -> !now.isBefore(one.next)).forEach(one -> one.judge(now));
    return clocks.values().stream()
        .map(one -> one.next)
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  private void look(String pool, Set<Subject> wrong, Instant now) {
    for (Clock clock : of(pool)) {
      if (!wrong.contains(clock.subject)) {
        clock.judge(now);
        clocks.remove(clock.subject);
        verdicts.right(Duration.between(clock.since, now), clock.ran, clock.kinds(false));
      }
    }
    boolean fought = quiet && damages.getOrDefault(pool, 0) >= FIGHT;
    if (!fought) {
      wrong.forEach(one -> clocks.computeIfAbsent(one, any -> new Clock(one, now)));
    }
  }
}
