package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.lb;
import static io.poolkeeper.service.ServiceFixtures.listing;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.PoolView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A load balancer that a listing shows and that cannot be read: its pools are unknown, which is not
 * the same as gone. Row 12 of docs/operations/reports.md.
 */
class UnreadableTest {
  private static final ArmFailure WHY =
      new ArmFailure(ArmFailure.Kind.MALFORMED, 200, "", "answer: id is of type NUMBER");
  private static final String FILLED =
      """
      node n4 n5
      local web
      local api
      cluster plain
      slice web-1 web n4
      slice api-1 api n4
      slice plain-1 plain n4
      all synced
      """;

  private final Story story = new Story();

  /** A listing in which that load balancer cannot be read; the others have these pools. */
  private String listed(String unreadable, String... pools) {
    PoolView[] views = Arrays.stream(pools).map(MapWords::view).toArray(PoolView[]::new);
    Listing shown = listing(views);
    List<LoadBalancerView> all = new ArrayList<>(shown.loadBalancers());
    all.add(new LoadBalancerView(lb(unreadable), List.of(), Optional.of(WHY)));
    story.map.startListing();
    Listing listing = new Listing("rg", all, List.of(), shown.groups(), Map.of());
    return new MapWords(story.map.now()).all(story.map.listed(listing));
  }

  private Map<?, UnknownPools> unreadable() {
    return story.map.state().index().orElseThrow().unreadable();
  }

  @Test
  void reported12_loadBalancerOfSomebodyElseCannotBeRead_othersAreWritten() {
    story.plays(FILLED);

    assertThat(listed("theirs", "lb-1/web")).contains("lb-1/web web#1 [n4]");
    assertThat(unreadable())
        .hasToString(Map.of(lb("theirs"), new UnknownPools(WHY, false, Set.of())) + "");
    story.plays("wakes 35s");
  }

  @Test
  void itsPools_areKeptAndNotWritten_untilItCanBeRead() {
    story.plays(FILLED + "list lb-1/web lb-2/api\n");

    assertThat(listed("lb-1", "lb-2/api"))
        .contains("lb-1/web -web", "lb-1/web forgotten", "lb-2/api shown")
        .doesNotContain("lb-2/api -api");
    assertThat(unreadable().values())
        .containsExactly(new UnknownPools(WHY, true, Set.of(MapWords.pool("lb-1/web"))));

    story.plays(
        """
        slice web-1 web n5 ->
        slice api-1 api n5 -> lb-2/api api#1 [n5]
        """);
    listed("lb-1", "lb-2/api");
    assertThat(MapWords.pools(index().pools().keySet())).isEqualTo("[lb-1/web, lb-2/api]");
    story.plays("list lb-1/web lb-2/api ~> lb-1/web shown [n4]; lb-1/web web#3 [n5]");
    assertThat(unreadable()).isEmpty();
  }

  /** An actor that ends may leave entries in another state than their nodes'. */
  @Test
  void itsPools_areForgotten_noDrainIsSaidToBeInAllPoolsUntilItCanBeRead() {
    story.plays(FILLED + "list lb-1/web\nnodes 1 n4\nlist lb-1/web ~> all shown v1");

    assertThat(listed("lb-1", "lb-2/api"))
        .containsSubsequence("nothing shown", "lb-1/web forgotten")
        .doesNotContain("all shown");
    assertThat(listed("lb-1", "lb-2/api")).contains("nothing shown").doesNotContain("all shown");
    story.plays("list lb-1/web lb-2/api ~> all shown v1");
  }

  @Test
  void whileItIsUsed_itIsListedAgainSoon_aMinuteApartInTheEnd() {
    story.plays(FILLED + "list lb-1/web\nafter 2m\nlist lb-1/web");

    listed("lb-1");
    for (String next : List.of("1s", "2s", "4s", "8s", "16s", "32s", "60s", "60s")) {
      story.plays("wakes " + next);
      listed("lb-1");
    }
  }

  /** Another cluster's has the same name, as on AKS. */
  @Test
  void sameNameInAnotherGroup_isNotUsed_andDelaysNoDrain() {
    story.plays(FILLED + "list lb-1/web\nnodes 1 n4");
    LoadBalancerView theirs =
        new LoadBalancerView(
            new LoadBalancerId("sub", "theirs", "lb-1"), List.of(), Optional.of(WHY));
    Listing shown = listing(MapWords.view("lb-1/web"));

    story.map.startListing();
    Listing both =
        new Listing("rg", shown.loadBalancers(), List.of(theirs), Set.of("rg", "theirs"), Map.of());
    String all = new MapWords(story.map.now()).all(story.map.listed(both));

    assertThat(unreadable().values()).extracting(UnknownPools::used).containsExactly(false);
    assertThat(all).contains("all shown v1");
  }

  /** What it asks for by itself is no reason to wait with what others ask for. */
  @Test
  void whileItIsUsed_aNewServiceIsListedForASecondLater() {
    story.plays(FILLED + "list lb-1/web\nafter 2m\nlist lb-1/web");
    for (String next : List.of("1s", "2s", "4s", "8s", "16s", "32s")) {
      listed("lb-1");
      story.plays("wakes " + next);
    }
    listed("lb-1");

    story.plays("after 5s\nlocal new\nslice new-1 new n4\nwakes 1s");
  }

  @Test
  void standby_listsNoMoreOftenWhileItCannotBeRead() {
    Story standby = new Story(ServiceMapDriver.standby());
    standby.plays(FILLED + "list lb-1/web");
    Listing shown = listing(MapWords.view("lb-2/api"));
    List<LoadBalancerView> views = new ArrayList<>(shown.loadBalancers());
    views.add(new LoadBalancerView(lb("lb-1"), List.of(), Optional.of(WHY)));
    standby.map.startListing();
    standby.map.listed(new Listing("rg", views, List.of(), shown.groups(), Map.of()));

    standby.plays("wakes 600s");
  }

  /** Nobody knows whether it can be read now. */
  @Test
  void itsGroupCannotBeListedAfterThat_itsPoolsAreStillNotWritten() {
    story.plays(FILLED + "list lb-1/web");
    listed("lb-1");

    story.map.startListing();
    story.map.listed(
        new Listing(
            "rg", List.of(), List.of(), Set.of("other"), Map.of("rg", ServiceFixtures.FORBIDDEN)));

    assertThat(unreadable().values())
        .containsExactly(new UnknownPools(WHY, true, Set.of(MapWords.pool("lb-1/web"))));
    story.plays("slice web-1 web n5 ->\nlist lb-1/web ~> lb-1/web web#2 [n5]");
  }

  @Test
  void missing_isGone() {
    story.plays(FILLED + "list lb-1/web lb-2/api\n");
    listed("lb-1", "lb-2/api");

    story.plays("list lb-2/api");

    assertThat(MapWords.pools(index().pools().keySet())).isEqualTo("[lb-2/api]");
    assertThat(unreadable()).isEmpty();
  }

  @Test
  void bindingThatLeaves_waitsUntilItCanBeRead() {
    story.plays(
        FILLED
            + """
            bind gateway/.blue plain
            list gateway/.blue[]{} lb-1/web
            leave gateway/.blue
            """);

    assertThat(listed("gateway", "lb-1/web"))
        .startsWith("bound: missing [], unread [gateway/.blue], out []")
        .contains("gateway/.blue forgotten");
    assertThat(unreadable().values())
        .containsExactly(new UnknownPools(WHY, true, Set.of(MapWords.pool("gateway/.blue"))));

    story.plays("list gateway/.blue[]{} lb-1/web ~> gateway/.blue leaving");
  }

  private PoolIndex index() {
    return story.map.state().index().orElseThrow();
  }
}
