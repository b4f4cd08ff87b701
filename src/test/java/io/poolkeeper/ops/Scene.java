package io.poolkeeper.ops;

import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.SHUTDOWN;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.synced;

import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lab.Words;
import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Pause;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RequestIds;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.Brake;
import io.poolkeeper.pool.PoolDriver;
import io.poolkeeper.pool.PoolFixtures;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.pool.WouldWrite;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.OptedOut;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.shadow.ShadowComparison;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.Recent;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A snapshot in which all that an answer may have is there, and what surrounds it. */
final class Scene {
  static final Instant T0 = RateLimiterDriver.T0;
  static final Instant NOW = T0.plusNanos(100_250_123_456L);
  static final Installation SELF =
      new Installation(
          "prod",
          false,
          "pk-1",
          "ns",
          true,
          "lease",
          8558,
          T0,
          "1.2",
          "c0ffee",
          Optional.of("https://git.a/runbook"));
  static final Optional<LeaderView> LEADER = Optional.of(new LeaderView("pk-1_uid", T0));
  static final SequencedMap<String, String> PROBLEMS = new LinkedHashMap<>();

  static {
    PROBLEMS.put("nodes", "watch of nodes is lost: Forbidden");
    PROBLEMS.put("endpoint-slices", "watch of endpoint-slices is lost: Gone");
  }

  /** As {@link NodeDriver} names pools. */
  private static final LoadBalancerId LB = new LoadBalancerId("s", "rg", "lb");

  private static final String WORDS = String.join(" ", Words.SHORT);

  private static final ArmFailure FORBIDDEN =
      new ArmFailure(
              ArmFailure.Kind.RESPONSE,
              403,
              "AuthorizationFailed",
              "The client 'app-1' with object id 'oid-1' does not have authorization to perform"
                  + " action 'Microsoft.Network/loadBalancers/backendAddressPools/write' over scope"
                  + " '"
                  + LB.path()
                  + "/backendAddressPools/a' or the scope is invalid. "
                  + WORDS)
          .with(new RequestIds("correlation-1", "request-1", "client-1"));

  private static final Map<PoolId, OptedOut> OUT_OF_SCOPE =
      Map.of(
          new LoadBalancerId("sub", "rg", "gateway").pool("blue"),
          new OptedOut(
              List.of(new ServiceKey("shop", "web"), new ServiceKey("shop", "api")),
              "it is said so"));

  private Scene() {}

  static Moment moment(Snapshot snapshot, Instant now) {
    return new Moment(snapshot, SELF, LEADER, PROBLEMS, now);
  }

  private static final ArmFailure OOPS =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 500, "Internal", "oops");

  /** All that may be wrong is so at once. */
  static Snapshot busy() {
    return snapshot(
        new Knowledge(
            Set.of(CacheKind.SERVICES, CacheKind.NODES, CacheKind.ENDPOINT_SLICES),
            Set.of(CacheKind.ENDPOINT_SLICES),
            true,
            true,
            false,
            OUT_OF_SCOPE,
            Optional.of(OOPS),
            new TreeMap<>(Map.of("rg", OOPS)),
            Map.of(),
            Map.of()),
        rateLimiter().busy());
  }

  /** Only a right is missing, and the API server does not answer. */
  static Snapshot refused() {
    return snapshot(
        new Knowledge(
            Set.of(CacheKind.values()), Set.of(), true, true, OUT_OF_SCOPE, Optional.empty()),
        rateLimiter().stands(new LeaseStanding.Unreachable("no route", T0, Optional.empty())));
  }

  /** A Service has had no right node for a while. */
  static Snapshot hurt() {
    return Statuses.without(
        new Knowledge(Set.of(CacheKind.values()), Set.of(), true, true, Map.of(), Optional.empty()),
        Map.of(
            Statuses.differing("lb-1", State.PARKED, Optional.of(T0), 1, 0),
            Map.of(new ServiceKey("shop", "web"), T0)));
  }

  /** Nothing is known yet. */
  static Snapshot empty() {
    return new Snapshot(
        List.of(),
        new Knowledge(Set.of(), Set.of(), false, false, Map.of(), Optional.empty()),
        List.of(),
        Optional.empty(),
        NodesView.UNKNOWN,
        BindingsView.NONE,
        PauseView.NONE,
        Optional.empty(),
        Recent.View.NONE,
        CallsLeft.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        0);
  }

  /** One pool is refused, one waits, one is written, one would be, one is not managed. */
  private static Snapshot snapshot(Knowledge knowledge, RateLimiterDriver rateLimiter) {
    Recent recent = new Recent(T0);
    List<PoolStatus> pools = pools(recent);
    recent.reached(Duration.ofMillis(1_234), T0.plusSeconds(70));
    recent.rateLimiter(rateLimiter.view(), T0.plusSeconds(60));
    PoolStatus would =
        PoolDriver.settled(PoolFixtures.limits(Brake.OFF, true), "n4 n5 n6/Down n10")
            .after(30)
            .web("n5 n6 n12")
            .leave("n5")
            .writing("n4 n5 n6/Down n10")
            .status(RateLimiterDriver.pool("lb-8"));
    pools.add(would);
    Snapshot bound =
        Statuses.withBinding(
            rateLimiter,
            Optional.of(T0),
            new Check("freeze", Check.State.RETRY, Optional.of(T0), Words.HAN, Optional.of(60), 0));
    return new Snapshot(
        pools,
        knowledge,
        Snapshot.optedOut(knowledge),
        Optional.of(rateLimiter.view()),
        nodes(),
        bound.bindings(),
        new PauseView(
            Optional.of(new Pause(T0.plusSeconds(900), T0.plusSeconds(900), WORDS, true)),
            Optional.empty()),
        Optional.of(
            ShadowComparison.begin(T0)
                .shown(
                    Statuses.shadowed(
                        "lb-9", would.activity().wouldWrite(), would.members().inPool()),
                    T0)
                .shown(
                    Statuses.shadowed("lb-9", WouldWrite.NOTHING, would.members().desired()),
                    T0.plusSeconds(15))
                .shown(would, T0.plusSeconds(45))),
        recent.view(NOW),
        new CallsLeft(Optional.of(11_999L), Optional.of(1_199L)),
        Optional.of(T0.plusSeconds(1)),
        Optional.of(T0.plusSeconds(2)),
        1);
  }

  private static List<PoolStatus> pools(Recent recent) {
    PoolId a = LB.pool("a");
    PoolDriver refused = PoolDriver.settled("n4 n5").after(10);
    Optional<PoolStatus> seen = show(recent, refused, a, Optional.empty());
    seen = show(recent, refused.web("n5 n6"), a, seen);
    seen = show(recent, refused.timer(), a, seen);
    seen = show(recent, refused.granted().read("n4 n5"), a, seen);
    seen = show(recent, refused.after(2.5).written(), a, seen);
    seen = show(recent, refused.after(10).shows("n5 n6 n8 x=9/Down"), a, seen);
    seen = show(recent, refused.after(1).web("n5 n6 n7").leave("n5"), a, seen);
    seen = show(recent, refused.timer(), a, seen);
    seen = show(recent, refused.granted(), a, seen);
    seen = show(recent, refused.failed(FORBIDDEN).after(1), a, seen);
    PoolId b = LB.pool("b");
    PoolDriver written = PoolDriver.settled("n4 n5/Down").after(20).web("n4 n5 n6");
    Optional<PoolStatus> before = show(recent, written, b, Optional.empty());
    before = show(recent, written.leave("n4").writing("n4 n5/Down"), b, before);
    PoolId c = RateLimiterDriver.balancer("lb-1").pool("q");
    PoolDriver waits = PoolDriver.settled("n4").after(30).web("n5").timer();
    Optional<PoolStatus> waiting = show(recent, waits, c, Optional.empty());
    return Stream.of(seen, before, waiting)
        .flatMap(Optional::stream)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static Optional<PoolStatus> show(
      Recent recent, PoolDriver pool, PoolId id, Optional<PoolStatus> before) {
    PoolStatus status = pool.status(id);
    recent.changed(before, status, Optional.empty(), pool.now());
    return Optional.of(status);
  }

  private static RateLimiterDriver rateLimiter() {
    RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.SHIPPED);
    rateLimiter.after(Duration.ofMillis(40_125));
    rateLimiter
        .request(RateLimiterDriver.pool("lb-3"), PriorityLevel.RETRY)
        .giveBack(RateLimiterDriver.pool("lb-3"), PermitResult.UNRESOLVED);
    rateLimiter.request(RateLimiterDriver.pool("lb-1"), PriorityLevel.UPDATE).sent(true);
    rateLimiter.request(LB.pool("b"), PriorityLevel.DRAIN).sent(true);
    rateLimiter.throttle("lb-2", Duration.ofMillis(90_500));
    rateLimiter.throttle(true, Duration.ofSeconds(80)).throttle(false, Duration.ofSeconds(70));
    rateLimiter.drain(RateLimiterDriver.balancer("lb-1").pool("q"), 1, 3);
    rateLimiter.request(RateLimiterDriver.pool("lb-4"), PriorityLevel.REPAIR, "shop");
    return rateLimiter.requestListing().needLease();
  }

  private static NodesView nodes() {
    return synced(node("n4"), node("n5"))
        .appeared("a", "b")
        .send(new NodeEvent.Listed(1, Map.of(), Set.of()))
        .reported("a", 1)
        .reported("b", 1)
        .change(node("n4", SHUTDOWN, OUT))
        .snapshot()
        .failed("a", 1, new ArmFailure(ArmFailure.Kind.RESPONSE, 409, "Conflict", "busy"), "n4")
        .holding("b", 1, "n4")
        .view();
  }
}
