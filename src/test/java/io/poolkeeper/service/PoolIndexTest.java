package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.NAMES;
import static io.poolkeeper.service.ServiceFixtures.cluster;
import static io.poolkeeper.service.ServiceFixtures.internal;
import static io.poolkeeper.service.ServiceFixtures.lb;
import static io.poolkeeper.service.ServiceFixtures.listing;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.rule;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pools a Service owns: by the pool's name, the load balancer's kind and a rule. */
class PoolIndexTest {
  private static final Set<String> WEB_RULES = Set.of(rule("uid-web"));

  private static Map<PoolId, IpFamily> owned(ServiceView service, PoolView... pools) {
    return PoolIndex.of(listing(pools), NAMES, Set.of(), Optional.empty(), ServiceFixtures.T0)
        .ownedBy(service, Set.of());
  }

  /** What an internal Service still owns that had the pool when it was public. */
  private static Map<PoolId, IpFamily> kept(PoolView pool) {
    return PoolIndex.of(listing(pool), NAMES, Set.of(), Optional.empty(), ServiceFixtures.T0)
        .ownedBy(internal("default/web"), Set.of(pool.id()));
  }

  @Test
  void ownedBy_poolByNameWithARule_isTheServices() {
    assertThat(owned(local("default/web"), webPool("lb-1")))
        .containsExactly(Map.entry(webPoolId("lb-1"), IpFamily.IPV4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lb-1", "LB-1", "lb-2", "kubernetes", "KUBERNETES"})
  void ownedBy_managedLoadBalancerInAnyCase_counts(String loadBalancer) {
    assertThat(owned(local("default/web"), webPool(loadBalancer))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lb-3", "lb-11", "lb", "xlb-1", "lb-1-extern", "-internal"})
  void ownedBy_loadBalancerOfSomebodyElse_doesNotCount(String loadBalancer) {
    assertThat(owned(local("default/web"), webPool(loadBalancer))).isEmpty();
    assertThat(owned(internal("default/web"), webPool(loadBalancer))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lb-1-internal", "LB-1-Internal", "kubernetes-INTERNAL"})
  void ownedBy_internalLoadBalancer_isManaged(String loadBalancer) {
    assertThat(owned(internal("default/web"), webPool(loadBalancer))).hasSize(1);
  }

  @Test
  void ownedBy_otherKindOfLoadBalancer_isKeptWhileTheRuleIsThereAndNeverTaken() {
    assertThat(owned(internal("default/web"), webPool("lb-1"))).isEmpty();
    assertThat(owned(local("default/web"), webPool("lb-1-internal"))).isEmpty();
    assertThat(kept(webPool("lb-1"))).hasSize(1);
    assertThat(kept(pool("lb-1", "default-web", Set.of()))).isEmpty();
  }

  @Test
  void ownedBy_poolInAnotherCase_isTheSame() {
    assertThat(owned(local("default/web"), pool("lb-1", "Default-WEB", WEB_RULES)))
        .containsOnlyKeys(webPoolId("lb-1"));
  }

  @Test
  void ownedBy_noRuleOfTheService_isNotTheServices() {
    ServiceView web = local("default/web");

    assertThat(owned(web, pool("lb-1", "default-web", Set.of()))).isEmpty();
    assertThat(owned(web, pool("lb-1", "default-web", Set.of(rule("uid-api"))))).isEmpty();
  }

  @Test
  void ownedBy_ruleInAnotherCase_isTheServices() {
    assertThat(owned(local("default/web"), pool("lb-1", "default-web", Set.of("AUIDWEB-TCP-80"))))
        .hasSize(1);
  }

  @Test
  void ownedBy_ruleWithoutBoundaryAfterThePrefix_isSomebodyElses() {
    assertThat(owned(local("default/web"), pool("lb-1", "default-web", Set.of("auidweb2-TCP-80"))))
        .isEmpty();
  }

  @Test
  void ownedBy_twoServicesOfOnePoolName_areToldApartByTheRule() {
    ServiceView one = local("a/b-c", "uid-1", IpFamily.IPV4);
    ServiceView other = local("a-b/c", "uid-2", IpFamily.IPV4);
    PoolView pool = pool("lb-1", "a-b-c", Set.of(rule("uid-2")));

    assertThat(owned(one, pool)).isEmpty();
    assertThat(owned(other, pool)).containsOnlyKeys(lb("lb-1").pool("a-b-c"));
  }

  @Test
  void ownedBy_serviceNamedLikeAnothersIpv6Pool_isToldApartByTheRule() {
    ServiceView dual = local("default/x", "uid-1", IpFamily.IPV4, IpFamily.IPV6);
    ServiceView named = local("default/x-ipv6", "uid-2", IpFamily.IPV4);
    PoolView mine = pool("lb-1", "default-x-ipv6", Set.of(rule("uid-1")));
    PoolView theirs = pool("lb-1", "default-x-ipv6", Set.of(rule("uid-2")));

    assertThat(owned(dual, mine)).containsValue(IpFamily.IPV6).hasSize(1);
    assertThat(owned(named, mine)).isEmpty();
    assertThat(owned(dual, theirs)).isEmpty();
    assertThat(owned(named, theirs)).containsValue(IpFamily.IPV4).hasSize(1);
  }

  @Test
  void ownedBy_dualStack_isOnePoolPerFamily() {
    ServiceView dual = local("default/web", "uid-web", IpFamily.IPV4, IpFamily.IPV6);

    assertThat(owned(dual, webPool("lb-1"), pool("lb-1", "default-web-IPv6", WEB_RULES)))
        .isEqualTo(
            Map.of(
                webPoolId("lb-1"), IpFamily.IPV4,
                lb("lb-1").pool("default-web-ipv6"), IpFamily.IPV6));
  }

  @Test
  void ownedBy_singleStackIpv6_isTheIpv6PoolOnly() {
    ServiceView six = local("default/web", "uid-web", IpFamily.IPV6);

    assertThat(owned(six, webPool("lb-1"), pool("lb-1", "default-web-ipv6", WEB_RULES)))
        .containsExactly(Map.entry(lb("lb-1").pool("default-web-ipv6"), IpFamily.IPV6));
  }

  @Test
  void ownedBy_poolNamedLikeTheClusters_isNobodys() {
    PoolNames names = PoolNames.of("default-Web", List.of("lb-1"));
    ServiceView dual = local("default/web", "uid-web", IpFamily.IPV4, IpFamily.IPV6);
    PoolIndex index =
        PoolIndex.of(
            listing(webPool("lb-1"), pool("lb-1", "default-web-IPv6", WEB_RULES)),
            names,
            Set.of(),
            Optional.empty(),
            ServiceFixtures.T0);

    assertThat(index.ownedBy(dual, Set.of())).isEmpty();
  }

  @Test
  void ownedBy_policyClusterOrNoUid_ownsNothing() {
    assertThat(owned(cluster("default/web"), webPool("lb-1"))).isEmpty();
    assertThat(
            owned(
                local("default/web", " ", IpFamily.IPV4),
                pool("lb-1", "default-web", Set.of("a", "a-TCP-80"))))
        .isEmpty();
  }

  @Test
  void rulePrefix_ofAUid_isCutTo32WithTheA() {
    assertThat(PoolNames.rulePrefix("01234567-89ab-cdef-0123-456789abcdef"))
        .isEqualTo("a0123456789abcdef0123456789abcde")
        .hasSize(32);
    assertThat(PoolNames.rulePrefix("ab-c")).isEqualTo("aabc");
  }
}
