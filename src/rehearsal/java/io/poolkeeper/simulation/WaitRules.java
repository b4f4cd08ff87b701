package io.poolkeeper.simulation;

import static io.poolkeeper.judge.WaitJudge.PROCESS;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.judge.Disturbance;
import io.poolkeeper.judge.Pools;
import io.poolkeeper.judge.WaitJudge;
import io.poolkeeper.lock.SharedLockEvent;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.ratelimit.RateLimiterLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rule that what is wrong is put right within a bound: gives the judge of one process what its
 * watches deliver, what goes over its wire, and what ARM and the Lease are in truth.
 */
final class WaitRules implements WaitJudge.Verdicts {
  /** After this time a half empty bucket is full again. */
  private static final Duration QUOTA = Duration.ofMinutes(5);

  private final SimProcess process;
  private final SimWorld sim;
  private final Expected expected;
  private final Pools pools;
  final WaitJudge judge;
  private final Deque<Instant> puts = new ArrayDeque<>();
  private final Deque<Instant> others = new ArrayDeque<>();

  private final Map<String, Instant> listedSince = new HashMap<>();
  private Instant checkAt = Instant.MAX;

  WaitRules(SimProcess process) {
    this.process = process;
    this.sim = process.sim;
    SimCluster store = process.watches.store;
    this.expected = new Expected(store, sim.arm, sim.options.nodes().minActive());
    this.pools = new Pools(sim.options.nodes().minActive());
    PoolLimits limits = sim.options.pools();
    this.judge =
        new WaitJudge(
            new WaitJudge.Limits(
                limits.interval(),
                limits.leadingEdge(),
                sim.options.rateLimiter().maxInFlight(),
                sim.options.sharing().lease()),
            pools,
            this);
    lasts(Disturbance.PROCESS, "begins", true);
    sim.arm.truth.shown().forEach((path, entries) -> pools.holds(path, downs(entries)));
    sim.time.onDisturbance(length -> lasts(Disturbance.PROCESS, length));
    // Not in a storm: 500 pools would take too much time.
    if (sim.options.failures().outage().isEmpty()) {
      sim.arm.truth.follow(this);
      store.watch((kind, name) -> delivered());
    }
  }

  private Instant now() {
    return sim.time.now();
  }

  @Override
  public void violated(String how) {
    if (process.alive() && !process.ending()) {
      sim.check(false, how);
    }
  }

  @Override
  public void right(Duration lasted, Duration ran, Set<Disturbance> kinds) {
    sim.figures = sim.figures.plus(Figures.of(lasted, ran, kinds));
  }

  /** The process is gone. */
  void end() {
    sim.arm.truth.unfollow(this);
  }

  /** A disturbance of the process lasts, or ends. */
  void lasts(Disturbance kind, Object key, boolean lasts) {
    judge.lasts(PROCESS, kind, key, lasts, now());
  }

  void lasts(Disturbance kind, Duration length) {
    Object key = new Object();
    lasts(kind, key, true);
    sim.time.after(length, () -> lasts(kind, key, false));
  }

  /** An event of the cloud provider arrives; its complaint lasts until after the next try. */
  void heard(SharedLockEvent event) {
    if (event instanceof SharedLockEvent.Complained) {
      lasts(Disturbance.COMPLAINED, Duration.ofMinutes(6));
    }
  }

  void met(Disturbance kind) {
    judge.met(PROCESS, kind, now());
  }

  /** A pool, by its path, has other entries than before. */
  void holds(String pool, Map<String, ArmTruth.Shown> entries, boolean byOthers) {
    if (byOthers) {
      judge.met(pool, Disturbance.OTHER_WRITER, now());
      pools.changed(pool, now());
      wants();
    }
    pools.holds(pool, downs(entries));
    check();
  }

  /** A pool is gone, or its rules are others. */
  void gone(String pool) {
    pools.gone(pool, now());
    wants();
    check();
  }

  /** A write was made that nobody waits for any more: only a read shows that. */
  void late(String pool) {
    pools.changed(pool, now());
    check();
  }

  private static Map<String, Boolean> downs(Map<String, ArmTruth.Shown> entries) {
    Map<String, Boolean> downs = new HashMap<>();
    entries.forEach((address, shown) -> downs.put(address, shown.down()));
    return downs;
  }

  /** An operation begins to run, or ends. */
  void operation(LoadBalancerId balancer, String operation, boolean runs) {
    judge.runs(balancer.path(), operation, runs, now());
  }

  /** A watch has delivered something. */
  private void delivered() {
    wants();
    pools.nodes(expected.leaving());
    check();
  }

  private void wants() {
    Map<String, Expected.Members> all = expected.expected();
    for (String pool : sim.arm.truth.shown().keySet()) {
      Expected.Members one = all.get(pool);
      pools.wants(pool, one == null ? null : one.exactly(), one != null && one.vague());
    }
  }

  /** A request is sent. */
  void sent(Exchange exchange) {
    RateLimiterLimits rateLimiter = sim.options.rateLimiter();
    boolean write = exchange.write();
    Deque<Instant> sent = write ? puts : others;
    sent.removeIf(at -> at.plus(QUOTA).isBefore(now()));
    sent.add(now());
    int burst = (write ? rateLimiter.writes() : rateLimiter.reads()).burst();
    if (2 * sent.size() > burst) {
      met(sent.size() > burst ? Disturbance.SPENT : Disturbance.BUDGET);
    }
    if (!exchange.asked && exchange.whose.isPresent()) {
      PoolId pool = exchange.whose.get();
      judge.runs(pool.loadBalancer().path(), exchange, true, now());
      sim.time.after(rateLimiter.permitDeadline(), () -> failed(exchange));
      exchange.attempt.ifPresent(any -> judge.calls(pool.path(), write, now()));
    }
    check();
  }

  /** No answer comes, or nobody waits for it any more. */
  void failed(Exchange exchange) {
    if (!exchange.answered()) {
      finished(exchange);
      exchange.whose.ifPresent(pool -> bad(pool, !exchange.kind().equals("get")));
    }
  }

  private void finished(Exchange exchange) {
    exchange.whose.ifPresent(
        pool -> judge.runs(pool.loadBalancer().path(), exchange, false, now()));
  }

  private void bad(PoolId pool, boolean unknown) {
    String scope = unknown ? pool.loadBalancer().path() : pool.path();
    judge.met(scope, unknown ? Disturbance.UNKNOWN_END : Disturbance.REFUSED, now());
    met(Disturbance.BUDGET);
  }

  void arrived(Exchange exchange, Wire.Answer answer, Optional<JsonNode> json) {
    finished(exchange);
    int status = answer.status();
    if (status == 429) {
      Duration most = sim.options.maxRetryAfter();
      String header = answer.headers().getOrDefault("Retry-After", "");
      Duration asked = GateLedger.asked(header, sim.faults.wall());
      Duration least = asked.isPositive() ? asked : sim.options.pools().interval();
      lasts(Disturbance.THROTTLED, least.compareTo(most) < 0 ? least : most);
    } else if (status == 404) {
      exchange.call.path().pool().ifPresent(pool -> pools.gone(pool.path(), now()));
    }
    if (status / 100 == 2 && json.isPresent()) {
      shown(exchange, json.get(), answer);
    } else {
      boolean write = exchange.write() && (exchange.mayBeRepeated() || status == 200);
      boolean unknown = write || exchange.kind().equals("poll");
      exchange.whose.ifPresent(pool -> bad(pool, unknown));
    }
    check();
  }

  private void shown(Exchange exchange, JsonNode body, Wire.Answer answer) {
    switch (exchange.kind()) {
      case "list" -> {
        String group = exchange.call.path().resourceGroup().orElseThrow().path();
        if (exchange.call.skipToken().isEmpty()) {
          listedSince.put(group, exchange.sentAt);
        }
        // It shows nothing before its last page.
        if (!body.has("nextLink")) {
          pools.listed(group, listedSince.getOrDefault(group, exchange.sentAt));
        }
      }
      case "put" -> {
        Attempt attempt = exchange.attempt.orElseThrow();
        judge.accepted(attempt.pool.path(), Duration.between(attempt.readAt, exchange.sentAt));
        boolean follows = answer.headers().containsKey("Azure-AsyncOperation");
        written(attempt.pool, follows ? "" : "Succeeded");
      }
      case "poll" -> exchange.whose.ifPresent(pool -> written(pool, body.path("status").asText()));
      default -> {
        PoolId pool = exchange.whose.orElseThrow();
        if (Attempt.updating(body)) {
          judge.met(pool.loadBalancer().path(), Disturbance.OTHER_WRITER, now());
        }
        // The rate limiter asks only whether a write has ended; no pool hears of the rest.
        if (exchange.asked || exchange.attempt.isPresent()) {
          pools.shown(pool.path(), exchange.sentAt);
        }
      }
    }
  }

  private void written(PoolId pool, String status) {
    judge.calls(pool.path(), true, now());
    if (Set.of("Succeeded", "Failed", "Canceled").contains(status)) {
      Optional<Attempt> attempt = process.ledger.attempts.at(pool);
      attempt.ifPresent(one -> pools.written(pool.path(), one.readAt, now()));
    }
    if (status.equals("Failed") || status.equals("Canceled")) {
      judge.met(pool.loadBalancer().path(), Disturbance.FAILED, now());
    }
  }

  /** What is wrong and must be shown by now. */
  List<String> evident() {
    return judge.evident(now());
  }

  /** Once a second, and whenever something may wait for too long. */
  void check() {
    lasts(Disturbance.PROCESS, "begins", !process.ledger.knowsAll());
    Instant next = judge.check(now());
    if (!next.equals(checkAt)) {
      checkAt = next;
      sim.time.at(next, this::check);
    }
  }
}
