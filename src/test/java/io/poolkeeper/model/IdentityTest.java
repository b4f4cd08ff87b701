package io.poolkeeper.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Names of Azure and of nodes keep their case and compare ignoring it; blank ones are refused. */
class IdentityTest {
  private static final LoadBalancerId LOWER = new LoadBalancerId("sub-1", "mc_rg", "lb-internal");
  private static final LoadBalancerId UPPER = new LoadBalancerId("SUB-1", "MC_RG", "LB-Internal");

  @Test
  void loadBalancerId_otherCase_isEqual() {
    assertThat(UPPER).isEqualTo(LOWER).hasSameHashCodeAs(LOWER);
    assertThat(Map.of(LOWER, 1)).containsKey(UPPER);
  }

  @Test
  void loadBalancerId_anotherPart_differs() {
    assertThat(LOWER)
        .isNotEqualTo(new LoadBalancerId("sub-2", "mc_rg", "lb-internal"))
        .isNotEqualTo(new LoadBalancerId("sub-1", "rg", "lb-internal"))
        .isNotEqualTo(new LoadBalancerId("sub-1", "mc_rg", "lb"));
  }

  @Test
  void poolId_otherCase_isEqualAndKeepsItsSpelling() {
    PoolId one = UPPER.pool("Default-Web");

    assertThat(one)
        .isEqualTo(LOWER.pool("default-web"))
        .hasSameHashCodeAs(LOWER.pool("DEFAULT-WEB"));
    assertThat(one.path())
        .isEqualTo(
            "/subscriptions/SUB-1/resourceGroups/MC_RG/providers/Microsoft.Network"
                + "/loadBalancers/LB-Internal/backendAddressPools/Default-Web");
    assertThat(one).hasToString("LB-Internal/Default-Web");
  }

  @Test
  void poolId_anotherPoolOrLoadBalancer_differs() {
    assertThat(LOWER.pool("a"))
        .isNotEqualTo(LOWER.pool("b"))
        .isNotEqualTo(new LoadBalancerId("sub-1", "mc_rg", "lb").pool("a"));
  }

  @Test
  void poolIds_ofOneName_differInHashAndSortByTheirLoadBalancers() {
    List<PoolId> pools =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new LoadBalancerId("sub-1", "rg-" + i / 10, "lb-" + i % 10).pool("web"))
            .toList();

    assertThat(pools.stream().map(PoolId::hashCode).distinct().count()).isGreaterThan(900);
    assertThat(UPPER.pool("b")).isGreaterThan(LOWER.pool("A")).isLessThan(LOWER.pool("c"));
    assertThat(LOWER.pool("b"))
        .isGreaterThan(new LoadBalancerId("sub-1", "MC_RG", "lb").pool("c"))
        .isEqualByComparingTo(UPPER.pool("B"));
  }

  @Test
  void nodeKey_otherCase_isEqualAndSortsAlike() {
    NodeKey one = new NodeKey("AKS-Node-0");
    NodeKey other = new NodeKey("aks-node-0");

    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).isEqualByComparingTo(other);
    assertThat(one).hasToString("AKS-Node-0").isNotEqualTo(new NodeKey("aks-node-1"));
    assertThat(Set.of(one)).contains(other);
  }

  @Test
  void equality_turkishLocale_isTheSame() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("tr"));
    try {
      assertThat(LOWER.pool("INTERNAL-I")).isEqualTo(UPPER.pool("internal-i"));
      assertThat(LOWER.pool("INTERNAL-I")).hasSameHashCodeAs(UPPER.pool("internal-i"));
      assertThat(new NodeKey("I")).isEqualTo(new NodeKey("i")).hasSameHashCodeAs(new NodeKey("i"));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void constructors_blankName_areRefused() {
    assertThatThrownBy(() -> new LoadBalancerId("", "rg", "lb"))
        .hasMessageContaining("subscription");
    assertThatThrownBy(() -> new LoadBalancerId("s", " ", "lb")).hasMessageContaining("group");
    assertThatThrownBy(() -> new LoadBalancerId("s", "rg", "")).hasMessageContaining("balancer");
    assertThatThrownBy(() -> LOWER.pool(" ")).hasMessageContaining("pool");
    assertThatThrownBy(() -> new NodeKey("")).hasMessageContaining("node");
    assertThatThrownBy(() -> new ServiceKey("", "web")).hasMessageContaining("namespace");
    assertThatThrownBy(() -> new ServiceKey("default", "")).hasMessageContaining("service");
  }

  @Test
  void poolEdit_blankEntryName_isRefused() {
    Map<Address, String> add = Map.of(Address.of("10.0.0.4"), " ");

    assertThatThrownBy(() -> PoolEdit.of(Set.of(), add))
        .hasMessage("an entry of a pool needs a name");
  }

  @Test
  void serviceView_localButNoLoadBalancer_isRefused() {
    ServiceKey web = new ServiceKey("default", "web");

    assertThatThrownBy(
            () -> new ServiceView(web, "uid", false, true, false, Set.of(IpFamily.IPV4), 1))
        .hasMessageContaining("default/web");
  }

  @Test
  void nodeView_severalAddressesOfAFamily_givesTheFirst() {
    NodeView node =
        new NodeView(
            new NodeKey("n1"),
            "uid",
            List.of(Address.of("fd00::9"), Address.of("10.0.0.9"), Address.of("10.0.0.1")),
            Map.of(),
            Set.of(),
            false);

    assertThat(node.address(IpFamily.IPV4)).isEqualTo(Optional.of(Address.of("10.0.0.9")));
    assertThat(node.address(IpFamily.IPV6)).isEqualTo(Optional.of(Address.of("fd00::9")));
  }

  @Test
  void armFailure_eachPartPresentOrNot_isOneLine() {
    assertThat(new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "Forbidden", "no"))
        .hasToString("HTTP 403 Forbidden: no");
    assertThat(new ArmFailure(ArmFailure.Kind.TRANSPORT, 0, "", "refused")).hasToString("refused");
  }

  @Test
  void armFailure_timeToComeBack_isOfThrottlesAndTheirLikeOnly() {
    Optional<Instant> later = Optional.of(Instant.EPOCH);
    for (ArmFailure.Kind kind : ArmFailure.Kind.values()) {
      boolean may = kind == ArmFailure.Kind.THROTTLED || kind == ArmFailure.Kind.UNRESOLVED;
      boolean must = kind == ArmFailure.Kind.THROTTLED;
      assertMade(may, () -> new ArmFailure(kind, 0, "", "", later));
      assertMade(!must, () -> new ArmFailure(kind, 0, "", ""));
    }
  }

  private static void assertMade(boolean possible, ThrowingCallable made) {
    if (possible) {
      assertThatCode(made).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(made).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void armFailure_otherWords_isOfTheSameClass() {
    ArmFailure one = new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "Forbidden", "no");

    assertThat(one.sameClass(new ArmFailure(one.kind(), 403, "Forbidden", "never"))).isTrue();
    assertThat(one.sameClass(new ArmFailure(one.kind(), 401, "Forbidden", "no"))).isFalse();
    assertThat(one.sameClass(new ArmFailure(one.kind(), 403, "Other", "no"))).isFalse();
    assertThat(one.sameClass(new ArmFailure(ArmFailure.Kind.OTHER, 403, "Forbidden", "no")))
        .isFalse();
  }

  /** Resource groups may have letters for which two ways of ignoring case differ. */
  @Test
  void equality_lettersBeyondAscii_agreesWithTheHash() {
    for (String one : List.of("s", "\u017f", "i", "\u0130", "\u0131", "k", "\u212a")) {
      for (String other : List.of("S", "\u017f", "I", "\u0130", "\u0131", "K", "\u212a")) {
        assertHashAgrees(new NodeKey(one), new NodeKey(other));
        assertHashAgrees(LOWER.pool(one), LOWER.pool(other));
        assertHashAgrees(new LoadBalancerId("s", one, "lb"), new LoadBalancerId("s", other, "lb"));
        assertThat(new NodeKey(one).compareTo(new NodeKey(other)) == 0)
            .isEqualTo(new NodeKey(one).equals(new NodeKey(other)));
      }
    }
  }

  private static void assertHashAgrees(Object one, Object other) {
    assertThat(!one.equals(other) || one.hashCode() == other.hashCode())
        .as("%s and %s", one, other)
        .isTrue();
  }
}
