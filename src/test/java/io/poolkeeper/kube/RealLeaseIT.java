package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.poolkeeper.lock.LeaseAnswer;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.LeaseView.Whose;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shared Lease on a real API server: what it takes, and what it refuses. */
@Tag("real-apiserver")
class RealLeaseIT {
  private static final String NAME = "aks-managed-resource-locker";
  private static final LeaseView NONE = new LeaseView(0, Optional.empty());

  private static RealApiServer server;

  private final Queue<LeaseView> seen = new ConcurrentLinkedQueue<>();
  private final KubeLeases ours = start(seen);
  private final KubeLeases replica = start(new ConcurrentLinkedQueue<>());

  @BeforeAll
  static void startServer() {
    server = RealApiServer.shared();
  }

  @AfterEach
  void stop() {
    ours.close();
    replica.close();
    lease().delete();
  }

  private static KubeLeases start(Queue<LeaseView> seen) {
    return new KubeLeases(
        server.client(),
        new KubeLeases.Terms(
            "kube-system",
            NAME,
            "poolkeeper",
            Duration.ofMinutes(15),
            Optional.of("default/leader")),
        InstantSource.system(),
        InstantSource.system(),
        seen::add);
  }

  private static Resource<Lease> lease() {
    KubernetesClient client = server.client();
    return client.leases().inNamespace("kube-system").withName(NAME);
  }

  private static LeaseAnswer done(CompletionStage<LeaseAnswer> call) {
    return call.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  private static LeaseView view(LeaseAnswer answer) {
    assertThat(answer).isInstanceOf(LeaseAnswer.Is.class);
    return ((LeaseAnswer.Is) answer).view();
  }

  private static Whose whose(LeaseView view) {
    return view.holder().orElseThrow().whose();
  }

  /** As the cloud provider does it. */
  private static void peerTakes(int seconds) {
    var now = Instant.now().atZone(ZoneOffset.UTC);
    lease()
        .edit(
            before ->
                new LeaseBuilder(before)
                    .editSpec()
                    .withHolderIdentity("cloud-controller-manager")
                    .withLeaseDurationSeconds(seconds)
                    .withAcquireTime(now)
                    .withRenewTime(now)
                    .endSpec()
                    .build());
  }

  @Test
  void take_isMadeTakenAndGivenBack_asTheCloudProviderReadsIt() {
    assertThat(done(ours.read())).isEqualTo(new LeaseAnswer.Is(NONE));

    LeaseView taken = view(done(ours.take(NONE)));
    assertThat(whose(taken)).isEqualTo(Whose.OURS);
    assertThat(lease().get().getSpec().getHolderIdentity()).isEqualTo("poolkeeper");
    assertThat(lease().get().getSpec().getLeaseDurationSeconds()).isEqualTo(900);
    assertThat(lease().get().getSpec().getRenewTime())
        .isEqualTo(lease().get().getSpec().getAcquireTime());
    assertThat(lease().get().getMetadata().getAnnotations())
        .containsEntry("aks-managed-resource-locker-previous-holder", "poolkeeper")
        .containsEntry("poolkeeper.io/writer", "default/leader");
    LeaseView back = view(done(ours.giveBack(taken)));

    assertThat(back.holder()).isEmpty();
    assertThat(lease().get().getSpec().getHolderIdentity()).isEmpty();
    assertThat(whose(view(done(ours.take(back))))).isEqualTo(Whose.OURS);
  }

  @Test
  void take_twoWritersWithTheSameVersion_oneIsRefused() {
    done(ours.take(NONE));
    LeaseView read = view(done(replica.read()));
    assertThat(whose(read)).as("of another process").isEqualTo(Whose.NAMESAKE);
    LeaseView mine = view(done(ours.read()));

    assertThat(whose(view(done(replica.take(read))))).isEqualTo(Whose.OURS);

    assertThat(done(ours.giveBack(mine))).isEqualTo(new LeaseAnswer.Conflict());
    assertThat(whose(view(done(ours.read())))).isEqualTo(Whose.NAMESAKE);
  }

  @Test
  void take_madeByAnotherMeanwhile_isRefused() {
    assertThat(view(done(replica.take(NONE))).holder()).isPresent();

    assertThat(done(ours.take(NONE))).isEqualTo(new LeaseAnswer.Conflict());
  }

  @Test
  void take_longerDuration_staysAsItIs() {
    LeaseView back = view(done(ours.giveBack(view(done(ours.take(NONE))))));
    peerTakes(1_800);
    assertThat(back.holder()).isEmpty();
    assertThat(writer()).as("after a write of the cloud provider").isEqualTo("default/leader");

    done(ours.take(view(done(ours.read()))));

    assertThat(lease().get().getSpec().getLeaseDurationSeconds()).isEqualTo(1_800);
  }

  @Test
  void take_afterAnotherInstallation_namesOurLeader() {
    view(done(ours.giveBack(view(done(ours.take(NONE))))));
    lease()
        .edit(
            before ->
                before
                    .edit()
                    .editMetadata()
                    .addToAnnotations("poolkeeper.io/writer", "b/leader")
                    .endMetadata()
                    .build());

    LeaseView taken = view(done(ours.take(view(done(ours.read())))));

    assertThat(writer()).isEqualTo("default/leader");
    done(ours.giveBack(taken));
    assertThat(writer()).isEqualTo("default/leader");
  }

  private static String writer() {
    return lease().get().getMetadata().getAnnotations().get("poolkeeper.io/writer");
  }

  @Test
  void giveBack_stolenOrDeleted_isRefused_andSeenByTheWatch() {
    LeaseView taken = view(done(ours.take(NONE)));
    peerTakes(900);
    assertThat(done(ours.giveBack(taken))).isEqualTo(new LeaseAnswer.Conflict());
    await().until(() -> seen.stream().anyMatch(RealLeaseIT::peers));

    LeaseView read = view(done(ours.read()));
    lease().delete();

    assertThat(done(ours.giveBack(read))).isEqualTo(new LeaseAnswer.Conflict());
    await()
        .until(() -> seen.stream().reduce((one, other) -> other).orElseThrow().holder().isEmpty());
  }

  private static boolean peers(LeaseView view) {
    return view.holder().map(holder -> holder.identity().startsWith("cloud-")).orElse(false);
  }
}
