package io.poolkeeper.ops;

import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.SHUTDOWN;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.ratelimit.RateLimiterDriver.T0;
import static io.poolkeeper.ratelimit.RateLimiterDriver.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.model.RetryReason;
import io.poolkeeper.node.NodeDriver;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.ops.Metrics.Outcome;
import io.poolkeeper.pool.PoolDriver;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every metric in a scrape, after events that change it. */
class MetricsTest {
  private static final Duration TEN = Duration.ofSeconds(10);

  private final Metrics metrics =
      new Metrics(AdmissionLimits.SHIPPED, List.of("freeze"), () -> Instant.EPOCH);
  private final RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.SHIPPED);

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void repairsPostponed_areCountedFromZero() {
    assertThat(series("poolkeeper_repairs_postponed"))
        .containsExactly("poolkeeper_repairs_postponed_total 0.0");

    metrics.count(Metric.REPAIRS_POSTPONED);

    assertThat(series("poolkeeper_repairs_postponed"))
        .containsExactly("poolkeeper_repairs_postponed_total 1.0");
  }

  @Test
  void retries_made_areCountedByReasonAndAllReasonsAreThere() {
    metrics.count(Metric.RETRIES, RetryReason.CONFLICT);
    metrics.count(Metric.RETRIES, RetryReason.CONFLICT);
    metrics.count(Metric.RETRIES, RetryReason.DRIFT);

    assertThat(series("poolkeeper_retries_total"))
        .containsExactlyInAnyOrder(
            "poolkeeper_retries_total{reason=\"throttled\"} 0.0",
            "poolkeeper_retries_total{reason=\"conflict\"} 2.0",
            "poolkeeper_retries_total{reason=\"precondition\"} 0.0",
            "poolkeeper_retries_total{reason=\"transport\"} 0.0",
            "poolkeeper_retries_total{reason=\"unresolved\"} 0.0",
            "poolkeeper_retries_total{reason=\"cancelled\"} 0.0",
            "poolkeeper_retries_total{reason=\"operation\"} 0.0",
            "poolkeeper_retries_total{reason=\"terminal\"} 0.0",
            "poolkeeper_retries_total{reason=\"drift\"} 1.0");
  }

  @Test
  void retryBudget_spent_isSeenInItsBalanceAndInWhoWasHeldBack() {
    assertThat(series("poolkeeper_retry_budget"))
        .containsExactlyInAnyOrder(
            "poolkeeper_retry_budget_balance 5.0", "poolkeeper_retry_budget_exhausted_total 0.0");
    rateLimiter
        .request(pool("lb-1"), PriorityLevel.RETRY)
        .request(pool("lb-2"), PriorityLevel.REPAIR);
    metrics.count(Metric.RETRY_BUDGET_EXHAUSTED);

    assertThat(series("poolkeeper_retry_budget"))
        .containsExactlyInAnyOrder(
            "poolkeeper_retry_budget_balance 3.0", "poolkeeper_retry_budget_exhausted_total 1.0");
  }

  @Test
  void queueDepth_waiters_areCountedPerLevel() {
    rateLimiter.throttle(true, TEN);
    rateLimiter
        .request(pool("lb-1"), PriorityLevel.UPDATE)
        .request(pool("lb-2"), PriorityLevel.UPDATE);
    rateLimiter.request(pool("lb-3"), PriorityLevel.DRAIN_RETRY);

    assertThat(series("poolkeeper_queue_depth"))
        .containsExactlyInAnyOrder(
            "poolkeeper_queue_depth{lane=\"drain\"} 0.0",
            "poolkeeper_queue_depth{lane=\"update\"} 2.0",
            "poolkeeper_queue_depth{lane=\"drain-retry\"} 1.0",
            "poolkeeper_queue_depth{lane=\"retry\"} 0.0",
            "poolkeeper_queue_depth{lane=\"early\"} 0.0",
            "poolkeeper_queue_depth{lane=\"repair\"} 0.0");
  }

  @Test
  void permitGranted_waitedAndLimited_areTwoHistogramsPerLevel() {
    metrics.permitGranted(PriorityLevel.RETRY, Duration.ofSeconds(40), Duration.ofSeconds(4));
    metrics.permitGranted(PriorityLevel.RETRY, Duration.ofSeconds(2), Duration.ZERO);

    assertThat(series("poolkeeper_queue_age_seconds"))
        .contains(
            "poolkeeper_queue_age_seconds_count{lane=\"retry\"} 2",
            "poolkeeper_queue_age_seconds_sum{lane=\"retry\"} 42.0",
            "poolkeeper_queue_age_seconds_bucket{lane=\"retry\",le=\"5.0\"} 1",
            "poolkeeper_queue_age_seconds_bucket{lane=\"retry\",le=\"60.0\"} 2",
            "poolkeeper_queue_age_seconds_count{lane=\"update\"} 0");
    assertThat(series("poolkeeper_rate_limiter_wait_seconds"))
        .contains(
            "poolkeeper_rate_limiter_wait_seconds_count{lane=\"retry\"} 2",
            "poolkeeper_rate_limiter_wait_seconds_sum{lane=\"retry\"} 4.0",
            "poolkeeper_rate_limiter_wait_seconds_count{lane=\"drain\"} 0");
  }

  @Test
  void permitsOut_areCountedAndComparedToTheMost() {
    rateLimiter
        .request(pool("lb-1"), PriorityLevel.UPDATE)
        .request(pool("lb-2"), PriorityLevel.UPDATE);

    assertThat(series("poolkeeper_inflight_requests"))
        .containsExactly("poolkeeper_inflight_requests 2.0");
    assertThat(series("poolkeeper_worker_utilization_ratio"))
        .containsExactly("poolkeeper_worker_utilization_ratio 0.125");
  }

  @Test
  void tokens_afterCalls_growWithTheTimeOfTheScrape() {
    rateLimiter.sent(true).sent(true).sent(false);

    assertThat(series("poolkeeper_tokens"))
        .containsExactlyInAnyOrder(
            "poolkeeper_tokens{bucket=\"writes\"} 48.0",
            "poolkeeper_tokens{bucket=\"drain-reserve\"} 50.0",
            "poolkeeper_tokens{bucket=\"early\"} 50.0",
            "poolkeeper_tokens{bucket=\"reads\"} 199.0");
    assertThat(series("poolkeeper_tokens", T0.plusSeconds(2)))
        .contains("poolkeeper_tokens{bucket=\"writes\"} 51.0");
  }

  @Test
  void gates_closed_showForHowLong() {
    rateLimiter.throttle(true, TEN).throttle("lb-1", TEN).throttle("lb-2", Duration.ofSeconds(3));

    assertThat(series("poolkeeper_throttle_gate_seconds"))
        .containsExactlyInAnyOrder(
            "poolkeeper_throttle_gate_seconds{kind=\"read\"} 0.0",
            "poolkeeper_throttle_gate_seconds{kind=\"write\"} 10.0");
    assertThat(series("poolkeeper_throttled"))
        .containsExactly("poolkeeper_throttled_load_balancers 2.0");
    assertThat(series("poolkeeper_throttle", T0.plusMillis(3_500)))
        .contains(
            "poolkeeper_throttle_gate_seconds{kind=\"write\"} 6.5",
            "poolkeeper_throttled_load_balancers 1.0");
    assertThat(series("poolkeeper_throttle", T0.plusSeconds(11)))
        .contains("poolkeeper_throttle_gate_seconds{kind=\"write\"} 0.0");
  }

  @Test
  void pools_pending_theOldestSaysForHowLong() {
    Snapshot snapshot =
        Statuses.snapshot(
            List.of(
                Statuses.of("lb-1", State.PARKED, Optional.of(T0.minusSeconds(90))),
                Statuses.of("lb-2", State.PARKED, Optional.of(T0.minusSeconds(30))),
                Statuses.of("lb-3", State.IDLE, Optional.empty())),
            new Knowledge(Set.of(), Set.of(), true, true, Map.of(), Optional.empty()),
            Optional.of(rateLimiter.view()),
            NodesView.UNKNOWN,
            BindingsView.NONE);

    assertThat(series(snapshot, "poolkeeper_oldest_pending_seconds", T0.plusMillis(500)))
        .containsExactly("poolkeeper_oldest_pending_seconds 90.5");
    assertThat(series("poolkeeper_oldest_pending_seconds"))
        .as("without any")
        .containsExactly("poolkeeper_oldest_pending_seconds 0.0");
  }

  @Test
  void updatesAndCalls_keepTheirNames() {
    metrics.count(Metric.POOL_UPDATES, Outcome.UPDATED);
    metrics.time(Metric.POOL_UPDATE_DURATION, Duration.ofSeconds(2));
    metrics.armAnswered("put", 201, Duration.ofSeconds(1));

    assertThat(series("poolkeeper_pool_updates_total"))
        .containsExactlyInAnyOrder(
            "poolkeeper_pool_updates_total{result=\"updated\"} 1.0",
            "poolkeeper_pool_updates_total{result=\"failed\"} 0.0");
    assertThat(series("poolkeeper_pool_update_duration_seconds"))
        .contains(
            "poolkeeper_pool_update_duration_seconds_count 1",
            "poolkeeper_pool_update_duration_seconds_sum 2.0");
    assertThat(series("poolkeeper_arm_request_duration_seconds"))
        .contains(
            "poolkeeper_arm_request_duration_seconds_count{call=\"put\",status=\"201\"} 1",
            "poolkeeper_arm_request_duration_seconds_sum{call=\"put\",status=\"201\"} 1.0");
  }

  @Test
  void watches_thatAreLost_showOne() {
    Knowledge knowledge =
        new Knowledge(
            Set.of(), Set.of(CacheKind.ENDPOINT_SLICES), true, true, Map.of(), Optional.empty());

    assertThat(
            series(
                Statuses.snapshot(
                    List.of(), knowledge, Optional.empty(), NodesView.UNKNOWN, BindingsView.NONE),
                "poolkeeper_watch_lost",
                T0))
        .containsExactlyInAnyOrder(
            "poolkeeper_watch_lost{kind=\"services\"} 0.0",
            "poolkeeper_watch_lost{kind=\"endpoint-slices\"} 1.0",
            "poolkeeper_watch_lost{kind=\"nodes\"} 0.0",
            "poolkeeper_watch_lost{kind=\"namespaces\"} 0.0");
  }

  @Test
  void callsLeft_areForgottenWhenAzureHasNotSaidThemForFiveMinutes() {
    AtomicReference<Instant> now = new AtomicReference<>(T0);
    try (Metrics said = new Metrics(AdmissionLimits.SHIPPED, List.of(), now::get)) {
      said.left(new CallsLeft(Optional.of(11_999L), Optional.of(7L)));
      now.set(T0.plusSeconds(200));
      said.left(new CallsLeft(Optional.of(11_990L), Optional.empty()));
      now.set(T0.plusSeconds(300));
      assertThat(said.left()).isEqualTo(new CallsLeft(Optional.of(11_990L), Optional.of(7L)));

      now.set(T0.plusSeconds(301));

      assertThat(said.left()).isEqualTo(new CallsLeft(Optional.of(11_990L), Optional.empty()));
    }
  }

  @Test
  void nodesOutOfService_areCountedForEachOfTheirReasons() {
    Snapshot snapshot =
        Statuses.snapshot(
            List.of(),
            new Knowledge(Set.of(), Set.of(), true, true, Map.of(), Optional.empty()),
            Optional.empty(),
            NodeDriver.synced(node("n4", SHUTDOWN), node("n5", SHUTDOWN, OUT)).view(),
            BindingsView.NONE);

    assertThat(series(snapshot, "poolkeeper_nodes_out_of_service", T0))
        .containsExactlyInAnyOrder(
            "poolkeeper_nodes_out_of_service{reason=\"out-of-service\"} 1.0",
            "poolkeeper_nodes_out_of_service{reason=\"shutdown\"} 2.0",
            "poolkeeper_nodes_out_of_service{reason=\"spot-eviction\"} 0.0",
            "poolkeeper_nodes_out_of_service{reason=\"extra-taint\"} 0.0");
  }

  private static PoolStatus holding(String balancer, String entries) {
    return PoolDriver.settled("n4").shows(entries).status(RateLimiterDriver.pool(balancer));
  }

  @Test
  void entries_downAndUp_areCountedOverAllPools() {
    Snapshot snapshot =
        Statuses.snapshot(
            rateLimiter,
            holding("lb-1", "n4/Down n5/Down n6/Up n7"),
            holding("lb-2", "n4/Down n5/Down n6/Down n7/Up n8/Up n9/Up n10/Up"));

    assertThat(series(snapshot, "poolkeeper_entries", T0))
        .containsExactlyInAnyOrder("poolkeeper_entries_down 5.0", "poolkeeper_entries_up 5.0");
  }

  @Test
  void adminStatePropagated_isAHistogramFromTheStart() {
    assertThat(series("poolkeeper_admin_state_propagation_seconds"))
        .contains("poolkeeper_admin_state_propagation_seconds_count 0");

    metrics.time(Metric.ADMIN_STATE_PROPAGATION, Duration.ofSeconds(3));

    assertThat(series("poolkeeper_admin_state_propagation_seconds"))
        .contains(
            "poolkeeper_admin_state_propagation_seconds_count 1",
            "poolkeeper_admin_state_propagation_seconds_sum 3.0",
            "poolkeeper_admin_state_propagation_seconds_bucket{le=\"5.0\"} 1");
  }

  @Test
  void turnstile_notStarted_isUnknown() {
    Snapshot snapshot =
        Statuses.snapshot(
            List.of(),
            new Knowledge(Set.of(), Set.of(), false, false, Map.of(), Optional.empty()),
            Optional.empty(),
            NodesView.UNKNOWN,
            BindingsView.NONE);

    assertThat(series(snapshot, "poolkeeper_inflight_requests", T0))
        .containsExactly("poolkeeper_inflight_requests NaN");
  }

  @Test
  void checks_areCountedByState_thoseThatNoSettingNamesAsOne() {
    Snapshot snapshot =
        Statuses.withBinding(
            rateLimiter,
            answer("freeze", Check.State.RETRY, T0, 60),
            answer("a-forged-one", Check.State.READY, T0, 0),
            answer("another", Check.State.READY, T0, 0),
            answer("zulu", Check.State.PENDING, T0, 0));

    assertThat(series(snapshot, "poolkeeper_admission_checks", T0))
        .containsExactlyInAnyOrder(
            "poolkeeper_admission_checks{check=\"freeze\",state=\"Pending\"} 0.0",
            "poolkeeper_admission_checks{check=\"freeze\",state=\"Ready\"} 0.0",
            "poolkeeper_admission_checks{check=\"freeze\",state=\"Rejected\"} 0.0",
            "poolkeeper_admission_checks{check=\"freeze\",state=\"Retry\"} 1.0",
            "poolkeeper_admission_checks{check=\"other\",state=\"Pending\"} 1.0",
            "poolkeeper_admission_checks{check=\"other\",state=\"Ready\"} 2.0",
            "poolkeeper_admission_checks{check=\"other\",state=\"Rejected\"} 0.0",
            "poolkeeper_admission_checks{check=\"other\",state=\"Retry\"} 0.0");
    assertThat(series("poolkeeper_admission_checks"))
        .as("without any binding")
        .hasSize(8)
        .allMatch(line -> line.endsWith(" 0.0"));
  }

  @Test
  void holdAndDelay_countFromTheTimesOfTheObject() {
    Snapshot snapshot =
        Statuses.withBinding(
            rateLimiter, answer("freeze", Check.State.RETRY, T0.minusSeconds(1_000), 1_060));

    assertThat(series(snapshot, "poolkeeper_admission_hold", T0.plusMillis(15_500)))
        .containsExactly("poolkeeper_admission_hold_seconds 1015.5");
    assertThat(series(snapshot, "poolkeeper_admission_delay", T0.plusMillis(15_500)))
        .containsExactly("poolkeeper_admission_delay_seconds 44.5");
    assertThat(series(snapshot, "poolkeeper_admission_hold", T0.plusSeconds(90)))
        .as("asked again, but not yet written")
        .containsExactly("poolkeeper_admission_hold_seconds 1090.0");
    assertThat(series(snapshot, "poolkeeper_admission_delay", T0.plusSeconds(90)))
        .containsExactly("poolkeeper_admission_delay_seconds 0.0");
    assertThat(series("poolkeeper_admission_hold"))
        .containsExactly("poolkeeper_admission_hold_seconds 0.0");
    assertThat(series("poolkeeper_admission_delay"))
        .containsExactly("poolkeeper_admission_delay_seconds 0.0");
  }

  @Test
  void hold_sinceATimeThousandsOfYearsAgo_isANumber() {
    Snapshot snapshot =
        Statuses.withBinding(
            rateLimiter,
            answer("freeze", Check.State.PENDING, T0.minusSeconds(60_000_000_000L), 0));

    assertThat(series(snapshot, "poolkeeper_admission_hold", T0))
        .containsExactly("poolkeeper_admission_hold_seconds 6.0E10");
  }

  private static Check answer(String name, Check.State state, Instant since, int delay) {
    return new Check(name, state, Optional.of(since), "", Optional.of(delay), 0);
  }

  private List<String> series(String name) {
    return series(name, T0);
  }

  private List<String> series(String name, Instant now) {
    return series(Statuses.snapshot(rateLimiter), name, now);
  }

  private List<String> series(Snapshot snapshot, String name, Instant now) {
    return metrics
        .scrape(snapshot, now)
        .lines()
        .filter(line -> line.startsWith(name) && !line.contains("_max"))
        .toList();
  }
}
