package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** At most one operation per Service, oldest first; and which rules are whose. */
class UpdateQueueTest {
  private static final ServiceKey SHOP = new ServiceKey("default", "shop");
  private static final Operation WEB_OLD = new Operation(WEB, 1, T0);
  private static final Operation WEB_NEW = new Operation(WEB, 1, T0.plusSeconds(1));
  private static final Operation API_OP = new Operation(API, 2, T0);
  private static final Operation SHOP_OP = new Operation(SHOP, 3, T0);

  private static UpdateQueue queue(Operation... operations) {
    return new UpdateQueue(List.of(operations));
  }

  @Test
  void add_anotherService_isLast() {
    assertThat(UpdateQueue.EMPTY.add(WEB_OLD).add(API_OP)).isEqualTo(queue(WEB_OLD, API_OP));
  }

  @Test
  void add_sameService_takesTheEarlierOnesPlace() {
    assertThat(queue(WEB_OLD, API_OP).add(WEB_NEW)).isEqualTo(queue(WEB_NEW, API_OP));
  }

  @Test
  void putBack_freshOnesCameMeanwhile_areBehind() {
    assertThat(queue(SHOP_OP).putBack(List.of(WEB_OLD, API_OP)))
        .isEqualTo(queue(WEB_OLD, API_OP, SHOP_OP));
  }

  @Test
  void putBack_freshOneOfTheSameService_replacesIt() {
    assertThat(queue(WEB_NEW).putBack(List.of(WEB_OLD, API_OP))).isEqualTo(queue(API_OP, WEB_NEW));
  }

  @Test
  void without_service_dropsItsOperationOnly() {
    assertThat(queue(WEB_OLD, API_OP).without(WEB)).isEqualTo(queue(API_OP));
    assertThat(queue(API_OP).without(WEB)).isEqualTo(queue(API_OP));
  }

  @Test
  void constructor_twoOperationsOfOneService_areRefused() {
    assertThatThrownBy(() -> queue(WEB_OLD, WEB_NEW)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void owns_prefixUpToADashOrTheEnd_ignoringCase() {
    assertThat(Assignment.owns("aweb", Set.of("AWEB-TCP-80"))).isTrue();
    assertThat(Assignment.owns("aWeb", Set.of("other", "aweb"))).isTrue();
    assertThat(Assignment.owns("aweb", Set.of("aweb-subnet-UDP-53-IPv6"))).isTrue();
    assertThat(Assignment.owns("aweb", Set.of("aweb2-TCP-80"))).isFalse();
    assertThat(Assignment.owns("aweb", Set.of("xaweb-TCP-80", "awe", ""))).isFalse();
    assertThat(Assignment.owns("aweb", Set.of())).isFalse();
  }

  @Test
  void assignment_blankPrefix_isRefused() {
    assertThatThrownBy(() -> new Assignment(WEB, "uid", 1, " "))
        .hasMessageContaining("default/web");
  }
}
