package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import io.poolkeeper.service.OptedOut;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.junit.jupiter.api.Test;

/** Pools that are not touched beside one that is. */
class PoolJsonTest {
  @Test
  void pools_optedOut_areThere_butForOneThatIsStillFollowed() {
    RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.SHIPPED);
    Snapshot plain =
        Statuses.snapshot(rateLimiter, Statuses.of("lb-2", State.IDLE, Optional.empty()));
    OptedOut out = new OptedOut(List.of(new ServiceKey("shop", "web")), "it is said so");
    Knowledge knowledge =
        new Knowledge(
            Set.of(),
            Set.of(),
            true,
            true,
            Map.of(
                new LoadBalancerId("sub", "rg", "lb-1").pool("shop-web"),
                out,
                plain.pools().getFirst().id(),
                out),
            Optional.empty());
    Snapshot snapshot =
        Statuses.snapshot(
            plain.pools(), knowledge, plain.rateLimiter(), plain.nodes(), plain.bindings());

    assertThat(ApiJson.tree(PoolJson.of(Scene.moment(snapshot, rateLimiter.now()))))
        .extracting(pool -> pool.get("state").asText())
        .containsExactly("OptedOut", "Idle");
  }

  @Test
  void pool_namesAreInTwoResourceGroups_isChosenByTheGroup() {
    OptedOut out = new OptedOut(List.of(), "it is said so");
    Knowledge knowledge =
        new Knowledge(
            Set.of(),
            Set.of(),
            true,
            true,
            Map.of(
                new LoadBalancerId("sub", "one", "lb").pool("web"),
                out,
                new LoadBalancerId("sub", "Two", "lb").pool("web"),
                out),
            Optional.empty());
    Snapshot snapshot =
        Statuses.snapshot(
            List.of(), knowledge, Optional.empty(), NodesView.UNKNOWN, BindingsView.NONE);
    Moment moment = Scene.moment(snapshot, RateLimiterDriver.T0);

    HttpResponse several = HttpApi.pool("LB", "web", Optional.empty(), moment);
    HttpResponse second = HttpApi.pool("lb", "Web", Optional.of("two"), moment);
    HttpResponse none = HttpApi.pool("lb", "web", Optional.of("three"), moment);

    assertThat(several.status().intValue()).isEqualTo(409);
    assertThat(text(several)).contains("?resourceGroup=", "\"resourceGroups\":[\"one\",\"Two\"]");
    assertThat(second.status().intValue()).isEqualTo(200);
    assertThat(text(second)).contains("\"id\":\"Two/lb/web\"");
    assertThat(none.status().intValue()).isEqualTo(404);
    assertThat(text(none)).contains("no pool web on load balancer lb of resource group three");
  }

  private static String text(HttpResponse answer) {
    return ((HttpEntity.Strict) answer.entity()).getData().utf8String();
  }
}
