package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.node.NodeEffect;
import io.poolkeeper.node.PatchResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KubeNodePatchesTest {
  private static final String DRAINING = "cloudprovider.azure.microsoft.com/draining";
  private static final String HANDLED = "poolkeeper.io/preemption-handled";
  private static final Taint OURS =
      new TaintBuilder()
          .withKey(DRAINING)
          .withValue("spot-eviction")
          .withEffect("NoSchedule")
          .build();

  private final EmbeddedCluster cluster = EmbeddedCluster.start(0);
  private final KubeNodePatches patches = new KubeNodePatches(cluster.client());

  @AfterEach
  void stop() {
    patches.close();
    cluster.close();
  }

  @Test
  void patch_bareNode_getsTaintAndAnnotation() {
    String uid = create(node -> node);

    assertThat(patch(uid, true, "an-id", "a date")).isEqualTo(PatchResult.DONE);

    assertThat(node().getSpec().getTaints()).containsExactly(OURS);
    assertThat(node().getMetadata().getAnnotations())
        .containsExactlyEntriesOf(Map.of(HANDLED, "an-id; a date"));
  }

  @Test
  void patch_nodeWithTaintsAndAnnotations_keepsThem() {
    Taint other = new TaintBuilder().withKey("other").withEffect("NoExecute").build();
    String uid =
        create(
            node ->
                node.editOrNewSpec()
                    .addToTaints(other)
                    .endSpec()
                    .editMetadata()
                    .addToAnnotations("a", "b")
                    .addToAnnotations(HANDLED, "before")
                    .endMetadata());

    assertThat(patch(uid, true, "an-id")).isEqualTo(PatchResult.DONE);

    assertThat(node().getSpec().getTaints()).containsExactly(other, OURS);
    assertThat(node().getMetadata().getAnnotations())
        .isEqualTo(Map.of("a", "b", HANDLED, "before; an-id"));
  }

  @Test
  void patch_nodeThatIsTaintedOtherwise_isAnnotatedOnly() {
    Taint manual = new TaintBuilder(OURS).withValue(null).withEffect("NoExecute").build();
    String uid = create(node -> node.editOrNewSpec().addToTaints(manual).endSpec());

    assertThat(patch(uid, true, "an-id")).isEqualTo(PatchResult.DONE);

    assertThat(node().getSpec().getTaints()).containsExactly(manual);
    assertThat(node().getMetadata().getAnnotations()).containsEntry(HANDLED, "an-id");
  }

  @Test
  void patch_preemptionThatWasHandled_changesNothing() {
    String uid =
        create(node -> node.editMetadata().addToAnnotations(HANDLED, "an-id").endMetadata());
    String version = node().getMetadata().getResourceVersion();

    assertThat(patch(uid, true, "an-id")).isEqualTo(PatchResult.DONE);

    assertThat(node().getMetadata().getResourceVersion()).isEqualTo(version);
  }

  @Test
  void patch_preemptionThatWasHandledUnderAnotherId_doesNotTaint() {
    String uid =
        create(node -> node.editMetadata().addToAnnotations(HANDLED, "an-id").endMetadata());

    assertThat(patch(uid, true, "an-id", "a date")).isEqualTo(PatchResult.DONE);

    assertThat(node().getSpec() == null ? List.of() : node().getSpec().getTaints()).isEmpty();
    assertThat(node().getMetadata().getAnnotations()).containsEntry(HANDLED, "an-id; a date");
  }

  @Test
  void patch_withoutTaint_annotatesOnly() {
    String uid = create(node -> node);

    assertThat(patch(uid, false, "an-id")).isEqualTo(PatchResult.DONE);

    assertThat(node().getSpec() == null ? List.of() : node().getSpec().getTaints()).isEmpty();
    assertThat(node().getMetadata().getAnnotations()).containsEntry(HANDLED, "an-id");
  }

  @Test
  void patch_nodeOfAnotherUidOrNone_isGone() {
    assertThat(patch("no-uid", true, "an-id")).isEqualTo(PatchResult.GONE);
    create(node -> node);

    assertThat(patch("no-uid", true, "an-id")).isEqualTo(PatchResult.GONE);
    assertThat(node().getMetadata().getAnnotations()).isNullOrEmpty();
  }

  @Test
  void operations_anyPatch_testUidAndVersionFirst() {
    create(node -> node);
    Node read = node();

    assertThat(KubeNodePatches.operations(read, effect("u", true, "an-id")).subList(0, 2))
        .containsExactly(
            Map.of("op", "test", "path", "/metadata/uid", "value", "u"),
            Map.of(
                "op",
                "test",
                "path",
                "/metadata/resourceVersion",
                "value",
                read.getMetadata().getResourceVersion()));
  }

  @Test
  void patch_afterClose_fails() {
    patches.close();

    assertThat(patch("u", true, "an-id")).isEqualTo(PatchResult.FAILED);
  }

  private PatchResult patch(String uid, boolean taint, String... ids) {
    return patches
        .patch(effect(uid, taint, ids))
        .toCompletableFuture()
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
  }

  private static NodeEffect.Patch effect(String uid, boolean taint, String... ids) {
    return new NodeEffect.Patch(new NodeKey("node-1"), uid, List.of(ids), taint);
  }

  private Node node() {
    return cluster.client().nodes().withName("node-1").get();
  }

  private String create(UnaryOperator<NodeBuilder> change) {
    Node node = change.apply(new NodeBuilder(Samples.node("node-1", "10.0.0.1"))).build();
    return cluster.client().resource(node).create().getMetadata().getUid();
  }
}
