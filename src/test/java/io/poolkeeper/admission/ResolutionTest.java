package io.poolkeeper.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pool a binding names, and why it may not. */
class ResolutionTest {
  private static final String GATEWAYS = id("sub", "rg", "gateway*", "*");
  private static final Resolution RESOLUTION = resolution(Map.of("shop", List.of(GATEWAYS)));

  private static String id(String subscription, String group, String loadBalancer, String pool) {
    return new LoadBalancerId(subscription, group, loadBalancer).pool(pool).path();
  }

  private static Resolution resolution(Map<String, List<String>> allowed) {
    return new Resolution(
        "sub", "rg", AllowedPools.of("SUB", allowed), name -> name.equals("gateway-managed"), true);
  }

  /** A binding in the namespace shop. */
  private static BindingView binding(String name, String pool, boolean exclusive) {
    return binding("shop/" + name, pool, exclusive, false);
  }

  /** The pool is {@code loadBalancer/pool}, or a full id. */
  private static BindingView binding(String key, String pool, boolean exclusive, boolean deleted) {
    String[] names = pool.split("/", -1);
    PoolReference reference =
        PoolReference.parse(pool)
            .orElseGet(
                () -> new PoolReference(Optional.empty(), Optional.empty(), names[0], names[1]));
    BindingTarget target =
        new BindingTarget(
            new ServiceKey("shop", "web"),
            reference,
            IpFamily.IPV4,
            exclusive ? Ownership.EXCLUSIVE : Ownership.SHARED,
            Optional.empty(),
            Optional.empty());
    return view(key, Optional.of(target), List.of(), deleted);
  }

  private static BindingView view(
      String key, Optional<BindingTarget> target, List<String> problems, boolean deleted) {
    String[] parts = key.split("/", -1);
    return new BindingView(
        new BindingKey(parts[0], parts[1]),
        "uid",
        "1",
        1,
        true,
        target,
        problems,
        Set.of(),
        new AdmissionSubject(List.of(), List.of(), true, deleted, false));
  }

  private static List<Outcome> outcomes(BindingView... bindings) {
    return List.copyOf(RESOLUTION.of(List.of(bindings)).values());
  }

  private static List<String> reasons(BindingView... bindings) {
    return outcomes(bindings).stream()
        .map(outcome -> outcome instanceof Refused refused ? refused.reason() : "")
        .toList();
  }

  @Test
  void allowedPool_isFollowed_withTheConfiguredSubscriptionAndGroup() {
    BindingView binding = binding("a", "gateway-1/blue", false);

    assertThat(outcomes(binding))
        .containsExactly(
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

    assertThat(reasons(binding("a", id, false))).containsExactly(allowed ? "" : "NotAllowed");
  }

  @Test
  void pattern_ofAnotherSubscription_allowsNothingThere() {
    String id = id("other", "rg", "gateway-1", "blue");
    Resolution open = resolution(Map.of("shop", List.of(id("*", "*", "*", "*"))));

    assertThat(open.of(List.of(binding("a", id, false))).values())
        .allMatch(Refused.class::isInstance);
  }

  @Test
  void star_staysWithinItsSegment() {
    AllowedPools allowed = AllowedPools.of("sub", Map.of("shop", List.of(GATEWAYS)));

    assertThat(
            allowed.allows(
                "shop",
                new LoadBalancerId("sub", "rg", "gateway-1").pool("a/backendAddressPools/b")))
        .isFalse();
  }

  @Test
  void namespaceWithoutPatterns_mayNameNoPool() {
    assertThat(RESOLUTION.of(List.of(binding("other/a", "gateway-1/blue", false, false))).values())
        .containsExactly(
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
        "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/gateway"
      })
  void pattern_thatIsNoIdOfAPool_isWrong(String pattern) {
    assertThat(AllowedPools.wrong(pattern)).isTrue();
    assertThatThrownBy(() -> AllowedPools.of("sub", Map.of("shop", List.of(pattern))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void poolOfTheCloudProvider_isRefused() {
    assertThat(reasons(binding("a", "gateway-managed/blue", false)))
        .containsExactly("ManagedByCloudProvider");
  }

  @Test
  void invalidBinding_isRefusedWithAllThatIsWrong() {
    BindingView wrong =
        view("shop/a", Optional.empty(), List.of("spec.ipFamily: IPv5", "spec.x: y"), false);

    assertThat(outcomes(wrong))
        .containsExactly(new Refused("Invalid", "spec.ipFamily: IPv5; spec.x: y"));
  }

  @Test
  void severalShared_areAUnion() {
    assertThat(
            reasons(binding("a", "gateway-1/blue", false), binding("b", "GATEWAY-1/Blue", false)))
        .containsExactly("", "");
  }

  @Test
  void exclusiveBesideOthers_allAreRefused_andEachNamesWhatItContradicts() {
    List<Outcome> outcomes =
        outcomes(
            binding("a", "gateway-1/blue", true),
            binding("b", "gateway-1/blue", false),
            binding("c", "gateway-1/blue", false),
            binding("d", "gateway-1/green", true));

    assertThat(outcomes.subList(0, 3))
        .containsExactly(
            new Refused(
                "Contradiction",
                "another binding names the same pool: shop/b (Shared), shop/c (Shared)"),
            new Refused("Contradiction", "another binding names the same pool: shop/a (Exclusive)"),
            new Refused(
                "Contradiction", "another binding names the same pool: shop/a (Exclusive)"));
    assertThat(outcomes.get(3)).isInstanceOf(Follows.class);
  }

  /** The one that stays waits until the other has cleaned up. */
  @Test
  void deletedBinding_isFollowedWhateverItContradicts() {
    assertThat(
            reasons(
                binding("shop/a", "gateway-1/blue", true, true),
                binding("b", "gateway-1/blue", true)))
        .containsExactly("", "Contradiction");
  }

  @Test
  void deletedBinding_reachesNoPoolThatItMayNotName() {
    assertThat(
            Stream.of("lb/blue", "gateway-managed/blue")
                .map(pool -> binding("shop/a", pool, false, true))
                .flatMap(binding -> reasons(binding).stream()))
        .containsExactly("NotAllowed", "ManagedByCloudProvider");
  }
}
