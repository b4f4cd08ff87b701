package io.poolkeeper.ops;

import static io.poolkeeper.ratelimit.RateLimiterDriver.T0;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whom it hurts, for programs: an answer of bounded size. */
class ImpactJsonTest {
  private static JsonNode impact(int services) {
    Map<PoolStatus, Map<ServiceKey, Instant>> pools = new HashMap<>();
    for (int i = 0; i < services; i++) {
      pools.put(
          Statuses.differing("lb-" + i, State.PARKED, Optional.of(T0), 1, 0),
          Map.of(new ServiceKey("shop", "s" + i), T0.minusSeconds(100 - i)));
    }
    Knowledge leads = new Knowledge(Set.of(), Set.of(), true, true, Map.of(), Optional.empty());
    return ApiJson.tree(Scene.moment(Statuses.without(leads, pools), T0).status()).path("impact");
  }

  @Test
  void impact_ofAService_namesItsPoolsAndTheCause() {
    JsonNode impact = impact(1);

    assertThat(impact.path("text").asText())
        .isEqualTo("1 Service has no right node: Azure throttles lb-0.");
    assertThat(impact.path("without").asInt()).isEqualTo(1);
    JsonNode one = impact.path("none").path(0);
    assertThat(one.path("service").asText()).isEqualTo("shop/s0");
    assertThat(one.path("why").asText()).isEqualTo("Azure throttles lb-0");
    assertThat(one.path("pools").path(0).asText())
        .isEqualTo(RateLimiterDriver.pool("lb-0").inFull());
    assertThat(Instant.parse(one.path("since").asText())).isEqualTo(T0.minusSeconds(100));
    assertThat(impact.path("fewer").asInt()).isZero();
    assertThat(impact.path("tooMuch").asInt()).isZero();
  }

  @Test
  void impact_ofManyServices_countsAll_andNamesTheLongest() {
    JsonNode impact = impact(25);

    assertThat(impact.path("without").asInt()).isEqualTo(25);
    assertThat(impact.path("none")).hasSize(20);
    assertThat(impact.path("none").path(0).path("service").asText()).isEqualTo("shop/s0");
  }
}
