package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.SHUTDOWN;
import static io.poolkeeper.node.NodeDriver.T0;
import static io.poolkeeper.node.NodeDriver.WINDOW;
import static io.poolkeeper.node.NodeDriver.key;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.pool;
import static io.poolkeeper.node.NodeDriver.synced;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.OutOfService.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@code /api/v1/nodes} says of nodes that are leaving or returning. */
class NodesViewTest {
  private static final ArmFailure FORBIDDEN =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "AuthorizationFailed", "no rights");

  /** Three pools that have dealt with version 1, and n4 leaving since version 2. */
  private static NodeDriver leaving() {
    NodeDriver driver = synced(node("n4"), node("n5")).appeared("c", "b", "a").listed(1);
    return driver.bothReported(1).reported("c", 1).change(node("n4", OUT)).snapshot();
  }

  private static NodesView.Item only(NodeDriver driver) {
    assertThat(driver.view().items()).hasSize(1);
    return driver.view().items().getFirst();
  }

  @Test
  void noSignal_hasNoItem() {
    assertThat(synced(node("n4")).view().items()).isEmpty();
    assertThat(NodesView.UNKNOWN.items()).isEmpty();
  }

  @Test
  void leaving_beforeAnyReport_isPendingNowhereAndUnreportedEverywhere() {
    NodesView.Item item = only(leaving());

    assertThat(item)
        .isEqualTo(
            new NodesView.Item(
                key("n4"),
                "uid-n4",
                "Leaving",
                Set.of(Reason.OUT_OF_SERVICE),
                Optional.of(T0.plus(WINDOW)),
                false,
                List.of(),
                List.of(),
                3,
                Optional.empty()));
  }

  @Test
  void leaving_namesThePoolsThatHaveItToWrite_andCountsThoseThatHaveNotReported() {
    NodesView.Item item = only(leaving().reported("c", 2, "n4").reported("a", 2, "n4"));

    assertThat(item.pending()).containsExactly(pool("a"), pool("c"));
    assertThat(item.unreported()).isEqualTo(1);
    assertThat(item.lastError()).isEmpty();
    assertThat(item.done()).isFalse();
  }

  /** Whose failure, the list of pending pools says; once it is empty, there is none. */
  @Test
  void failure_isShownWhileAPoolHasTheNodeToWrite() {
    NodeDriver driver = leaving().failed("a", 2, FORBIDDEN, "n4");
    assertThat(only(driver).lastError()).contains(FORBIDDEN);

    driver.reported("a", 2);

    assertThat(only(driver).lastError()).isEmpty();
  }

  @Test
  void done_withAPoolThatAppearsLater_staysDoneUntilThatPoolHasItToWrite() {
    NodeDriver driver = leaving().listed(2);
    driver.bothReported(2).reported("c", 2);
    assertThat(only(driver).done()).isTrue();

    driver.appeared("d");
    assertThat(only(driver).done()).isTrue();
    assertThat(only(driver).unreported()).as("it counts no more").isZero();
    driver.reported("d", 2, "n4");

    assertThat(only(driver).done()).isFalse();
    assertThat(only(driver).pending()).containsExactly(pool("d"));
  }

  @Test
  void reasons_areThoseOfTheNewestSnapshot_andNoneOnTheWayBack() {
    NodeDriver driver = leaving().change(node("n4", OUT, SHUTDOWN)).snapshot();
    assertThat(only(driver).reasons())
        .containsExactlyInAnyOrder(Reason.OUT_OF_SERVICE, Reason.SHUTDOWN);

    driver.change(node("n4")).snapshot();

    assertThat(only(driver).reasons()).isEmpty();
    assertThat(only(driver).state()).isEqualTo("Returning");
    assertThat(only(driver).since()).isPresent();
  }

  /** When it was tainted nobody knows; what is shown is when this process saw it first. */
  @Test
  void since_ofANodeThatLeftBeforeTheProcessBegan_isWhenItWasSeen() {
    NodesView.Item item = only(synced(node("n4", OUT)));

    assertThat(item.since()).contains(T0);
  }
}
