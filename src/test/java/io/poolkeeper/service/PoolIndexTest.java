package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.NAMES;
import static io.poolkeeper.service.ServiceFixtures.T0;
import static io.poolkeeper.service.ServiceFixtures.listing;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceView;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pools a Service owns: by the pool's name, the load balancer's kind and a rule. */
class PoolIndexTest {
  private static List<String> owned(PoolNames names, String service, String... pools) {
    String[] words = service.split(" ", -1);
    ServiceView view = Story.service(words[0], Arrays.copyOfRange(words, 1, words.length));
    PoolView[] views = Arrays.stream(pools).map(MapWords::view).toArray(PoolView[]::new);
    return PoolIndex.of(listing(views), names, Set.of(), Optional.empty(), T0)
        .ownedBy(view)
        .entrySet()
        .stream()
        .map(pool -> MapWords.pool(pool.getKey()).toLowerCase(Locale.ROOT) + " " + pool.getValue())
        .sorted()
        .toList();
  }

  private static List<String> owned(String service, String... pools) {
    return owned(NAMES, service, pools);
  }

  /** MapWords by the load balancer's name in any case, and its kind. */
  @ParameterizedTest
  @ValueSource(strings = {"lb-1", "LB-1", "lb-2", "kubernetes", "KUBERNETES"})
  void ownedBy_managedLoadBalancer_counts(String loadBalancer) {
    assertThat(owned("local web", loadBalancer + "/web")).hasSize(1);
    assertThat(owned("internal web", loadBalancer + "-Internal/web")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lb-3", "lb-11", "lb", "xlb-1", "lb-1-extern", "-internal"})
  void ownedBy_loadBalancerOfSomebodyElse_doesNotCount(String loadBalancer) {
    assertThat(owned("local web", loadBalancer + "/web")).isEmpty();
    assertThat(owned("internal web", loadBalancer + "/web")).isEmpty();
  }

  /** Between two kinds of load balancers, after a restart, too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          internal web | lb-1/web | lb-1/web IPV4
          internal web | lb-1/web, lb-2-internal/web{} | lb-1/web IPV4
          internal web | lb-1/web, lb-2-internal/web | lb-2-internal/web IPV4
          internal web | lb-1/web{} | none
          local web | lb-1-internal/web | lb-1-internal/web IPV4
          local web | lb-1-internal/web, lb-1/web | lb-1/web IPV4
          local web ip=46 | lb-1-internal/web, lb-1-internal/web-ipv6, lb-1/web | lb-1-internal/web-ipv6 IPV6, lb-1/web IPV4
          """)
  void ownedBy_wrongKindOfLoadBalancer_countsWhileTheRightOneHasNoRule(
      String service, String pools, String expected) {
    ownedBy_nameAndRule_decide(service, pools, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          local web | lb-1/web | lb-1/web IPV4
          local web | lb-1/.Default-WEB{uid-web} | lb-1/.default-web IPV4
          # A rule of the Service is needed, in any case and with a boundary after its prefix.
          local web | lb-1/web{} | none
          local web | lb-1/web{uid-api} | none
          local web | lb-1/web{AUIDWEB-TCP-80} | lb-1/web IPV4
          local web | lb-1/web{auidweb2-TCP-80} | none
          # It distinguishes Services whose pools have one name.
          local a/b-c uid=uid-1 | lb-1/.a-b-c{uid-2} | none
          local a-b/c uid=uid-2 | lb-1/.a-b-c{uid-2} | lb-1/.a-b-c IPV4
          local x uid=uid-1 ip=46 | lb-1/x-ipv6{uid-1} | lb-1/x-ipv6 IPV6
          local x-ipv6 uid=uid-2 | lb-1/x-ipv6{uid-1} | none
          local x uid=uid-1 ip=46 | lb-1/x-ipv6{uid-2} | none
          local x-ipv6 uid=uid-2 | lb-1/x-ipv6{uid-2} | lb-1/x-ipv6 IPV4
          # One pool per family.
          local web ip=46 | lb-1/web, lb-1/.default-web-IPv6{uid-web} | lb-1/web IPV4, lb-1/web-ipv6 IPV6
          local web ip=6 | lb-1/web, lb-1/web-ipv6 | lb-1/web-ipv6 IPV6
          cluster web | lb-1/web | none
          local web uid= | lb-1/web{a a-TCP-80} | none
          """)
  void ownedBy_nameAndRule_decide(String service, String pools, String expected) {
    assertThat(String.join(", ", owned(service, pools.split(", ", -1))))
        .isEqualTo(expected.equals("none") ? "" : expected);
  }

  @Test
  void ownedBy_poolNamedLikeTheClusters_isNobodys() {
    PoolNames names = PoolNames.of("default-Web", List.of("lb-1"));

    assertThat(owned(names, "local web ip=46", "lb-1/web", "lb-1/web-ipv6")).isEmpty();
  }

  @Test
  void rulePrefix_ofAUid_isCutTo32WithTheA() {
    assertThat(PoolNames.rulePrefix("01234567-89ab-cdef-0123-456789abcdef"))
        .isEqualTo("a0123456789abcdef0123456789abcde")
        .hasSize(32);
    assertThat(PoolNames.rulePrefix("ab-c")).isEqualTo("aabc");
  }
}
