package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeViewsTest {
  private final Node full =
      new NodeBuilder()
          .withNewMetadata()
          .withName("Node-1")
          .withUid("u-1")
          .withCreationTimestamp("2026-01-01T00:00:00Z")
          .addToLabels("zone", "1")
          .addToAnnotations("poolkeeper.io/preemption-handled", "an-id")
          .addToAnnotations("volumes.kubernetes.io/controller-managed-attach-detach", "true")
          .endMetadata()
          .withNewSpec()
          .withProviderID("azure:///subscriptions/S/machine")
          .addNewTaint("NoExecute", "node.kubernetes.io/out-of-service", null, "nodeshutdown")
          .endSpec()
          .withNewStatus()
          .addNewAddress("Node-1", "Hostname")
          .addNewAddress("10.0.0.4", "internalip")
          .addNewAddress("52.1.2.3", "ExternalIP")
          .addNewAddress("fd00:0:0::4", "InternalIP")
          .addNewAddress("10.0.0.5", "InternalIP")
          .addNewAddress("not-an-address", "InternalIP")
          .addNewAddress(null, "InternalIP")
          .addToConditions(
              condition("Ready", "True", "kubelet is posting ready status"),
              condition("VMEventScheduled", "True", "Preempt Scheduled: soon."),
              condition("PreemptionScheduled", "True", "Preempt Scheduled: sooner."))
          .endStatus()
          .build();

  @Test
  void view_node_hasEveryField() {
    assertThat(NodeViews.view(full))
        .isEqualTo(
            new NodeView(
                new NodeKey("Node-1"),
                "u-1",
                List.of(Address.of("10.0.0.4"), Address.of("fd00::4"), Address.of("10.0.0.5")),
                Map.of("zone", "1"),
                Set.of("node.kubernetes.io/out-of-service"),
                false,
                "azure:///subscriptions/S/machine",
                Instant.parse("2026-01-01T00:00:00Z"),
                List.of("Preempt Scheduled: soon.", "Preempt Scheduled: sooner."),
                "an-id",
                true));
    assertThat(NodeViews.view(full).machine()).contains("/subscriptions/s/machine");
  }

  @Test
  void view_conditionThatIsNotTrue_announcesNothing() {
    Node calm =
        new NodeBuilder(full)
            .editStatus()
            .withConditions(
                condition("VMEventScheduled", "False", "VM has no scheduled event"),
                condition("PreemptionScheduled", "Unknown", "Preempt Scheduled: soon."),
                condition("VMEventScheduled", "True", null))
            .endStatus()
            .build();

    assertThat(NodeViews.view(calm).preemptions()).isEmpty();
  }

  @Test
  void view_bareNode_hasNoAddressesLabelsOrTaints() {
    Node bare = new NodeBuilder().withNewMetadata().withName("n").endMetadata().build();
    bare.getMetadata().setLabels(null);

    assertThat(NodeViews.view(bare))
        .isEqualTo(new NodeView(new NodeKey("n"), "", List.of(), Map.of(), Set.of(), false));
  }

  @Test
  void view_beingDeleted_saysSo() {
    Node deleting =
        new NodeBuilder(full)
            .editMetadata()
            .withDeletionTimestamp("2026-01-01T00:00:00Z")
            .endMetadata()
            .build();

    assertThat(NodeViews.view(deleting).deleting()).isTrue();
  }

  @Test
  void view_heartbeat_staysEqual() {
    Node beaten =
        new NodeBuilder(full)
            .editMetadata()
            .withResourceVersion("99")
            .addToAnnotations("a", "b")
            .endMetadata()
            .editStatus()
            .editMatchingCondition(any -> any.getType().equals("Ready"))
            .withLastHeartbeatTime("2026-01-01T00:00:00Z")
            .endCondition()
            .editMatchingCondition(any -> any.getType().equals("VMEventScheduled"))
            .withLastHeartbeatTime("2026-01-01T00:00:00Z")
            .endCondition()
            .endStatus()
            .build();

    assertThat(NodeViews.view(beaten)).isEqualTo(NodeViews.view(full));
  }

  private static NodeCondition condition(String type, String status, @Nullable String message) {
    return new NodeConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withMessage(message)
        .build();
  }
}
