package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.lb;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.LoadBalancerView;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which Services want a pool of their own and have none. */
class MissingPoolTest {
  private static final String FILLED =
      """
      node n4
      local web address=1
      slice web-1 web n4
      all synced
      """;

  private Story story = new Story();

  /** The Services that lack a pool for certain after so many seconds, and where it is. */
  private String missing(int seconds) {
    Instant later = story.map.now().plusSeconds(seconds);
    return knowledge().withoutPool(later).entrySet().stream()
        .map(of -> of.getKey().name() + of.getValue().at().map(at -> "@" + at.name()).orElse(""))
        .toList()
        .toString();
  }

  private ServiceMapObserver.Knowledge knowledge() {
    ServiceMapState state = story.map.state();
    return new ServiceMapObserver.Knowledge(
        Set.of(),
        Set.of(),
        true,
        true,
        false,
        Map.of(),
        state.schedule().unread().failure(),
        state.schedule().unread().failures(),
        state.index().map(PoolIndex::unreadable).orElse(Map.of()),
        state.missing());
  }

  @Test
  void itsRuleIsAtALoadBalancerThatIsNotManaged_isMissingAtOnce_untilItIsManaged() {
    story.plays(FILLED.replace(" address=1", "") + "list lb-9/web lb-1/api{}\n");
    assertThat(missing(0)).isEqualTo("[web@lb-9]");

    story.plays("list lb-1/web ~> lb-1/web web#1 [n4]");
    assertThat(missing(600)).isEqualTo("[]");
  }

  @Test
  void onlyOneLoadBalancerIsConfigured_itsPoolElsewhereIsMissing_itsShareOfTheClustersIsNot() {
    story = new Story(ServiceMapDriver.of(PoolNames.of("kubernetes", List.of())));
    story.plays(FILLED + "list kubernetes/.kubernetes{uid-web}\n");
    assertThat(missing(600)).isEqualTo("[]");

    story.plays("list kubernetes/.kubernetes{} lb-9/.kubernetes{uid-web}");
    assertThat(missing(600)).isEqualTo("[]");

    story.plays("list kubernetes/.kubernetes{} lb-9/web");
    assertThat(missing(0)).isEqualTo("[web@lb-9]");
  }

  @Test
  void hasAnAddressAndNoPool_isMissingAfterTwoMinutes() {
    story.plays(FILLED.replace(" address=1", "") + "list lb-1/api{}\n");
    assertThat(missing(600)).isEqualTo("[]");

    story.plays("after 1s\nlocal web address=1 digest=2 ->");
    assertThat(missing(600)).as("no listing could show it yet").isEqualTo("[]");
    story.plays("after 1s\nlist lb-1/api{}");
    assertThat(missing(119)).isEqualTo("[]");
    assertThat(missing(120)).isEqualTo("[web]");

    story.plays("after 60S\nlist lb-1/api{}");
    assertThat(missing(60)).isEqualTo("[web]");
  }

  @ParameterizedTest
  @EnumSource
  void listedBeforeAllCachesAreSynced_isMissingWhenTheLastOneIs(CacheKind last) {
    story.plays(
        FILLED.replace("all synced", "local api address=1")
            + Arrays.stream(CacheKind.values())
                .filter(kind -> kind != last)
                .map("synced %s\n"::formatted)
                .collect(Collectors.joining())
            + "list lb-9/web lb-1/ftp{}\n");
    assertThat(missing(600)).isEqualTo("[]");

    story.plays("after 10s\nsynced " + last);

    assertThat(missing(109)).isEqualTo("[web@lb-9]");
    assertThat(missing(110)).as("two minutes after the listing").isEqualTo("[api, web@lb-9]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster web",
        "plain web",
        "gone web",
        "local web manage=false",
        "label false",
      })
  void wantsNone_isNotMissing(String change) {
    story.plays(FILLED + "list lb-9/web\n");
    assertThat(missing(0)).isEqualTo("[web@lb-9]");

    story.plays(change);

    assertThat(missing(600)).isEqualTo("[]");
  }

  @Test
  void boundByABinding_isNotMissing_untilTheBindingIsGone() {
    story.plays(FILLED + "list lb-9/web lb-1/api{}\nbind lb-9/web web");
    assertThat(missing(600)).isEqualTo("[]");

    story.plays("unbind lb-9/web");
    assertThat(missing(0)).isEqualTo("[web@lb-9]");
  }

  @Test
  void boundElsewhere_itsOwnPoolIsMissingAllTheSame() {
    story.plays(FILLED + "list lb-9/web gw/blue{}\n");

    story.plays("bind gw/blue web");

    assertThat(missing(0)).isEqualTo("[web@lb-9]");
  }

  @Test
  void onlyOneOfItsFamiliesHasAPool_isMissing() {
    story.plays(FILLED.replace("address=1", "address=1 ip=46") + "list lb-1/web\n");

    assertThat(missing(120)).isEqualTo("[web]");
    story.plays("list lb-1/web lb-1/web-ipv6 ~>");
    assertThat(missing(600)).isEqualTo("[]");
  }

  @Test
  void poolIsSharedAndNotManaged_isNamedThere_andNotMissing() {
    story = new Story(ServiceMapDriver.optIn());
    story.plays(
        FILLED.replace("web address=1", "web address=1 manage=true")
            + "local api\nlist lb-1/web{uid-web uid-api}\n");

    assertThat(missing(600)).isEqualTo("[]");
  }

  @Test
  void loadBalancersCouldNotAllBeRead_onlyThoseElsewhereAreMissing() {
    story.plays(FILLED + "local api address=1\nlist lb-9/api\n");
    assertThat(missing(600)).isEqualTo("[api@lb-9, web]");

    story.plays("start\nfailed");
    assertThat(missing(600)).isEqualTo("[api@lb-9]");

    story.plays("list lb-9/api");
    assertThat(missing(600)).isEqualTo("[api@lb-9, web]");

    story.map.startListing();
    Listing shown =
        Listing.of(
            "rg",
            List.of(
                new LoadBalancerView(lb("lb-9"), List.of(MapWords.view("lb-9/api"))),
                new LoadBalancerView(
                    lb("lb-1"), List.of(), Optional.of(ServiceFixtures.FORBIDDEN))));
    story.map.listed(new Listing("rg", shown.loadBalancers(), List.of(), shown.groups(), Map.of()));
    assertThat(missing(600)).isEqualTo("[api@lb-9]");
  }

  @Test
  void updaterIsOff_noneWantsAny() {
    story = new Story(ServiceMapDriver.withoutOwners());
    story.plays(FILLED + "list lb-9/web\n");

    assertThat(missing(600)).isEqualTo("[]");
  }
}
