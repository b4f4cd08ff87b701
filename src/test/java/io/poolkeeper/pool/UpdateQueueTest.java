package io.poolkeeper.pool;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What failed in front, the oldest first; and which rules are whose. A change is written {@code
 * web1}: of that Service, a second after the beginning; with a star, it was tried before.
 */
class UpdateQueueTest {
  private static final Instant DUE = T0.plusSeconds(30);

  private static List<Operation> changes(String text) {
    return PoolFixtures.words(text).map(UpdateQueueTest::change).toList();
  }

  private static Operation change(String text) {
    ServiceKey service = new ServiceKey("default", text.substring(0, 3));
    Operation fresh = fresh(service, 1, text.charAt(3) - '0');
    return text.endsWith("*") ? fresh.consumed(Optional.empty()) : fresh;
  }

  private static Operation fresh(ServiceKey service, long ownership, int second) {
    return Operation.fresh(
        PoolFixtures.owns(service, "uid", ownership, "rule"), T0.plusSeconds(second));
  }

  private static UpdateQueue queue(String text) {
    return new UpdateQueue(
        changes(text), Optional.of(DUE).filter(any -> text.contains("*")), false);
  }

  @ParameterizedTest
  @CsvSource({
    "'', web0, web0",
    "web0, api0, web0 api0",
    "web0 api0, web1, web0 api0", // its place and its age
    "web0* api0, web1, web0* api0 web1"
  })
  void add_change_isLastOrTheSameAsOneNeverTried(String before, String change, String after) {
    assertThat(queue(before).add(change(change))).isEqualTo(queue(after));
  }

  @Test
  void add_underAnotherOwnership_isOfThatOne() {
    assertThat(queue("web0").add(fresh(WEB, 9, 1)).operations()).containsExactly(fresh(WEB, 9, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "shp0, web0 api0, web0 api0 shp0",
    "shp0 web1, web0*, web0* shp0 web1",
    "web1, web0 api0, api0 web0", // the same change again, and as old
    "web1 shp0, web0*, web0* web1 shp0"
  })
  void prepend_changes_areInFrontOfWhatCameMeanwhile(String before, String back, String after) {
    assertThat(queue(before).prepend(changes(back), DUE)).isEqualTo(queue(after));
  }

  @ParameterizedTest
  @CsvSource({"web0 api0, api0", "api0, api0", "web0* api0 web1, api0"})
  void without_service_dropsItsOperationsOnly(String before, String after) {
    assertThat(queue(before).without(WEB)).isEqualTo(queue(after));
  }

  @Test
  void parkedUntil_severalOperations_isTheLatestThatIsStillToCome() {
    Operation soon = change("api0").consumed(Optional.of(T0.plusSeconds(10)));
    Operation late = change("web0").consumed(Optional.of(T0.plusSeconds(20)));
    UpdateQueue queue =
        new UpdateQueue(List.of(soon, late, change("shp0")), Optional.of(DUE), false);

    assertThat(queue.parkedUntil(T0)).contains(T0.plusSeconds(20));
    assertThat(queue.parkedUntil(T0.plusSeconds(20).minusNanos(1))).contains(T0.plusSeconds(20));
    assertThat(queue.parkedUntil(T0.plusSeconds(20))).isEmpty();
    assertThat(queue("shp0").parkedUntil(T0)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"web0 web1", "web0 web0*", "web0* web0*"})
  void constructor_retryCountsThatDoNotFall_areRefused(String changes) {
    assertThatThrownBy(() -> queue(changes)).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "aweb, AWEB-TCP-80, true",
    "aWeb, other aweb, true",
    "aweb, aweb-subnet-UDP-53-IPv6, true",
    "aweb, aweb2-TCP-80, false",
    "aweb, xaweb-TCP-80 awe, false",
    "aweb, '', false"
  })
  void owns_prefixUpToADashOrTheEnd_ignoringCase(String prefix, String rules, boolean owns) {
    Set<String> all = Set.of(rules.split(" ", -1));

    assertThat(Ownership.owns(prefix, all)).isEqualTo(owns);
  }

  @Test
  void assignment_blankPrefix_isRefused() {
    assertThatThrownBy(() -> PoolFixtures.owns(WEB, "uid", 1, " "))
        .hasMessageContaining("default/web");
  }
}
