package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.on;
import static io.poolkeeper.node.NodeDriver.synced;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.OutOfService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose the interfaces of single virtual machines are. */
class InterfacesTest {
  private static final String MACHINE =
      "/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachines/vm";
  private static final NodeEffect REQUEST = new NodeEffect.RequestRead();
  private static final NodeEvent GRANTED = new NodeEvent.ReadGranted();
  private static final Duration SPACING = Duration.ofMillis(Interfaces.SPACING_MILLIS);
  private static final ArmFailure FORBIDDEN =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "AuthorizationFailed", "no rights");

  private static NodeEvent seen(String... ids) {
    return new NodeEvent.InterfacesSeen(Set.of(ids));
  }

  private static NodeEffect read(String id) {
    return new NodeEffect.ReadInterface(id);
  }

  private static NodeEvent answer(String id, String machine) {
    return new NodeEvent.InterfaceRead(id, Optional.of(machine).filter(of -> !of.isEmpty()));
  }

  @Test
  void seen_areReadOneAfterTheOtherWithLeave_andOnlyOnce() {
    NodeDriver driver = synced(on(node("n4"), "azure://" + MACHINE)).send(seen("b", "a"));
    assertThat(driver.effects()).containsExactly(REQUEST);
    assertThat(driver.send(GRANTED).effects()).containsExactly(read("a"));

    driver.send(answer("a", MACHINE));
    assertThat(driver.effects()).isEmpty();
    assertThat(driver.after(SPACING).effects()).contains(REQUEST).doesNotContain(read("b"));
    assertThat(driver.send(GRANTED).effects()).containsExactly(read("b"));
    driver.send(answer("b", ""));

    driver.snapshot().effects();
    driver.send(seen("a", "b")).after(Duration.ofDays(1));
    assertThat(driver.effects()).isEmpty();
  }

  @Test
  void read_machineIsKnown_poolsHearOfItWithTheNextSnapshot() {
    NodeDriver driver = synced(on(node("n4", OUT), "azure://" + MACHINE)).send(seen("a", "b"));
    driver.send(GRANTED).send(answer("a", MACHINE)).snapshot();

    List<OutOfService> sent = driver.broadcasts();

    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().nodes().machines()).isEqualTo(Map.of("a", MACHINE));
  }

  @Test
  void read_interfaceOfNoMachine_isNoNews() {
    NodeDriver driver = synced(node("n4")).send(seen("a"));
    driver.send(GRANTED).send(answer("a", "")).after(Duration.ofMinutes(1));

    assertThat(driver.broadcasts()).isEmpty();
  }

  /** An interface is made before the machine that gets it. */
  @Test
  void read_interfaceOfNoMachine_isReadAgainWhenANodeIsNew() {
    NodeDriver driver = synced(node("n4")).send(seen("a"));
    driver.send(GRANTED).send(answer("a", "")).after(Duration.ofMinutes(1)).effects();

    driver.change(on(node("n5"), "azure://" + MACHINE));
    assertThat(driver.effects()).containsExactly(REQUEST);
    driver.send(GRANTED).send(answer("a", MACHINE)).snapshot();

    assertThat(driver.broadcasts().getLast().nodes().machines()).containsOnlyKeys("a");
  }

  /** One second, doubling to five minutes, half of it by chance. */
  @ParameterizedTest
  @CsvSource({"1, 0, 500", "1, 0.5, 750", "1, 0.999, 999", "3, 0.5, 3000", "99, 0.999, 299850"})
  void failed_again_isReadLaterAndLast(int failures, double random, long millis) {
    NodeDriver driver = synced(node("n4")).send(seen("a", "b"));
    for (int i = 1; i < failures; i++) {
      fail(driver).after(Duration.ofMinutes(5));
    }

    Duration before =
        Duration.between(driver.now(), fail(driver.random(random)).wakeAt().orElseThrow());

    assertThat(before.toMillis()).isEqualTo(millis);
    driver.after(before).send(GRANTED);
    assertThat(driver.effects()).contains(read(failures % 2 == 1 ? "b" : "a"));
  }

  private static NodeDriver fail(NodeDriver driver) {
    driver.send(GRANTED);
    String id = ((Interfaces.Reading) driver.state().interfaces().call()).ipConfiguration();
    return driver.send(new NodeEvent.InterfaceUnread(id, FORBIDDEN));
  }

  @Test
  void failed_isLoggedWhenItBegins() {
    NodeDriver driver = synced(node("n4")).send(seen("a"));
    NodeEffect unknown = new NodeEffect.InterfaceUnknown("a", FORBIDDEN);

    assertThat(fail(driver).effects()).contains(unknown);
    assertThat(fail(driver.after(Duration.ofMinutes(1))).effects()).doesNotContain(unknown);
    driver.after(Duration.ofMinutes(1)).send(GRANTED).send(answer("a", MACHINE));
    driver.send(seen("a", "c")).after(SPACING);
    assertThat(fail(driver).effects()).contains(new NodeEffect.InterfaceUnknown("c", FORBIDDEN));
  }

  @Test
  void gone_fromAllPools_isForgottenAndReadAgainWhenItIsBack() {
    NodeDriver driver = synced(node("n4")).send(seen("a"));
    driver.send(GRANTED).send(answer("a", MACHINE)).after(SPACING);
    driver.send(seen());
    driver.effects();

    driver.send(seen("a"));

    assertThat(driver.effects()).containsExactly(REQUEST);
  }

  @Test
  void gone_whileItIsWaitedFor_needsNoRead() {
    NodeDriver driver = synced(node("n4")).send(seen("a"));
    driver.send(seen());
    driver.effects();

    assertThat(driver.send(GRANTED).effects()).isEmpty();

    assertThat(driver.send(seen("b")).after(SPACING).effects()).containsExactly(REQUEST);
  }

  @Test
  void gone_whileItIsRead_isNotKept() {
    NodeDriver driver = synced(node("n4")).send(seen("a")).send(GRANTED).send(seen());

    driver.send(answer("a", MACHINE));

    assertThat(driver.state().interfaces().machines()).isEmpty();
  }

  @Test
  void seen_moreThanAClusterHas_areNotRead() {
    Set<String> ids =
        IntStream.range(0, Interfaces.MOST + 5).mapToObj(i -> "i" + i).collect(Collectors.toSet());

    NodeDriver driver = synced(node("n4")).send(new NodeEvent.InterfacesSeen(ids));

    assertThat(driver.state().interfaces().unread()).hasSize(Interfaces.MOST);
  }
}
