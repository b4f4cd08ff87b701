package io.poolkeeper.node;

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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose the interfaces of single virtual machines are. */
class InterfacesTest {
  private static final String MACHINE =
      "/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachines/vm";
  private static final Duration SPACING = Duration.ofMillis(Interfaces.SPACING_MILLIS);
  private static final ArmFailure FORBIDDEN =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "AuthorizationFailed", "no rights");

  private final NodeDriver driver = synced(node("n4"));

  private NodeDriver seen(String... ids) {
    return driver.send(new NodeEvent.InterfacesSeen(Set.of(ids)));
  }

  private NodeDriver granted() {
    return driver.send(new NodeEvent.ReadGranted());
  }

  private NodeDriver answer(String id, String machine) {
    Optional<String> found = Optional.of(machine).filter(of -> !of.isEmpty());
    return driver.send(new NodeEvent.InterfaceRead(id, found));
  }

  private NodeDriver fails(String id) {
    return driver.send(new NodeEvent.InterfaceUnread(id, FORBIDDEN));
  }

  @Test
  void seen_areReadOneAfterTheOtherWithLeave_andOnlyOnce() {
    seen("b", "a").came("request");
    granted().came("read a");
    answer("a", "").came("").after(SPACING).came("request");
    granted().came("read b");
    answer("b", "").came("");

    seen("a", "b").after(Duration.ofDays(1)).came("");
  }

  @Test
  void read_machineIsKnown_poolsHearOfItWithTheNextSnapshot() {
    seen("a", "b");
    granted();

    OutOfService sent = answer("a", MACHINE).snapshot().broadcast();

    assertThat(sent.nodes().machines()).isEqualTo(Map.of("a", MACHINE));
  }

  /** An interface is made before the machine that gets it. */
  @Test
  void read_interfaceOfNoMachine_isNoNews_andIsReadAgainWhenANodeIsNew() {
    seen("a");
    granted();
    answer("a", "").seconds(60).came("request, read a");

    driver.change(on(node("n5"), "azure://" + MACHINE)).came("request");
    granted();
    assertThat(answer("a", MACHINE).seconds(1).broadcast().nodes().machines())
        .containsOnlyKeys("a");
  }

  /** One second, doubling to five minutes, half of it by chance. */
  @ParameterizedTest
  @CsvSource({"1, 0, 500", "1, 0.5, 750", "1, 0.999, 999", "3, 0.5, 3000", "99, 0.999, 299850"})
  void failed_again_isReadLaterAndLast(int failures, double random, long millis) {
    seen("a", "b");
    for (int i = 1; i < failures; i++) {
      granted();
      fails(i % 2 == 1 ? "a" : "b").seconds(300);
    }
    granted().random(random);

    fails(failures % 2 == 1 ? "a" : "b").wakesIn(millis).after(Duration.ofMillis(millis)).forget();

    granted().came("read " + (failures % 2 == 1 ? "b" : "a"));
  }

  @Test
  void failed_isLoggedWhenItBegins() {
    seen("a");
    granted();
    fails("a").seconds(60).came("request, read a, unknown a, request");
    granted();
    fails("a").seconds(60).came("read a, request");
    granted();
    answer("a", MACHINE);
    seen("a", "c").seconds(2).forget();
    granted();

    fails("c").came("read c, unknown c");
  }

  @Test
  void gone_fromAllPools_isForgottenAndReadAgainWhenItIsBack() {
    seen("a");
    granted();
    answer("a", MACHINE).seconds(2);
    seen().seconds(2).forget();

    seen("a").came("request");
  }

  @Test
  void gone_whileItIsWaitedFor_needsNoRead() {
    seen("a").came("request");
    seen();
    granted().came("");

    seen("b").after(SPACING).came("request");
  }

  @Test
  void gone_whileItIsRead_isNotKept() {
    seen("a");
    granted();
    seen();

    assertThat(answer("a", MACHINE).seconds(2).view().outOfService().nodes().machines()).isEmpty();
  }

  @Test
  void seen_moreThanAClusterHas_areNotRead() {
    seen(IntStream.range(0, Interfaces.MOST + 5).mapToObj(i -> "i" + i).toArray(String[]::new));
    driver.forget();
    int read = 0;
    for (List<NodeEffect> next = granted().effects(); !next.isEmpty(); read++) {
      answer(((NodeEffect.ReadInterface) next.getFirst()).ipConfiguration(), "");
      next = granted().effects();
    }

    assertThat(read).isEqualTo(Interfaces.MOST);
  }
}
