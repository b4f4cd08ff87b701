package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.poolkeeper.config.Settings;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The election on an API server: who leads, for how long, and who follows. */
abstract class ElectionCases {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration RETRY = Duration.ofMillis(200);
  private static final String NAMESPACE = "default";
  private static final String NAME = "poolkeeper-leader";

  private final List<Replica> replicas = new CopyOnWriteArrayList<>();

  abstract KubernetesClient client();

  private static Settings.LeaderElection settings(Duration lease, Duration retry) {
    return new Settings.LeaderElection(
        true, NAME, Optional.empty(), lease, Duration.ofSeconds(2), retry);
  }

  private KubePauses pauses(Duration lease) {
    InstantSource clock = InstantSource.system();
    return new KubePauses(client(), NAMESPACE, settings(lease, RETRY), clock, clock);
  }

  /** A replica and what it has heard. */
  private final class Replica {
    final List<Instant> renewals = new CopyOnWriteArrayList<>();
    final List<String> ends = new CopyOnWriteArrayList<>();
    final KubeLeaderElection election;

    Replica(String identity, Duration lease) {
      election =
          new KubeLeaderElection(
              settings(lease, RETRY),
              NAMESPACE,
              identity,
              pauses(lease),
              Optional::empty,
              client(),
              InstantSource.system(),
              InstantSource.system());
      election.start(renewals::add, ends::add);
      replicas.add(this);
    }

    boolean leads() {
      return !renewals.isEmpty();
    }

    Replica leading() {
      await().atMost(SOON).until(this::leads);
      return this;
    }
  }

  private static LeaderLease lock(String identity) {
    return lock(identity, read -> {});
  }

  private static LeaderLease lock(String identity, Consumer<Lease> reads) {
    return lock(identity, reads, null);
  }

  private static LeaderLease lock(String identity, Consumer<Lease> reads, @Nullable URI address) {
    InstantSource clock = InstantSource.system();
    return new LeaderLease(
        settings(LEASE, Duration.ZERO),
        NAMESPACE,
        identity,
        clock,
        clock,
        any -> {},
        reads,
        () -> Optional.ofNullable(address));
  }

  private static ZonedDateTime now() {
    return ZonedDateTime.now(ZoneOffset.UTC);
  }

  private static LeaderElectionRecord record(
      @Nullable String holder, Duration duration, ZonedDateTime renewed) {
    return new LeaderElectionRecord(holder, duration, renewed, renewed, 0);
  }

  private @Nullable Lease lease() {
    return client().leases().inNamespace(NAMESPACE).withName(NAME).get();
  }

  private String holder() {
    Lease lease = lease();
    String holder = lease == null ? null : lease.getSpec().getHolderIdentity();
    return holder == null ? "" : holder;
  }

  @AfterEach
  void stop() {
    replicas.forEach(replica -> replica.election.close());
    client().leases().inNamespace(NAMESPACE).withName(NAME).delete();
  }

  @Test
  void oneLeads_andAtItsCleanEnd_theOtherDoesAtOnce() {
    Replica first = new Replica("first", Duration.ofMinutes(1)).leading();
    Replica second = new Replica("second", Duration.ofMinutes(1));
    await().atMost(SOON).until(() -> first.renewals.size() > 3);
    assertThat(second.leads()).isFalse();
    assertThat(holder()).isEqualTo("first");

    first.election.close();

    second.leading();
    await().atMost(SOON).until(() -> holder().equals("second"));
    assertThat(lease().getSpec().getLeaseTransitions()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void theHolder_namesItsOwnAddress_andNotThatOfTheOneBefore() {
    LeaderLease first = lock("first", read -> {}, URI.create("http://127.0.0.1:1"));
    first.get(client());
    first.create(client(), record("first", LEASE, now()));
    assertThat(LeaderPod.find(client(), NAMESPACE, List.of(NAME)))
        .isEqualTo(new LeaderPlace.Here(URI.create("http://127.0.0.1:1")));

    LeaderLease second = lock("second");
    second.get(client());
    second.update(client(), record("second", LEASE, now()));

    assertThatThrownBy(() -> LeaderPod.find(client(), NAMESPACE, List.of(NAME)))
        .hasMessageContaining("is held by second, which is no pod");
  }

  @Test
  void theLeaseThatIsGivenBack_namesNobody() {
    Replica first = new Replica("first", LEASE).leading();
    // Until its first renewal the library's elector has nothing to cancel that gives back.
    await().atMost(SOON).until(() -> first.renewals.size() > 1);

    first.election.close();

    assertThat(holder()).isEmpty();
  }

  @Test
  void aReleaseThatARenewalInFlightHasOvertaken_isMadeAllTheSame() {
    LeaderLease leader = lock("first");
    leader.get(client());
    leader.create(client(), record("first", LEASE, now()));
    leader.get(client());
    LeaderLease inFlight = lock("first");
    inFlight.get(client());
    inFlight.update(client(), record("first", LEASE, now().plusSeconds(1)));

    leader.update(client(), record(null, LEASE, now()));

    assertThat(holder()).isEmpty();
  }

  @Test
  void aReleaseThatAnotherHolderHasOvertaken_isNot() {
    LeaderLease leader = lock("first");
    leader.get(client());
    leader.create(client(), record("first", LEASE, now()));
    leader.get(client());
    LeaderLease other = lock("second");
    other.get(client());
    other.update(client(), record("second", LEASE, now()));

    LeaderElectionRecord release = record(null, LEASE, now());
    assertThatThrownBy(() -> leader.update(client(), release))
        .isInstanceOf(KubernetesClientException.class);

    assertThat(holder()).isEqualTo("second");
  }

  /** As a container that was killed and started again in the same Pod. */
  @Test
  void aReplicaOfTheSameName_takesUpItsOwnLeaseAtOnce() {
    LeaderLease killed = lock("pod-1");
    killed.get(client());
    killed.create(client(), record("pod-1", Duration.ofHours(1), now()));

    Instant started = Instant.now();
    Replica next = new Replica("pod-1", LEASE).leading();

    assertThat(Duration.between(started, next.renewals.getFirst())).isLessThan(SOON);
    assertThat(lease().getSpec().getLeaseTransitions()).isZero();
  }

  /** The holder's clock is an hour slow: by it, the Lease has long expired. */
  @Test
  void aLeaseThatIsNotRenewed_isFree_itsDurationAfterItWasSeen() {
    ZonedDateTime slow = now().minusHours(1);
    LeaderLease dead = lock("dead");
    dead.get(client());
    dead.create(client(), record("dead", LEASE, slow));

    Instant started = Instant.now();
    Replica next = new Replica("next", LEASE).leading();

    assertThat(Duration.between(started, next.renewals.getFirst()))
        .isBetween(LEASE, LEASE.plus(SOON));
  }

  /** People pause all replicas by them. */
  @Test
  void annotationsOfTheLease_areReadBeforeEachWrite_andOutliveAllOfThem() {
    List<Map<String, String>> seen = new ArrayList<>();
    LeaderLease first = lock("first", lease -> seen.add(lease.getMetadata().getAnnotations()));
    first.get(client());
    first.create(client(), record("first", LEASE, now()));
    Map<String, String> annotations = Map.of("poolkeeper.io/paused-until", "x", "other", "y");
    annotate(annotations);

    first.get(client());
    first.update(client(), record("first", LEASE, now().plusSeconds(1)));
    assertThat(lease().getMetadata().getAnnotations()).isEqualTo(annotations);
    LeaderLease second = lock("second", any -> {});
    second.get(client());
    second.update(client(), record("second", LEASE, now()));
    assertThat(lease().getMetadata().getAnnotations()).isEqualTo(annotations);
    second.get(client());
    annotate(Map.of("other", "z"));
    second.update(client(), record(null, LEASE, now()));

    assertThat(holder()).isEmpty();
    assertThat(lease().getMetadata().getAnnotations())
        .isEqualTo(Map.of("poolkeeper.io/paused-until", "x", "other", "z"));
    assertThat(seen).containsExactly(annotations);
  }

  /** The watch is another thread, and may be behind. */
  @Test
  void aPause_isHeardOnce_whoeverReadsItFirst_andNoRenewalIs() {
    LeaderLease leader = lock("first");
    leader.get(client());
    leader.create(client(), record("first", LEASE, now()));
    Lease before = lease();
    annotate(Map.of("poolkeeper.io/paused-until", "x"));
    List<Map<String, String>> heard = new CopyOnWriteArrayList<>();
    try (KubePauses pauses = pauses(LEASE)) {
      pauses.start(read -> heard.add(read.annotations()));

      pauses.read(lease());
      pauses.read(before);
      leader.get(client());
      leader.update(client(), record("first", LEASE, now().plusSeconds(1)));
      pauses.read(lease());
      annotate(Map.of("other", "y"));
      annotate(Map.of("poolkeeper.io/paused-until", "z"));

      await().atMost(SOON).until(() -> heard.size() > 1);
      client().leases().inNamespace(NAMESPACE).withName(NAME).delete();
      await().atMost(SOON).until(() -> heard.size() > 2);
    }
    assertThat(heard)
        .containsExactly(
            Map.of("poolkeeper.io/paused-until", "x"),
            Map.of("poolkeeper.io/paused-until", "z"),
            Map.of());
  }

  private void annotate(Map<String, String> annotations) {
    client()
        .leases()
        .inNamespace(NAMESPACE)
        .withName(NAME)
        .edit(
            lease ->
                new LeaseBuilder(lease)
                    .editMetadata()
                    .addToAnnotations(annotations)
                    .endMetadata()
                    .build());
  }

  @Test
  void aLeaseWithoutSpec_isFree_andKeepsItsLabels() {
    client()
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(NAME)
                .addToLabels("team", "network")
                .endMetadata()
                .build())
        .create();

    new Replica("first", LEASE).leading();

    await().atMost(SOON).until(() -> holder().equals("first"));
    assertThat(lease().getMetadata().getLabels()).containsEntry("team", "network");
  }

  @Test
  void aLeaderWhoseLeaseWasTaken_hearsByWhom_andDoesNotTakeItBack() {
    Replica first = new Replica("first", LEASE).leading();
    await()
        .atMost(SOON)
        .ignoreException(KubernetesClientException.class)
        .until(
            () -> {
              LeaderLease thief = lock("thief");
              thief.get(client());
              thief.update(client(), record("thief", LEASE, now()));
              return true;
            });

    await().atMost(SOON).until(() -> !first.ends.isEmpty());

    assertThat(first.ends).containsExactly("the leader's lease was taken by thief");
    first.election.close();
    assertThat(holder()).isEqualTo("thief");
  }

  @Test
  void aWrite_ofWhatAnotherOneHasWrittenSince_isRefused() {
    LeaderLease one = lock("one");
    LeaderLease other = lock("other");
    one.get(client());
    one.create(client(), record("one", LEASE, now()));
    other.get(client());
    one.get(client());
    one.update(client(), record("one", LEASE, now()));

    assertThatThrownBy(() -> other.update(client(), record("other", LEASE, now())))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    assertThat(holder()).isEqualTo("one");
  }

  /** After a call that took long the elector makes all tries that it has missed at once. */
  @Test
  void aStandby_skipsTriesThatComeTooSoon() {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    Duration period = Duration.ofSeconds(2);
    LeaderLease standby =
        new LeaderLease(
            settings(LEASE, period),
            NAMESPACE,
            "one",
            now::get,
            now::get,
            any -> {},
            read -> {},
            Optional::empty);
    standby.get(client());
    now.set(Instant.EPOCH.plusMillis(999));

    assertThatThrownBy(() -> standby.get(client()))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));

    now.set(Instant.EPOCH.plusMillis(1_000));
    assertThat(standby.get(client())).isNull();
  }

  @Test
  void aLeaseThatTwoCreate_isOfOne() {
    LeaderLease one = lock("one");
    LeaderLease other = lock("other");
    one.get(client());
    other.get(client());
    one.create(client(), record("one", LEASE, now()));

    assertThatThrownBy(() -> other.create(client(), record("other", LEASE, now())))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
  }
}
