package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.view;
import static io.poolkeeper.admission.BindingFixtures.with;
import static io.poolkeeper.admission.BindingFixtures.wrong;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.LoadBalancerId;
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
      BindingFixtures.resolution(Map.of("shop", List.of(GATEWAYS)));

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
    return resolution.of(
        view, resolution.pool(view).map(resolution::unclaimed).map(of -> of.with(view)));
  }

  private static String reason(BindingView view) {
    return outcome(view) instanceof Refused refused ? refused.reason() : "";
  }

  @Test
  void allowedPool_isFollowed() {
    BindingView binding = binding("a", id("sub", "rg", "gateway-1", "blue"));

    assertThat(outcome(binding))
        .isEqualTo(
            new Follows(
                new LoadBalancerId("sub", "rg", "gateway-1").pool("blue"),
                binding.target().orElseThrow()));
  }

  @ParameterizedTest
  @CsvSource({
    "sub, rg, gateway-1, blue, true",
    "SUB, RG, Gateway-1, BLUE, true",
    "sub, rg, my-gateway-1, blue, false",
    "sub, rg, lb, blue, false",
    "sub, other, gateway-1, blue, false",
    "other, rg, gateway-1, blue, false"
  })
  void patterns_areAnchored_ignoreCase_andKeepToTheirSubscription(
      String subscription, String group, String loadBalancer, String pool, boolean allowed) {
    String id = id(subscription, group, loadBalancer, pool);

    assertThat(reason(binding("a", id))).isEqualTo(allowed ? "" : "NotAllowed");
  }

  @Test
  void pattern_ofAnotherSubscription_allowsNothingThere() {
    Resolution open = BindingFixtures.resolution(Map.of("shop", List.of(id("*", "rg", "*", "*"))));
    BindingView binding = binding("a", id("other", "rg", "gateway-1", "blue"));

    assertThat(outcome(open, binding)).isInstanceOf(Refused.class);
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

  @Test
  void namespaceWithoutPatterns_mayNameNoPool() {
    assertThat(outcome(binding("other/a", id("sub", "rg", "gateway-1", "blue"))))
        .isEqualTo(
            new Refused(
                "NotAllowed",
                "poolkeeper.admission.allowed-pools allows the namespace other no pool "
                    + id("sub", "rg", "gateway-1", "blue")));
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

  /** Also for one that is being deleted: nothing of ours is there. */
  @Test
  void poolOfTheCloudProvider_isRefused() {
    BindingView binding = binding("a", id("sub", "rg", "gateway-k8s", "blue"));
    BindingView deleted = with(binding, true, Optional.of(T0), true, binding.admission());

    assertThat(reason(binding)).isEqualTo("ManagedByCloudProvider");
    assertThat(reason(deleted)).isEqualTo("ManagedByCloudProvider");
  }

  @Test
  void invalidBinding_isRefusedWithAllThatIsWrong_butKeepsItsPool() {
    BindingView wrong = wrong(binding("a", id("sub", "rg", "gateway-1", "blue")));

    assertThat(outcome(wrong)).isEqualTo(new Refused("Invalid", "spec.ipFamily: IPv5"));
    assertThat(outcome(with(wrong, true, Optional.of(T0), true, wrong.admission())))
        .isEqualTo(new Leaves(new LoadBalancerId("sub", "rg", "gateway-1").pool("blue")));
  }

  @Test
  void bindingThatNamesNoPool_isInvalid() {
    assertThat(RESOLUTION.of(wrong(view("a", "web")), Optional.empty()))
        .isEqualTo(new Refused("Invalid", "spec.ipFamily: IPv5"));
  }
}
