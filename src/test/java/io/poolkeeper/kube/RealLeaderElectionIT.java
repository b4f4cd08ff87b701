package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LockLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The election on a real kube-apiserver, whose refusal of a stale write is what it rests on. */
@Tag("real-apiserver")
class RealLeaderElectionIT extends ElectionCases {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration LATER = Duration.ofSeconds(15);

  /** Longer than {@link #SOON}, so that it shows whether a start has waited for it. */
  private static final Settings.LeaderElection ELECTION =
      new Settings.LeaderElection(
          true,
          "own",
          Optional.empty(),
          Duration.ofSeconds(5),
          Duration.ofSeconds(4),
          Duration.ofMillis(200));

  private static final Settings.Lock SHARED =
      new Settings.Lock(
          true,
          "shared-of-two",
          "default",
          "poolkeeper",
          Duration.ofMinutes(15),
          new LockLimits(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(200)),
          Optional.empty(),
          Optional.empty());

  private static RealApiServer server;

  private final List<Instant> renewals = new CopyOnWriteArrayList<>();
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void startServer() {
    server = RealApiServer.shared();
  }

  @Override
  KubernetesClient client() {
    return server.client();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    for (String name : List.of("own", "other", SHARED.name())) {
      client().leases().inNamespace("default").withName(name).delete();
    }
  }

  /** As the last leader has left the shared Lease; null if it was not Poolkeeper's. */
  private void writer(@Nullable String lease) {
    LeaseBuilder shared =
        new LeaseBuilder().withNewMetadata().withName(SHARED.name()).endMetadata();
    if (lease != null) {
      shared.editMetadata().addToAnnotations("poolkeeper.io/writer", lease).endMetadata();
    }
    apply(shared.build());
  }

  private void apply(Lease lease) {
    client().resource(lease).inNamespace("default").createOr(NonDeletingOperation::update);
  }

  /** The other installation's Lease as a leader has left it, whose clock is ahead. */
  private void left() {
    apply(
        new LeaseBuilder()
            .withNewMetadata()
            .withName("other")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity("host_1")
            .withLeaseDurationSeconds(1)
            .withRenewTime(Instant.now().plusSeconds(3_600).atZone(ZoneOffset.UTC))
            .endSpec()
            .build());
  }

  private KubeLeaderElection elector(KubernetesClient client, String lease, String identity) {
    Settings.LeaderElection settings =
        new Settings.LeaderElection(
            true,
            lease,
            Optional.empty(),
            ELECTION.leaseDuration(),
            ELECTION.renewDeadline(),
            ELECTION.retryPeriod());
    return new KubeLeaderElection(
        settings,
        "default",
        identity,
        new KubePauses(client, "default", settings, InstantSource.system(), InstantSource.system()),
        Optional::empty,
        client,
        InstantSource.system(),
        InstantSource.system());
  }

  private void otherLeads() {
    List<Instant> led = new CopyOnWriteArrayList<>();
    KubeLeaderElection other = elector(client(), "other", "host_1");
    open.add(other);
    other.start(led::add, why -> {});
    await().atMost(LATER).until(() -> !led.isEmpty());
  }

  private void start(KubernetesClient as) {
    GuardedElection guarded =
        new GuardedElection(
            elector(as, "own", "pod_1"),
            ELECTION,
            Optional.of(SHARED),
            "default/own",
            as,
            InstantSource.system());
    open.add(guarded);
    guarded.start(renewals::add, ends::add);
  }

  @Test
  void start_anotherInstallationLeads_isRefusedWithItsName() {
    writer("default/other");
    otherLeads();

    start(client());

    await().atMost(LATER).until(() -> !ends.isEmpty());
    assertThat(ends)
        .containsExactly(
            "another Poolkeeper writes in this cluster: host_1 renews Lease default/other, and"
                + " ours is default/own. Stop that one, or start this one with mode = shadow, or"
                + " give it the same leader-election.namespace and leader-election.name");
    assertThat(renewals).isEmpty();
    assertThat(client().leases().inNamespace("default").withName("own").get()).isNull();
  }

  /** By its renewTime it would be valid for an hour. */
  @Test
  void start_theOtherLeaderHasDied_standsAfterTheLeaseDuration() {
    writer("default/other");
    left();
    Instant begun = Instant.now();

    start(client());

    await().atMost(LATER).until(() -> !renewals.isEmpty());
    assertThat(renewals.getFirst()).isAfterOrEqualTo(begun.plus(ELECTION.leaseDuration()));
    assertThat(ends).isEmpty();
  }

  @Test
  void start_noOtherLease_standsAtOnce() {
    for (@Nullable String named :
        new @Nullable String[] {null, "default/own", "default/other", "gone/other", "?"}) {
      renewals.clear();
      writer(named);

      start(client());

      await().atMost(SOON).until(() -> !renewals.isEmpty());
      assertThat(ends).isEmpty();
    }
  }

  /** The chart's role allows the Leases of its own installation alone. */
  @Test
  void start_theOtherLeaseMayNotBeRead_standsAtOnce() {
    writer("elsewhere/other");
    for (String yaml :
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: own-leases, namespace: default}
        rules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list, watch, create, update]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: own-leases, namespace: default}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: own-leases}
        subjects: [{kind: User, name: pod}]
        """
            .split("---\n", -1)) {
      client().resource(yaml).createOr(NonDeletingOperation::update);
    }
    KubernetesClient pod =
        KubeClients.build(
            new ConfigBuilder(client().getConfiguration()).withImpersonateUsername("pod").build());
    open.add(pod);

    start(pod);

    await().atMost(SOON).until(() -> !renewals.isEmpty());
    assertThat(ends).isEmpty();
  }
}
