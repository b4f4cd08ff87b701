package io.poolkeeper.ops;

import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.SHUTDOWN;
import static io.poolkeeper.node.NodeDriver.T0;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.synced;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.node.NodeDriver;
import io.poolkeeper.node.NodeEvent;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.ops.StatusActor.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeJsonTest {
  private static final ArmFailure CONFLICT =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 409, "Conflict", "busy");

  /** Two pools that have dealt with version 1, then n4 leaves. */
  private static NodeDriver leaving() {
    return synced(node("n4"), node("n5"))
        .appeared("a", "b")
        .send(new NodeEvent.Listed(1))
        .reported("a", 1)
        .reported("b", 1)
        .change(node("n4", SHUTDOWN, OUT))
        .snapshot();
  }

  private static String json(NodesView view) {
    Snapshot empty = Scene.empty();
    Snapshot snapshot =
        Statuses.snapshot(
            List.of(), empty.knowledge(), empty.turnstile(), view, empty.bindings());
    return ApiJson.tree(NodeJson.of(Scene.moment(snapshot, T0))).toString();
  }

  @Test
  void nothingIsKnownOrNothingLeaves_isEmpty() {
    assertThat(json(NodesView.UNKNOWN)).isEqualTo("[]");
    assertThat(json(synced(node("n4")).view())).isEqualTo("[]");
  }

  @Test
  void nodeThatAllPoolsShow_isDone() {
    NodeDriver driver = leaving().send(new NodeEvent.Listed(2)).reported("a", 2).reported("b", 2);

    assertThat(json(driver.view()))
        .contains(
            "\"state\":\"Leaving\"", "\"done\":true,\"pending\":[],\"held\":[],\"unreported\":0");
  }

  @Test
  void nodeThatReturns_isThereUntilAllPoolsShowIt() {
    NodeDriver driver = leaving().change(node("n4")).snapshot().reported("a", 3);

    assertThat(json(driver.view()))
        .contains("\"state\":\"Returning\",\"reasons\":[]", "\"unreported\":1,\"lastError\":null");
    driver.reported("b", 3).send(new NodeEvent.Listed(3));

    assertThat(json(driver.view())).isEqualTo("[]");
  }
}
