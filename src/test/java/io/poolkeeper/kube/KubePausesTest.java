package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LeaderView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who leads, as a replica that only reads the Lease knows it. */
class KubePausesTest {
  /** The leader's clock is an hour ahead of ours. */
  private static final Instant RENEWED = Instant.parse("2026-11-25T11:00:00Z");

  private static final Duration LEASE = Duration.ofSeconds(15);

  private final KubernetesClient client =
      new KubernetesClientBuilder()
          .withConfig(
              new ConfigBuilder()
                  .withAutoConfigure(false)
                  .withMasterUrl("http://127.0.0.1:1")
                  .build())
          .build();
  private Instant now = RENEWED.minusSeconds(3600);
  private final KubePauses pauses =
      new KubePauses(
          client,
          "ns",
          new Settings.LeaderElection(
              true,
              "leader",
              Optional.empty(),
              LEASE,
              Duration.ofSeconds(10),
              Duration.ofSeconds(2)),
          () -> now,
          InstantSource.system());

  @AfterEach
  void close() {
    pauses.close();
    client.close();
  }

  private void read(String holder, Instant renewed) {
    read(holder, renewed, "1", Map.of());
  }

  private void read(
      String holder, Instant renewed, String version, Map<String, String> annotations) {
    Lease lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("leader")
            .withResourceVersion(version)
            .withAnnotations(annotations)
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(holder)
            .withRenewTime(renewed.atZone(ZoneOffset.UTC))
            .endSpec()
            .build();
    pauses.read(lease);
  }

  private Optional<String> leader() {
    return pauses.leader().map(LeaderView::pod);
  }

  @Test
  void leader_thatHasNotRenewedForTheLeaseDuration_isNone_byOurClock() {
    read("pk-1_uid", RENEWED);
    now = now.plus(LEASE).minusNanos(1);
    read("pk-1_uid", RENEWED);
    assertThat(leader()).contains("pk-1");

    now = now.plusNanos(1);

    assertThat(leader()).isEmpty();
  }

  @Test
  void leader_thatRenews_stays_thoughItsClockIsWrong() {
    read("pk-1_uid", RENEWED);
    now = now.plus(LEASE);
    read("pk-1_uid", RENEWED.plusSeconds(2));

    assertThat(leader()).contains("pk-1");
  }

  @Test
  void leader_thatComesAfterADeadOne_isNamedAtOnce() {
    read("pk-1_uid", RENEWED);
    now = now.plus(LEASE);

    read("pk-2_uid", now);

    assertThat(leader()).contains("pk-2");
  }

  @Test
  void read_ofAPause_afterARestoreToLowerVersions_isPassedOn() {
    List<Map<String, String>> told = new ArrayList<>();
    pauses.start(read -> told.add(read.annotations()));
    Map<String, String> pause = Map.of("poolkeeper.io/paused-until", "2026-11-25T12:00:00Z");
    read("pk-1_uid", RENEWED, "1000", Map.of());

    read("pk-1_uid", RENEWED.minusSeconds(2), "7", Map.of());
    read("pk-1_uid", RENEWED.plusSeconds(2), "8", pause);

    assertThat(told).containsExactly(pause);
  }
}
