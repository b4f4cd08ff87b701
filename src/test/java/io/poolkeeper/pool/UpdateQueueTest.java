package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What failed in front, the oldest first; and which rules are whose. */
class UpdateQueueTest {
  private static final ServiceKey SHOP = new ServiceKey("default", "shop");
  private static final Operation WEB_OLD = Operation.fresh(WEB, 1, T0);
  private static final Operation WEB_NEW = Operation.fresh(WEB, 1, T0.plusSeconds(1));
  private static final Operation API_OP = Operation.fresh(API, 2, T0);
  private static final Operation SHOP_OP = Operation.fresh(SHOP, 3, T0);

  private static final Instant DUE = T0.plusSeconds(30);
  private static final Operation WEB_RETRIED = WEB_OLD.consumed(Optional.empty());

  private static UpdateQueue queue(Operation... operations) {
    return new UpdateQueue(List.of(operations), Optional.empty(), false);
  }

  private static UpdateQueue retried(Operation... operations) {
    return new UpdateQueue(List.of(operations), Optional.of(DUE), false);
  }

  @Test
  void add_anotherService_isLast() {
    assertThat(UpdateQueue.EMPTY.add(WEB_OLD).add(API_OP)).isEqualTo(queue(WEB_OLD, API_OP));
  }

  @Test
  void add_sameServiceNeverAttempted_takesItsPlaceAndItsAge() {
    assertThat(queue(WEB_OLD, API_OP).add(WEB_NEW)).isEqualTo(queue(WEB_OLD, API_OP));
    assertThat(queue(WEB_OLD).add(Operation.fresh(WEB, 9, T0.plusSeconds(1))))
        .isEqualTo(queue(Operation.fresh(WEB, 9, T0)));
  }

  @Test
  void add_sameServiceRetried_isAppended() {
    assertThat(retried(WEB_RETRIED, API_OP).add(WEB_NEW))
        .isEqualTo(retried(WEB_RETRIED, API_OP, WEB_NEW));
  }

  @Test
  void prepend_freshOnesCameMeanwhile_areBehind() {
    assertThat(queue(SHOP_OP).prepend(List.of(WEB_OLD, API_OP), DUE))
        .isEqualTo(queue(WEB_OLD, API_OP, SHOP_OP));
    assertThat(queue(SHOP_OP, WEB_NEW).prepend(List.of(WEB_RETRIED), DUE))
        .isEqualTo(retried(WEB_RETRIED, SHOP_OP, WEB_NEW));
  }

  @Test
  void prepend_freshOneOfTheSameService_isTheSameChangeAgain() {
    assertThat(queue(WEB_NEW).prepend(List.of(WEB_OLD, API_OP), DUE))
        .as("and as old")
        .isEqualTo(queue(API_OP, WEB_OLD));
    assertThat(queue(WEB_NEW, SHOP_OP).prepend(List.of(WEB_RETRIED), DUE))
        .as("not so one that is another change")
        .isEqualTo(retried(WEB_RETRIED, WEB_NEW, SHOP_OP));
  }

  @Test
  void without_service_dropsItsOperationsOnly() {
    assertThat(queue(WEB_OLD, API_OP).without(WEB)).isEqualTo(queue(API_OP));
    assertThat(queue(API_OP).without(WEB)).isEqualTo(queue(API_OP));
    assertThat(retried(WEB_RETRIED, API_OP, WEB_NEW).without(WEB)).isEqualTo(queue(API_OP));
  }

  @Test
  void retryDue_onlyWhileSomethingIsRetried() {
    assertThat(retried(WEB_RETRIED, API_OP).retryDue()).contains(DUE);
    assertThat(retried(WEB_RETRIED, API_OP).without(WEB).retryDue()).isEmpty();
  }

  @Test
  void parkedUntil_severalOperations_isTheLatestThatIsStillToCome() {
    Operation soon = API_OP.consumed(Optional.of(T0.plusSeconds(10)));
    Operation late = WEB_OLD.consumed(Optional.of(T0.plusSeconds(20)));
    UpdateQueue queue = retried(soon, late, SHOP_OP);

    assertThat(queue.parkedUntil(T0)).contains(T0.plusSeconds(20));
    assertThat(queue.parkedUntil(T0.plusSeconds(20).minusNanos(1))).contains(T0.plusSeconds(20));
    assertThat(queue.parkedUntil(T0.plusSeconds(20))).isEmpty();
    assertThat(queue(SHOP_OP).parkedUntil(T0)).isEmpty();
  }

  @Test
  void constructor_retryCountsThatDoNotFall_areRefused() {
    assertThatThrownBy(() -> queue(WEB_OLD, WEB_NEW)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> retried(WEB_OLD, WEB_RETRIED))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> retried(WEB_RETRIED, WEB_RETRIED))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anyHistory_holdsAtMostMaxRetriesPlusOneOperationsOfAService() {
    int maxRetries = 3;
    int fullest = 0;
    for (long seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      UpdateQueue queue = UpdateQueue.EMPTY;
      List<Operation> taken = List.of();
      for (int step = 0; step < 100; step++) {
        Instant now = T0.plusSeconds(step);
        switch (random.nextInt(4)) {
          case 0 -> queue = queue.add(Operation.fresh(WEB, 1, now));
          case 1 -> queue = queue.add(Operation.fresh(API, 2, now));
          case 2 -> {
            if (taken.isEmpty()) {
              taken = queue.operations();
              queue = UpdateQueue.EMPTY;
            }
          }
          default -> {
            List<Operation> back =
                taken.stream()
                    .filter(operation -> operation.retryCount() < maxRetries)
                    .map(operation -> operation.consumed(Optional.empty()))
                    .toList();
            queue = queue.prepend(back, now);
            taken = List.of();
          }
        }
        long ofWeb = queue.operations().stream().filter(o -> o.service().equals(WEB)).count();
        assertThat(ofWeb).isLessThanOrEqualTo(maxRetries + 1);
        fullest = Math.max(fullest, (int) ofWeb);
      }
    }
    assertThat(fullest).isEqualTo(maxRetries + 1);
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
