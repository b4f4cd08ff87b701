package io.poolkeeper.judge;

import io.poolkeeper.judge.Call.Answer;
import io.poolkeeper.judge.Call.Kind;
import io.poolkeeper.judge.Call.Shows;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A judge and one pool, seconds from the start. The pool holds {@code a}, which was shown, and
 * nobody has written it yet: the spacing in force is 2 s, so the bound of members is 7 s.
 */
final class Scene {
  static final LoadBalancerId BALANCER = new LoadBalancerId("sub", "rg", "lb");
  static final PoolId POOL = BALANCER.pool("pool");
  static final PoolId NEIGHBOUR = BALANCER.pool("neighbour");
  static final PoolId ELSEWHERE = new LoadBalancerId("sub", "rg", "other").pool("pool");
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
  private static final Documented.Bucket FULL = new Documented.Bucket(1.5, 150, 150);

  static final Documented SHIPPED = new Terms().documented();

  /** The shipped settings, but for what a test sets. */
  static final class Terms {
    double verifyAfter = 35;
    Documented.Bucket writes = FULL;
    Documented.Bucket reserve = FULL;
    Documented.Bucket reads = new Documented.Bucket(15, 200, 200);
    Documented.Bucket early = new Documented.Bucket(0.5, 75, 50);
    Duration leaseTail = seconds(0);
    Documented.Budget budget = new Documented.Budget(20, seconds(10), 0.5, 1, false);
    int maxInFlight = 16;
    int minActive;
    Optional<Duration> unreachableAfter = Optional.empty();

    Documented documented() {
      return new Documented(
          seconds(30),
          seconds(2),
          true,
          seconds(verifyAfter),
          seconds(600),
          3,
          writes,
          reserve,
          reads,
          early,
          0.2,
          budget,
          maxInFlight,
          seconds(60),
          seconds(300),
          seconds(900),
          seconds(1),
          seconds(60),
          minActive,
          Optional.of(seconds(10)),
          unreachableAfter,
          seconds(5),
          leaseTail);
    }

    Scene scene() {
      return new Scene(documented());
    }
  }

  final WaitJudge judge;
  private final List<Violation> violations = new ArrayList<>();
  private long numbers;

  Scene() {
    this(SHIPPED);
  }

  Scene(Documented documented) {
    judge = new WaitJudge(documented, Duration.ZERO, START);
    holds(0, "a");
    shown(0, "a");
    wants(0, "a");
    judge.nodes(Map.of("a", false, "b", false, "c", false), at(0));
  }

  static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }

  static Instant at(double seconds) {
    return START.plus(seconds(seconds));
  }

  static Map<String, Boolean> entries(String... addresses) {
    Map<String, Boolean> all = new HashMap<>();
    for (String address : addresses) {
      all.put(address.replace("!", ""), address.endsWith("!"));
    }
    return all;
  }

  /** In truth; an address with a ! is Down. */
  void holds(double seconds, String... addresses) {
    judge.holds(POOL, Optional.of(entries(addresses)), false, at(seconds));
  }

  /** Another writer has written it. */
  void damaged(double seconds, String... addresses) {
    judge.holds(POOL, Optional.of(entries(addresses)), true, at(seconds));
  }

  /** A listing has. */
  void shown(double seconds, String... addresses) {
    judge.listed(POOL, entries(addresses), at(seconds), at(seconds));
  }

  void wants(double seconds, String... addresses) {
    judge.wants(POOL, Optional.of(Set.of(addresses)), false, at(seconds));
  }

  void leaves(double seconds, String... addresses) {
    Map<String, Boolean> all = new HashMap<>(Map.of("a", false, "b", false, "c", false));
    for (String address : addresses) {
      all.put(address, true);
    }
    judge.nodes(all, at(seconds));
  }

  Call get(double seconds) {
    return call(seconds, Kind.GET, POOL);
  }

  Call put(double seconds, String... body) {
    Call call = new Call(++numbers, Kind.PUT, Optional.of(POOL), true, false, entries(body));
    judge.sent(call, at(seconds));
    return call;
  }

  Call call(double seconds, Kind kind, PoolId pool) {
    Optional<PoolId> whose = kind == Kind.LIST ? Optional.empty() : Optional.of(pool);
    Call call = new Call(++numbers, kind, whose, false, false, Map.of());
    judge.sent(call, at(seconds));
    return call;
  }

  void answered(double seconds, Call call, int status) {
    answered(seconds, call, status, Shows.ENDED);
  }

  void answered(double seconds, Call call, int status, Shows shows) {
    judge.answered(call, new Answer(status, Optional.empty(), false, shows), at(seconds));
  }

  void refused(double seconds, Call call, double retryAfter, boolean lock) {
    Answer answer = new Answer(429, Optional.of(seconds(retryAfter)), lock, Shows.ENDED);
    judge.answered(call, answer, at(seconds));
  }

  /** An attempt that writes, within a hundredth of a second. */
  void writes(double seconds, String... body) {
    answered(seconds, get(seconds), 200);
    Call put = put(seconds, body);
    holds(seconds, body);
    answered(seconds + 0.01, put, 200);
  }

  /** All violations until then, found when the judge wants to be asked. */
  List<Violation> until(double seconds) {
    while (judge.next().filter(next -> !next.isAfter(at(seconds))).isPresent()) {
      violations.addAll(judge.violations(judge.next().orElseThrow()));
    }
    violations.addAll(judge.violations(at(seconds)));
    return violations;
  }
}
