package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ops.Metrics.Outcome;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The series that have the cloud provider's names, as a scrape shows them. */
class CloudProviderMetricsTest {
  private static final String WAIT = "cloudprovider_azure_lock_wait_duration_seconds";
  private static final String OPERATION = "cloudprovider_azure_op_duration_seconds";
  private static final String FAILURES = "cloudprovider_azure_op_failure_count";
  private static final String UPDATER = "{caller=\"updater\",lock=\"load_balancer_turn\"}";
  private static final String ADMIN_STATE = "{caller=\"admin_state\",lock=\"load_balancer_turn\"}";
  private static final String LEASE_UPDATER = "{caller=\"updater\",lock=\"shared_lease\"}";
  private static final String LEASE_ADMIN_STATE = "{caller=\"admin_state\",lock=\"shared_lease\"}";
  private static final String THROTTLED = "cloudprovider_azure_api_request_throttled_count";
  private static final String RATE_LIMITED = "cloudprovider_azure_api_request_ratelimited_count";
  private static final String OF_POOL =
      "{request=\"loadbalancer_adminstate_update\",resource_group=\"rg-net\","
          + "source=\"admin_state_controller\",subscription_id=\"sub\"}";
  private static final String OF_MEMBERS =
      "{request=\"services_local_update_backend_pool\",resource_group=\"rg-net\","
          + "source=\"local_service_backend_pool_updater\",subscription_id=\"sub\"}";
  private static final PoolId POOL = new LoadBalancerId("sub", "RG-Net", "lb").pool("p");

  private final Metrics metrics =
      new Metrics(AdmissionLimits.SHIPPED, List.of("freeze"), () -> Instant.EPOCH);
  private final RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.SHIPPED);

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void lockWait_granted_isCountedByTheCallerThatTheLevelIsOf() {
    assertThat(series(WAIT + "_count"))
        .containsExactlyInAnyOrder(
            WAIT + "_count" + ADMIN_STATE + " 0",
            WAIT + "_count" + UPDATER + " 0",
            WAIT + "_count" + LEASE_ADMIN_STATE + " 0",
            WAIT + "_count" + LEASE_UPDATER + " 0");

    granted(PriorityLevel.DRAIN, 3);
    granted(PriorityLevel.DRAIN_RETRY, 9_000);
    granted(PriorityLevel.UPDATE, 2_000);
    granted(PriorityLevel.REPAIR, 2_000);

    assertThat(series(WAIT + "_sum"))
        .containsExactlyInAnyOrder(
            WAIT + "_sum" + ADMIN_STATE + " 9.003",
            WAIT + "_sum" + UPDATER + " 4.0",
            WAIT + "_sum" + LEASE_ADMIN_STATE + " 0.0",
            WAIT + "_sum" + LEASE_UPDATER + " 0.0");
    assertThat(buckets(WAIT + "_bucket{caller=\"admin_state\",lock=\"load_balancer_turn\""))
        .containsExactly(
            "0.001 0", "0.002 0", "0.004 1", "0.008 1", "0.016 1", "0.032 1", "0.064 1", "0.128 1",
            "0.256 1", "0.512 1", "1.024 1", "2.048 1", "4.096 1", "8.192 1", "+Inf 2");
  }

  @Test
  void lockWait_ofTheLease_isCountedByWhoHasWaited() {
    metrics.leaseTaken(Duration.ofSeconds(2), true);
    metrics.leaseTaken(Duration.ofSeconds(3), false);

    assertThat(series(WAIT + "_sum"))
        .contains(
            WAIT + "_sum" + LEASE_ADMIN_STATE + " 2.0", WAIT + "_sum" + LEASE_UPDATER + " 3.0");
  }

  @Test
  void operation_failed_isInTheDurationAndInTheFailures() {
    metrics.operation(POOL.loadBalancer(), true, Outcome.UPDATED, Duration.ofMillis(200));
    assertThat(series(FAILURES)).containsExactly(FAILURES + OF_POOL + " 0.0");

    metrics.operation(POOL.loadBalancer(), true, Outcome.FAILED, Duration.ofSeconds(70));

    assertThat(series(FAILURES)).containsExactly(FAILURES + OF_POOL + " 1.0");
    assertThat(series(OPERATION))
        .contains(OPERATION + "_count" + OF_POOL + " 2", OPERATION + "_sum" + OF_POOL + " 70.2");
    assertThat(buckets(OPERATION + "_bucket"))
        .containsExactly(
            "0.1 0",
            "0.2 1",
            "0.5 1",
            "1.0 1",
            "5.0 1",
            "10.0 1",
            "15.0 1",
            "20.0 1",
            "30.0 1",
            "40.0 1",
            "50.0 1",
            "60.0 1",
            "100.0 2",
            "200.0 2",
            "300.0 2",
            "600.0 2",
            "1200.0 2",
            "+Inf 2");
  }

  @Test
  void operation_ofMembers_hasARequestOfItsOwn() {
    metrics.operation(POOL.loadBalancer(), false, Outcome.FAILED, Duration.ofSeconds(3));

    assertThat(series(OPERATION + "_sum"))
        .containsExactly(OPERATION + "_sum" + OF_MEMBERS + " 3.0");
    assertThat(series(FAILURES)).containsExactly(FAILURES + OF_MEMBERS + " 1.0");
  }

  @Test
  void throttled_byArmOrByUs_isCountedByRequestUnderTheCloudProvidersNames() {
    assertThat(series("cloudprovider_azure_api")).as("no operation yet").isEmpty();
    metrics.operation(POOL.loadBalancer(), true, Outcome.UPDATED, Duration.ZERO);
    assertThat(series("cloudprovider_azure_api"))
        .containsExactly(RATE_LIMITED + OF_POOL + " 0.0", THROTTLED + OF_POOL + " 0.0");

    metrics.throttled(POOL.loadBalancer(), true, true);
    metrics.throttled(POOL.loadBalancer(), false, true);
    metrics.throttled(POOL.loadBalancer(), false, false);
    metrics.throttled(POOL.loadBalancer(), false, false);

    assertThat(series("cloudprovider_azure_api"))
        .containsExactly(
            RATE_LIMITED + OF_POOL + " 0.0",
            RATE_LIMITED + OF_MEMBERS + " 2.0",
            THROTTLED + OF_POOL + " 1.0",
            THROTTLED + OF_MEMBERS + " 1.0");
    assertThat(series("# TYPE cloudprovider_azure_api"))
        .containsExactly("# TYPE " + RATE_LIMITED + " counter", "# TYPE " + THROTTLED + " counter");
  }

  private void granted(PriorityLevel level, int millis) {
    metrics.permitGranted(level, Duration.ofMillis(millis), Duration.ZERO);
  }

  /** The upper bounds of a histogram's buckets, each with its count. */
  private List<String> buckets(String name) {
    return series(name).stream()
        .map(line -> line.replaceAll(".*le=\"(.*)\"} (.*)", "$1 $2"))
        .toList();
  }

  private List<String> series(String name) {
    return metrics
        .scrape(Statuses.snapshot(rateLimiter), rateLimiter.now())
        .lines()
        .filter(line -> line.startsWith(name))
        .toList();
  }
}
