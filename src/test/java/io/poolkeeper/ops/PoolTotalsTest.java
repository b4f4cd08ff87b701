package io.poolkeeper.ops;

import static io.poolkeeper.ratelimit.RateLimiterDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodeDriver;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.service.MissingPool;
import io.poolkeeper.service.OptedOut;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.Snapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What alarms are made of: how many pools are wrong, why, and for how long. */
class PoolTotalsTest {
  private final Metrics metrics =
      new Metrics(AdmissionLimits.SHIPPED, List.of(), () -> T0.plusMillis(500));

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void failedPool_itsMissingAddressesAndItsAgeAreShown() {
    Snapshot snapshot =
        snapshot(
            NodesView.UNKNOWN,
            pool("lb-1", State.FAILED, 40, 2, 0),
            pool("lb-2", State.FAILED, 90, 1, 3),
            Statuses.of("lb-3", State.IDLE, Optional.empty()));

    assertThat(shown(snapshot))
        .contains(
            "poolkeeper_pools{state=\"failed\"} 2.0",
            "poolkeeper_pools{state=\"idle\"} 1.0",
            "poolkeeper_pools{state=\"opted-out\"} 0.0",
            "poolkeeper_pools_behind{cause=\"failing\"} 2.0",
            "poolkeeper_pools_behind{cause=\"throttled\"} 0.0",
            "poolkeeper_addresses_missing 3.0",
            "poolkeeper_addresses_surplus 3.0",
            "poolkeeper_oldest_divergence_seconds{cause=\"failing\"} 90.0",
            "poolkeeper_oldest_divergence_seconds{cause=\"throttled\"} 0.0");
  }

  @Test
  void divergenceOnPurpose_hasNoAge() {
    Snapshot snapshot =
        snapshot(
            NodesView.UNKNOWN,
            pool("lb-1", State.BRAKED, 400, 0, 9),
            pool("lb-2", State.PAUSED, 400, 1, 0),
            pool("lb-3", State.HELD, 400, 1, 0));

    assertThat(shown(snapshot))
        .contains(
            "poolkeeper_pools_behind{cause=\"braked\"} 1.0",
            "poolkeeper_pools_behind{cause=\"paused\"} 1.0",
            "poolkeeper_pools_behind{cause=\"held-by-check\"} 1.0")
        .filteredOn(line -> line.startsWith("poolkeeper_oldest_divergence"))
        .isNotEmpty()
        .allMatch(line -> line.endsWith(" 0.0"));
  }

  @Test
  void poolsThatAreNotManaged_areAState() {
    PoolId out = RateLimiterDriver.pool("lb-9");
    Snapshot snapshot =
        Statuses.snapshot(
            List.of(Statuses.of("lb-1", State.IDLE, Optional.empty())),
            knowledge(Map.of(out, new OptedOut(List.of(), "its Service says so"))),
            Optional.empty(),
            NodesView.UNKNOWN,
            BindingsView.NONE);

    assertThat(shown(snapshot)).contains("poolkeeper_pools{state=\"opted-out\"} 1.0");
  }

  @Test
  void serviceWithoutAPool_isCounted_andHasAnAge() {
    Knowledge known =
        new Knowledge(
            Set.of(),
            Set.of(),
            true,
            true,
            false,
            Map.of(),
            Optional.empty(),
            new TreeMap<>(),
            Map.of(),
            Map.of(
                new ServiceKey("shop", "web"),
                new MissingPool(T0.minusSeconds(150), Optional.empty()),
                new ServiceKey("shop", "new"),
                new MissingPool(T0.minusSeconds(60), Optional.empty())));

    assertThat(
            shown(
                Statuses.snapshot(
                    List.of(), known, Optional.empty(), NodesView.UNKNOWN, BindingsView.NONE)))
        .contains(
            "poolkeeper_services_without_pool 1.0",
            "poolkeeper_oldest_divergence_seconds{cause=\"without-pool\"} 150.0");
    assertThat(shown(snapshot(NodesView.UNKNOWN))).contains("poolkeeper_services_without_pool 0.0");
  }

  @Test
  void serviceWithoutABackend_isCountedOnTheLeader_andUnknownElsewhere() {
    Knowledge leads = new Knowledge(Set.of(), Set.of(), true, true, Map.of(), Optional.empty());
    Knowledge stands = new Knowledge(Set.of(), Set.of(), true, false, Map.of(), Optional.empty());

    assertThat(shown(without(leads))).contains("poolkeeper_services_without_backend 1.0");
    assertThat(shown(without(stands))).contains("poolkeeper_services_without_backend NaN");
  }

  /** One Service has had no right node for a minute in two pools, another for a second. */
  private static Snapshot without(Knowledge knowledge) {
    ServiceKey web = new ServiceKey("shop", "web");
    ServiceKey api = new ServiceKey("shop", "api");
    Instant minute = T0.minusSeconds(60);
    return Statuses.without(
        knowledge,
        Map.of(
            pool("lb-1", State.PARKED, 60, 1, 0), Map.of(web, minute, api, T0.minusSeconds(1)),
            pool("lb-2", State.PARKED, 60, 1, 0), Map.of(web, minute)));
  }

  @Test
  void drain_unfinished_hasAnAgeUntilAllPoolsShowIt() {
    NodeDriver nodes =
        NodeDriver.synced(NodeDriver.node("n4", NodeDriver.SHUTDOWN), NodeDriver.node("n5"));

    assertThat(shown(snapshot(nodes.view())))
        .filteredOn(line -> line.startsWith("poolkeeper_oldest_drain_seconds "))
        .singleElement()
        .isNotEqualTo("poolkeeper_oldest_drain_seconds 0.0");
    assertThat(shown(snapshot(NodesView.UNKNOWN))).contains("poolkeeper_oldest_drain_seconds 0.0");
  }

  @Test
  void whatHappens_isCountedAndDated() {
    assertThat(shown(snapshot(NodesView.UNKNOWN)))
        .contains(
            "poolkeeper_last_token_timestamp_seconds NaN",
            "poolkeeper_last_listing_timestamp_seconds NaN");
    metrics.happened(Metric.LAST_TOKEN);
    metrics.count(Metric.TOKEN_FAILURES);
    metrics.gateClosed(Gate.subscription(true));
    metrics.gateClosed(Gate.permits(RateLimiterDriver.pool("lb-1").loadBalancer()));
    metrics.propagated(false, Duration.ofMillis(70));
    metrics.watches(() -> Map.of("nodes", true, "services", false));

    assertThat(shown(snapshot(NodesView.UNKNOWN)))
        .contains(
            "poolkeeper_last_token_timestamp_seconds " + (T0.toEpochMilli() + 500) / 1e3,
            "poolkeeper_token_failures_total 1.0",
            "poolkeeper_throttle_gate_closings_total{kind=\"write\"} 1.0",
            "poolkeeper_throttle_gate_closings_total{kind=\"read\"} 0.0",
            "poolkeeper_throttle_gate_closings_total{kind=\"load-balancer\"} 1.0",
            "poolkeeper_propagation_seconds_bucket{to=\"accepted\",le=\"0.05\"} 0",
            "poolkeeper_propagation_seconds_bucket{to=\"accepted\",le=\"0.1\"} 1",
            "poolkeeper_propagation_seconds_count{to=\"effective\"} 0",
            "poolkeeper_watch_connected{kind=\"nodes\"} 1.0",
            "poolkeeper_watch_connected{kind=\"services\"} 0.0",
            "poolkeeper_watch_connected{kind=\"bindings\"} NaN");
  }

  @Test
  void process_memoryAndProcessorTime_areNumbers() {
    List<String> shown = shown(snapshot(NodesView.UNKNOWN));

    assertThat(shown)
        .anyMatch(line -> line.matches("process_cpu_seconds_total \\d.*"))
        .anyMatch(line -> line.matches("process_start_time_seconds 1\\.\\d+E9"))
        .anyMatch(line -> line.matches("poolkeeper_build_info\\{.*version=\".*} 1"));
    assertThat(ProcessFigures.residentBytes(Path.of("no-such-file"))).isNaN();
  }

  private static PoolStatus pool(String at, State state, int seconds, int missing, int surplus) {
    return Statuses.differing(at, state, Optional.of(T0.minusSeconds(seconds)), missing, surplus);
  }

  private static Snapshot snapshot(NodesView nodes, PoolStatus... pools) {
    return Statuses.snapshot(
        List.of(pools), knowledge(Map.of()), Optional.empty(), nodes, BindingsView.NONE);
  }

  private static Knowledge knowledge(Map<PoolId, OptedOut> out) {
    return new Knowledge(Set.of(), Set.of(), true, true, out, Optional.empty());
  }

  private List<String> shown(Snapshot snapshot) {
    return metrics.scrape(snapshot, T0).lines().toList();
  }
}
