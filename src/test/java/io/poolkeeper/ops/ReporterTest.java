package io.poolkeeper.ops;

import static io.poolkeeper.ratelimit.PriorityLevel.DRAIN_RETRY;
import static io.poolkeeper.ratelimit.PriorityLevel.EARLY;
import static io.poolkeeper.ratelimit.PriorityLevel.RETRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.lock.SharedLockEffect;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.node.SpotLimits;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.ratelimit.PermitAnswer;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterEffect;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import io.poolkeeper.ratelimit.Requester;
import io.poolkeeper.service.ListingCause;
import io.poolkeeper.service.ServiceMapEffect;
import io.poolkeeper.trace.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which metric an effect moves. */
class ReporterTest {
  private static final PoolId POOL = new LoadBalancerId("sub", "rg", "lb").pool("p");
  private static final Duration TOOK = Duration.ofSeconds(3);
  private static final ArmFailure FAILURE =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 400, "BadRequest", "no");
  private static final String OF_MEMBERS =
      "{request=\"services_local_update_backend_pool\",resource_group=\"rg\","
          + "source=\"local_service_backend_pool_updater\",subscription_id=\"sub\"}";
  private static final String OF_POOL =
      "{request=\"loadbalancer_adminstate_update\",resource_group=\"rg\","
          + "source=\"admin_state_controller\",subscription_id=\"sub\"}";

  private final TestInbox<StatusActor.Command> status = TestInbox.create();
  private final Metrics metrics =
      new Metrics(AdmissionLimits.SHIPPED, List.of(), () -> Instant.EPOCH);
  private final Reporter reporter = new Reporter(status.getRef(), metrics, Tracing.OFF);

  @AfterEach
  void close() {
    metrics.close();
  }

  private static Arguments of(PoolEffect effect, String line) {
    Consumer<Reporter> runs = reporter -> reporter.ran(POOL, effect);
    return Arguments.of(runs, line);
  }

  private static Arguments of(NodeEffect effect, String line) {
    Consumer<Reporter> runs = reporter -> reporter.ran(effect);
    return Arguments.of(runs, line);
  }

  private static Arguments of(RateLimiterEffect effect, String line) {
    Consumer<Reporter> runs = reporter -> reporter.ran(effect);
    return Arguments.of(runs, line);
  }

  private static Arguments of(ServiceMapEffect effect, String line) {
    Consumer<Reporter> runs = reporter -> reporter.ran(effect);
    return Arguments.of(runs, line);
  }

  private static NodeEffect ignored() {
    NodeKey node = new NodeKey("n");
    var origin = new NodeEvent.Origin("team-a", "team-a", "");
    var event = new NodeEvent.Preempted(node, "", "", Instant.EPOCH, TOOK, origin);
    return new NodeEffect.EventIgnored(node, SpotLimits.Refusal.NAMESPACE, event, false);
  }

  private static RateLimiterEffect grant(PriorityLevel level, boolean rateLimited) {
    var answer = new PermitAnswer.Granted(1, Instant.EPOCH, false);
    return new RateLimiterEffect.Grant(
        new Requester(POOL, 1), answer, level, TOOK, Duration.ZERO, rateLimited);
  }

  private static final NodeEffect PROPAGATED =
      new NodeEffect.Propagated(new NodeKey("n"), true, TOOK);

  private static Stream<Arguments> effects() {
    Consumer<Reporter> taken = reporter -> reporter.ran(new SharedLockEffect.Taken(TOOK, true));
    return Stream.of(
        of(new PoolEffect.Updated(TOOK), "poolkeeper_pool_updates_total{result=\"updated\"} 1.0"),
        of(new PoolEffect.Updated(TOOK), "poolkeeper_pool_update_duration_seconds_sum 3.0"),
        of(
            new PoolEffect.Failed(FAILURE, TOOK, true),
            "poolkeeper_pool_updates_total{result=\"failed\"} 1.0"),
        of(
            new PoolEffect.Drained(Map.of(), TOOK),
            "cloudprovider_azure_op_duration_seconds_sum" + OF_POOL + " 3.0"),
        of(
            new PoolEffect.DrainFailed(FAILURE, TOOK, true),
            "cloudprovider_azure_op_failure_count" + OF_POOL + " 1.0"),
        of(
            new PoolEffect.Updated(TOOK),
            "cloudprovider_azure_op_duration_seconds_sum" + OF_MEMBERS + " 3.0"),
        of(
            new PoolEffect.Failed(FAILURE, TOOK, true),
            "cloudprovider_azure_op_failure_count" + OF_MEMBERS + " 1.0"),
        of(
            new PoolEffect.Throttled(true, true),
            "cloudprovider_azure_api_request_throttled_count" + OF_POOL + " 1.0"),
        of(
            new PoolEffect.Throttled(false, false),
            "cloudprovider_azure_api_request_ratelimited_count" + OF_MEMBERS + " 1.0"),
        of(
            grant(DRAIN_RETRY, true),
            "cloudprovider_azure_api_request_ratelimited_count" + OF_POOL + " 1.0"),
        of(
            grant(RETRY, true),
            "cloudprovider_azure_api_request_ratelimited_count" + OF_MEMBERS + " 1.0"),
        of(
            new PoolEffect.Retry(RetryReason.CONFLICT),
            "poolkeeper_retries_total{reason=\"conflict\"} 1.0"),
        of(
            new PoolEffect.Found(Leftover.Kind.DOWN, 2, "", List.of()),
            "poolkeeper_leftovers_found_total{kind=\"down\"} 2.0"),
        of(new PoolEffect.RepairPostponed(3, TOOK, true), "poolkeeper_repairs_postponed_total 1.0"),
        of(new PoolEffect.Braked("", List.of()), "poolkeeper_removals_held_total 1.0"),
        of(
            new ServiceMapEffect.RequestListing(ListingCause.PEER),
            "poolkeeper_listings_total{cause=\"peer\"} 1.0"),
        of(ignored(), "poolkeeper_preempt_events_ignored_total{reason=\"namespace\"} 1.0"),
        of(
            new NodeEffect.Held(POOL, Set.of(new NodeKey("n"), new NodeKey("m"))),
            "poolkeeper_admin_state_held_total 2.0"),
        of(PROPAGATED, "poolkeeper_admin_state_propagation_seconds_sum 3.0"),
        of(grant(EARLY, false), "poolkeeper_queue_age_seconds_sum{lane=\"early\"} 3.0"),
        of(new RateLimiterEffect.RetryHeldBack(), "poolkeeper_retry_budget_exhausted_total 1.0"),
        of(new RateLimiterEffect.LeaseBypassed(POOL), "poolkeeper_lock_bypassed_total 1.0"),
        of(
            new RateLimiterEffect.GateClosed(Gate.subscription(false), Instant.EPOCH),
            "poolkeeper_throttle_gate_closings_total{kind=\"read\"} 1.0"),
        Arguments.of(
            taken,
            "cloudprovider_azure_lock_wait_duration_seconds_sum"
                + "{caller=\"admin_state\",lock=\"shared_lease\"} 3.0"));
  }

  @ParameterizedTest
  @MethodSource("effects")
  void ran_anEffectThatIsCounted_movesItsMetric(Consumer<Reporter> runs, String line) {
    assertThat(scrape()).doesNotContain(line);

    runs.accept(reporter);

    assertThat(scrape()).contains(line);
  }

  @Test
  void ran_anyOtherEffect_movesNone() {
    scrape(); // The first one adds the series that are computed.
    List<String> before = scrape();

    reporter.ran(POOL, new PoolEffect.RepairFailed(FAILURE, TOOK, true));
    reporter.ran(new ServiceMapEffect.RequestVerification());
    reporter.ran(new NodeEffect.RequestRead());
    reporter.ran(new RateLimiterEffect.BudgetEmptied());
    reporter.ran(new SharedLockEffect.Unreachable("no"));

    assertThat(scrape()).isEqualTo(before);
  }

  @Test
  void ran_updatesAndWholeListings_areShown() {
    reporter.ran(POOL, new PoolEffect.Failed(FAILURE, TOOK, true));
    reporter.ran(POOL, new PoolEffect.Updated(TOOK));
    reporter.ran(new ServiceMapEffect.RequestListing(ListingCause.ASKED));

    assertThat(status.getAllReceived()).containsExactly(new StatusActor.Reached(POOL, TOOK));

    reporter.listed(1, false);
    assertThat(status.getAllReceived()).as("a group is missing").isEmpty();

    reporter.listed(0, true);
    assertThat(status.getAllReceived()).containsExactly(StatusActor.Listed.INSTANCE);
  }

  private List<String> scrape() {
    RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.SHIPPED);
    return metrics
        .scrape(Statuses.snapshot(rateLimiter), rateLimiter.now())
        .lines()
        .filter(line -> line.matches("(poolkeeper|cloudprovider)_\\w+_(total|sum|count)\\b.*"))
        .toList();
  }
}
