package io.poolkeeper.ops;

import io.poolkeeper.admission.AdmissionChecks;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.AdmissionSubject;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingTarget;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.BindingsCore;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.admission.BindingsState;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.admission.Resolution;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.Activity;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolDriver;
import io.poolkeeper.pool.PoolPicture;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.Membership;
import io.poolkeeper.pool.PoolStatus.PastAttempts;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.pool.WouldWrite;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.PoolLog;
import io.poolkeeper.status.Recent;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Statuses of pools and the rate limiter for tests. */
public final class Statuses {
  private Statuses() {}

  /** The status of pool {@code p} of a load balancer, otherwise empty. */
  static PoolStatus of(String balancer, State state, Optional<Instant> pendingSince) {
    return of(balancer, activity(state, pendingSince, WouldWrite.NOTHING), Optional.empty());
  }

  /** The status of a pool whose last attempt failed. */
  static PoolStatus failing(String balancer, ArmFailure failure) {
    Activity activity = activity(State.FAILED, Optional.empty(), WouldWrite.NOTHING);
    return of(balancer, activity, Optional.of(failure));
  }

  /** The status of a pool that holds these, and of which shadow mode has decided on an edit. */
  public static PoolStatus shadowed(String balancer, WouldWrite wouldWrite, Set<Address> inPool) {
    PoolId pool = RateLimiterDriver.pool(balancer);
    return new PoolStatus(
        pool,
        Map.of(),
        activity(State.IDLE, Optional.empty(), wouldWrite),
        new Membership(Set.of(), inPool, Set.of(), Set.of(), false, Difference.NONE),
        attempts(Optional.empty()),
        PoolDriver.settled("n1").status(pool).picture());
  }

  /** The status of a pool that is not as desired. */
  static PoolStatus differing(
      String balancer, State state, Optional<Instant> pendingSince, int missing, int surplus) {
    PoolStatus of = of(balancer, state, pendingSince);
    Difference difference =
        new Difference(missing, surplus, 0, 0, Set.of(), true, false, Optional.empty());
    return new PoolStatus(
        of.id(),
        of.services(),
        of.activity(),
        new Membership(Set.of(), Set.of(), Set.of(), Set.of(), false, difference),
        of.attempts(),
        of.picture());
  }

  private static PoolStatus of(String balancer, Activity activity, Optional<ArmFailure> lastError) {
    return new PoolStatus(
        RateLimiterDriver.pool(balancer),
        Map.of(),
        activity,
        new Membership(Set.of(), Set.of(), Set.of(), Set.of(), false, Difference.NONE),
        attempts(lastError),
        PoolPicture.UNKNOWN);
  }

  private static Activity activity(
      State state, Optional<Instant> pendingSince, WouldWrite wouldWrite) {
    return new Activity(
        state, "as its state says", Optional.empty(), List.of(), pendingSince, wouldWrite);
  }

  private static PastAttempts attempts(Optional<ArmFailure> lastError) {
    return new PastAttempts(Optional.empty(), lastError, 0, 0, Optional.empty());
  }

  /** In write mode, and not paused. */
  public static Snapshot snapshot(
      List<PoolStatus> pools,
      Knowledge knowledge,
      Optional<RateLimiterView> rateLimiter,
      NodesView nodes,
      BindingsView bindings) {
    return new Snapshot(
        pools,
        knowledge,
        Snapshot.optedOut(knowledge),
        rateLimiter,
        nodes,
        bindings,
        PauseView.NONE,
        Optional.empty(),
        Recent.View.NONE,
        CallsLeft.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        0);
  }

  /** Of pools whose Services have had no right node since then. */
  static Snapshot without(Knowledge knowledge, Map<PoolStatus, Map<ServiceKey, Instant>> pools) {
    Map<PoolId, PoolLog> logs = new HashMap<>();
    pools.forEach(
        (pool, since) ->
            logs.put(pool.id(), new PoolLog(List.of(), Optional.empty(), Optional.empty(), since)));
    return new Snapshot(
        List.copyOf(pools.keySet()),
        knowledge,
        Snapshot.optedOut(knowledge),
        Optional.empty(),
        NodesView.UNKNOWN,
        BindingsView.NONE,
        PauseView.NONE,
        Optional.empty(),
        new Recent.View(logs, Map.of(), List.of(), List.of(), Instant.EPOCH, 0),
        CallsLeft.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        0);
  }

  /** A snapshot without pools. */
  static Snapshot snapshot(RateLimiterDriver rateLimiter, PoolStatus... pools) {
    return snapshot(
        List.of(pools),
        new Knowledge(Set.of(), Set.of(), true, true, Map.of(), Optional.empty()),
        Optional.of(rateLimiter.view()),
        NodesView.UNKNOWN,
        BindingsView.NONE);
  }

  /** The same with a binding whose check has said Retry, and which is held by it. */
  static Snapshot withBinding(RateLimiterDriver rateLimiter) {
    return withBinding(
        rateLimiter,
        new Check(
            "freeze", Check.State.RETRY, Optional.of(rateLimiter.now()), "", Optional.of(60), 0));
  }

  /** The same with a binding that asks the check {@code freeze} and has these answers. */
  static Snapshot withBinding(RateLimiterDriver rateLimiter, Check... answers) {
    return withBinding(rateLimiter, Optional.empty(), answers);
  }

  /** The same, deleted at a time. */
  static Snapshot withBinding(
      RateLimiterDriver rateLimiter, Optional<Instant> deleted, Check... answers) {
    Snapshot plain = snapshot(rateLimiter);
    PoolReference pool = new PoolReference(Optional.empty(), Optional.empty(), "gateway", "blue");
    BindingView binding =
        new BindingView(
            new BindingKey("shop", "web"),
            "uid",
            "1",
            Instant.EPOCH,
            deleted,
            true,
            true,
            Optional.of(pool),
            Optional.of(new BindingTarget(new ServiceKey("shop", "web"), pool, IpFamily.IPV4)),
            List.of(),
            new AdmissionSubject(
                List.of("freeze"), List.of(answers), true, false, false, Duration.ZERO));
    BindingsCore core =
        new BindingsCore(
            new Resolution(
                "sub",
                "rg",
                AllowedPools.of(
                    "sub",
                    Map.of(
                        "shop",
                        List.of(new LoadBalancerId("sub", "rg", "gateway").pool("blue").path()))),
                name -> false),
            new AdmissionChecks(AdmissionLimits.SHIPPED, List.of()),
            Duration.ZERO);
    BindingsState state = BindingsState.initial(true, rateLimiter.now());
    for (BindingsEvent event :
        List.of(
            new BindingsEvent.Changed(Map.of(binding.key(), Optional.of(binding))),
            new BindingsEvent.Synced())) {
      state = core.decide(state, event, rateLimiter.now(), () -> 0).state();
    }
    return snapshot(
        plain.pools(),
        plain.knowledge(),
        plain.rateLimiter(),
        plain.nodes(),
        new BindingsView(state));
  }
}
