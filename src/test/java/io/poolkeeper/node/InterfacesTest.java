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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

  private static Set<String> with(String one, String... others) {
    return Stream.concat(Stream.of(one), Stream.of(others)).collect(Collectors.toSet());
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

  /** One second, doubling to half a minute, half of it by chance. */
  @ParameterizedTest
  @CsvSource({"1, 0, 500", "1, 0.5, 750", "1, 0.999, 999", "3, 0.5, 3000", "99, 0.999, 29985"})
  void failed_again_isReadLater(int failures, double random, long millis) {
    seen("a");
    for (int i = 1; i < failures; i++) {
      granted();
      fails("a").seconds(30);
    }
    granted().random(random);

    fails("a").wakesIn(millis).after(Duration.ofMillis(millis + 1)).forget();

    granted().came("read a");
  }

  /** Members of other clusters in a pool, or of groups where the right is missing. */
  @Test
  void failed_twentyThatAreForbidden_delayNoOther() {
    String[] ids = IntStream.range(10, 30).mapToObj(i -> "x" + i).toArray(String[]::new);
    seen(ids);
    for (String id : ids) {
      granted().forget();
      fails(id).came(id.equals("x10") ? "unknown x10" : "").after(SPACING);
    }
    for (int i = 0; i < 100; i++) {
      granted();
      fails("x" + (10 + i % 20)).seconds(30);
    }
    granted();
    fails("x10").wakesIn(22_500).after(SPACING).forget();

    driver.send(new NodeEvent.InterfacesSeen(with("new", ids))).came("request");
    granted().came("read new");
    answer("new", "").wakesIn(22_500 - SPACING.toMillis());
  }

  @Test
  void failed_requestedAgain_newOneTakesTheCall() {
    seen("a");
    granted();
    fails("a").seconds(1).forget();

    seen("a", "b");

    granted().came("read b");
    answer("b", "").after(SPACING).came("request");
    granted().came("read a");
  }

  @Test
  void failed_requestForANewOneThatIsGone_waitsForItsBackoff() {
    seen("a");
    granted();
    fails("a").after(SPACING);
    seen("a", "b").forget();
    seen("a");

    granted().came("").wakesIn(750 - SPACING.toMillis());
  }

  /** The right was granted: the others follow at once. */
  @Test
  void failed_oneIsReadAgain_othersFollow() {
    seen("a", "b");
    granted();
    fails("a").after(SPACING);
    granted();
    fails("b").seconds(1).forget();

    granted().came("read a");
    answer("a", MACHINE).after(SPACING).came("request");
    granted().came("read b");
  }

  @Test
  void failed_goneFromAllPools_isForgottenWithItsBackoff() {
    seen("a");
    for (int i = 0; i < 9; i++) {
      granted();
      fails("a").seconds(30);
    }
    granted();
    fails("a").forget();
    seen().wakesIn(-1);

    seen("b").after(SPACING).forget();
    granted();
    fails("b").came("read b, unknown b").wakesIn(750);
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
    granted();
    fails("i0").forget();
    int read = 1;
    for (List<NodeEffect> next = granted().effects(); !next.isEmpty(); read++) {
      answer(((NodeEffect.ReadInterface) next.getFirst()).ipConfiguration(), "");
      next = granted().effects();
    }

    assertThat(read).isEqualTo(Interfaces.MOST);
  }
}
