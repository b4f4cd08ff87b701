package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.view;
import static io.poolkeeper.admission.BindingFixtures.with;
import static io.poolkeeper.admission.BindingFixtures.wrong;
import static io.poolkeeper.admission.BindingsStory.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pool a binding names, and why it may not. */
class ResolutionTest {
  private static final String GATEWAYS = id("sub", "rg", "gateway*", "*");
  private static final Resolution RESOLUTION =
      BindingFixtures.resolution(
          Map.of("shop", List.of(GATEWAYS), "team", List.of(id("sub", "More", "x", "y"))));

  private static String id(String subscription, String group, String loadBalancer, String pool) {
    return new LoadBalancerId(subscription, group, loadBalancer).pool(pool).path();
  }

  private static BindingView binding(String key, String id) {
    return view(key, "web", PoolReference.parse(id).orElseThrow().in("", ""), T0);
  }

  /** What the only binding of a pool comes to. */
  private static Outcome outcome(BindingView view) {
    return outcome(RESOLUTION, view);
  }

  private static Outcome outcome(Resolution resolution, BindingView view) {
    return resolution.outcome(
        view, resolution.pool(view).map(resolution::unclaimed).map(of -> of.with(view)));
  }

  /** Patterns are anchored, ignore the case, and keep to their subscription and namespace. */
  @ParameterizedTest
  @CsvSource({
    "a, sub, rg, gateway-1, blue, follows",
    "a, SUB, RG, Gateway-1, BLUE, follows",
    "a, sub, rg, my-gateway-1, blue, NotAllowed",
    "a, sub, rg, lb, blue, NotAllowed",
    "a, sub, more, lb, blue, NotAllowed",
    "other/a, sub, rg, gateway-1, blue, NotAllowed: poolkeeper.admission.allowed-pools allows the"
        + " namespace other no pool /subscriptions/sub/resourceGroups/rg/providers/",
    "a, sub, rg, gateway-k8s, blue, ManagedByCloudProvider: the cloud provider manages the load"
        + " balancer gateway-k8s and writes its pools"
  })
  void binding_isFollowed_whereItsNamespaceMayNameThePool(
      String key, String subscription, String group, String lb, String pool, String expected) {
    BindingView binding = binding(key, id(subscription, group, lb, pool));

    assertThat(words(outcome(binding))).startsWith(expected);
    if (expected.startsWith("Managed")) {
      assertThat(outcome(deleted(binding))).as("nothing of ours").isEqualTo(outcome(binding));
    } else {
      PoolId named = RESOLUTION.pool(binding).orElseThrow();
      assertThat(outcome(deleted(binding)))
          .isEqualTo(new Leaves(named, expected.equals("follows")));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "other, rg, gateway-1, 'the pool is in the subscription other, and"
        + " poolkeeper.azure.subscription-id is sub'",
    "other, rg, gateway-k8s, the pool is in the subscription other",
    "sub, theirs, gateway-1, 'the pool is in the resource group theirs, which is not that of the"
        + " cluster''s load balancers, rg, and in no pattern of poolkeeper.admission.allowed-pools'"
  })
  void poolBeyondWhatIsConfigured_isRefused_byADeletionToo(
      String subscription, String group, String lb, String why) {
    BindingView binding = binding("a", id(subscription, group, lb, "blue"));

    assertThat(words(outcome(binding))).startsWith("NotAllowed: " + why);
    assertThat(outcome(deleted(binding))).isEqualTo(outcome(binding));
  }

  private static BindingView deleted(BindingView binding) {
    return with(binding, true, Optional.of(T0), true, binding.admission());
  }

  @Test
  void allowedPool_isFollowedWithItsTarget() {
    BindingView binding = binding("a", id("sub", "rg", "gateway-1", "blue"));

    assertThat(outcome(binding))
        .isEqualTo(
            new Follows(
                new LoadBalancerId("sub", "rg", "gateway-1").pool("blue"),
                binding.target().orElseThrow()));
  }

  @Test
  void pattern_ofAnotherSubscription_allowsNothingThere() {
    Resolution open = BindingFixtures.resolution(Map.of("shop", List.of(id("*", "rg", "*", "*"))));
    BindingView binding = binding("a", id("other", "rg", "gateway-1", "blue"));

    assertThat(outcome(open, binding)).isInstanceOf(Refused.class);
  }

  /** Else the first spelling of a pool would decide for all others. */
  @Test
  void pattern_inLettersOfAnyLanguage_ignoresTheirCase() {
    AllowedPools allowed =
        AllowedPools.of("sub", Map.of("shop", List.of(id("sub", "Büro-Süd-Ä", "ÖL-*", "*"))));

    for (String group : List.of("Büro-Süd-Ä", "büro-süd-ä", "BÜRO-SÜD-Ä")) {
      assertThat(allowed.namespaces(new LoadBalancerId("SUB", group, "öl-1").pool("blue")))
          .as(group)
          .containsExactly("shop");
    }
  }

  @Test
  void star_staysWithinItsSegment() {
    AllowedPools allowed = AllowedPools.of("sub", Map.of("shop", List.of(GATEWAYS)));

    assertThat(
            allowed.namespaces(
                new LoadBalancerId("sub", "rg", "gateway-1").pool("a/backendAddressPools/b")))
        .isEmpty();
  }

  @Test
  void groups_areThoseOfAllPatterns() {
    AllowedPools allowed =
        AllowedPools.of(
            "sub",
            Map.of(
                "shop",
                List.of(GATEWAYS, id("sub", "RG", "x", "*")),
                "team",
                List.of(id("sub", "Other", "x", "y"))));

    assertThat(allowed.groups()).containsExactlyInAnyOrder("rg", "other");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "gateway/blue",
        "/subscriptions/sub/resourceGroups/r*/providers/Microsoft.Network/loadBalancers/x/backendAddressPools/y",
        "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/gateway"
      })
  void pattern_thatIsNoIdOfAPool_isWrong(String pattern) {
    assertThat(AllowedPools.wrong(pattern)).isTrue();
    assertThatThrownBy(() -> AllowedPools.of("sub", Map.of("shop", List.of(pattern))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void invalidBinding_isRefusedWithAllThatIsWrong_butKeepsItsPool() {
    BindingView wrong = wrong(binding("a", id("sub", "rg", "gateway-1", "blue")));

    assertThat(outcome(wrong)).isEqualTo(new Refused("Invalid", "spec.ipFamily: IPv5"));
    assertThat(outcome(deleted(wrong)))
        .isEqualTo(new Leaves(new LoadBalancerId("sub", "rg", "gateway-1").pool("blue"), true));
  }

  @Test
  void bindingThatNamesNoPool_isInvalid() {
    assertThat(RESOLUTION.outcome(wrong(view("a", "web")), Optional.empty()))
        .isEqualTo(new Refused("Invalid", "spec.ipFamily: IPv5"));
  }
}
