package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which events on Nodes are too many, too few or wrong. */
class NodeEventsTest {
  private static final String DOWN = "n LoadBalancerAdminStateDown";
  private static final String NONE = "n LoadBalancerAdminStateNone";
  private static final String FAILED = "n LoadBalancerAdminStateUpdateFailed";

  @Test
  void differences_asManyAsExpected_areNone() {
    NodeEvents seen = new NodeEvents(Map.of(DOWN, 2, NONE, 1), List.of());

    assertThat(seen.differences(Map.of(NONE, 1, DOWN, 2))).isEmpty();
  }

  @Test
  void differences_moreOrFewerOrOthers_areNamed() {
    NodeEvents seen = new NodeEvents(Map.of(DOWN, 2, FAILED, 1), List.of("n: Warning, x"));

    assertThat(seen.differences(Map.of(DOWN, 1, NONE, 1)))
        .containsExactly(
            "n: Warning, x",
            DOWN + ": 2 times, 1 expected",
            NONE + ": 0 times, 1 expected",
            FAILED + ": 1 times, 0 expected");
  }
}
