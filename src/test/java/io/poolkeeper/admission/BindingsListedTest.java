package io.poolkeeper.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsEvent.Listed;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BindingsListedTest {
  private static final PoolId POOL = new LoadBalancerId("sub", "rg", "gateway").pool("blue");

  private static Listed refused(String text, int status) {
    ArmFailure why = new ArmFailure(ArmFailure.Kind.RESPONSE, status, "Refused", text);
    return new Listed(Set.of(), Map.of(POOL, why), Map.of());
  }

  /** A correlation id in a text would cost each binding a read and a write per listing. */
  @Test
  void differing_onlyTheTextOfAFailure_isNoNews() {
    assertThat(refused("id 1", 403).differing(refused("id 2", 403))).isEmpty();
    assertThat(refused("id 1", 403).differing(refused("id 1", 500))).containsExactly(POOL);
    assertThat(refused("id 1", 403).differing(Listed.NOTHING)).containsExactly(POOL);
    assertThat(Listed.NOTHING.differing(refused("id 1", 403))).containsExactly(POOL);
  }
}
