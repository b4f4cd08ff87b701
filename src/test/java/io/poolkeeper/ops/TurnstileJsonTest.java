package io.poolkeeper.ops;

import static io.poolkeeper.turnstile.TurnstileDriver.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.TurnstileDriver;
import io.poolkeeper.turnstile.TurnstileFixtures;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The exact JSON of the turnstile, and its part in the JSON of a pool. */
class TurnstileJsonTest {
  private final TurnstileDriver turnstile = new TurnstileDriver(TurnstileFixtures.SHIPPED);

  @Test
  void of_nobodyThere_hasAllMembers() {
    assertThat(ApiJson.tree(TurnstileJson.of(turnstile.view(), turnstile.now())).toString())
        .isEqualTo(
            """
            {"now":"2026-11-21T10:00:00Z",\
            "gates":{"readsUntil":null,"writesUntil":null,"loadBalancers":[]},\
            "buckets":[\
            {"bucket":"writes","tokens":50.0,"burst":150,"perSecond":1.5},\
            {"bucket":"drain-reserve","tokens":50.0,"burst":200,"perSecond":1.5},\
            {"bucket":"early","tokens":50.0,"burst":75,"perSecond":0.5},\
            {"bucket":"reads","tokens":200.0,"burst":200,"perSecond":15.0}],\
            "lanes":[\
            {"lane":"drain","waiting":0,"passedOver":0},\
            {"lane":"update","waiting":0,"passedOver":0},\
            {"lane":"drain-retry","waiting":0,"passedOver":0},\
            {"lane":"retry","waiting":0,"passedOver":0},\
            {"lane":"early","waiting":0,"passedOver":0},\
            {"lane":"repair","waiting":0,"passedOver":0}],\
            "retryBudget":{"balance":5.0,"cap":20},"maxInFlight":16,\
            "turns":[],"waiting":[],"settling":[],"lease":null,"listingWaits":false}\
            """);
  }

  @Test
  void pools_waiting_sayWhatTheTurnstileSays() {
    turnstile.throttle(true, Duration.ofSeconds(20)).request(pool("lb-1"), Lane.UPDATE);

    JsonNode pools =
        ApiJson.tree(
            PoolJson.of(
                Scene.moment(
                    Statuses.snapshot(
                        turnstile,
                        Statuses.of("lb-1", "Waiting", Optional.empty()),
                        Statuses.of("lb-2", "Waiting", Optional.empty()),
                        Statuses.of("lb-3", "Parked", Optional.empty())),
                    turnstile.now())));

    assertThat(pools)
        .extracting(pool -> pool.get("why").asText(), pool -> pool.get("until").asText())
        .containsExactly(
            tuple("ARM takes no calls of the subscription", "2026-11-21T10:00:20Z"),
            tuple("as its state says", "null"),
            tuple("as its state says", "null"));
  }
}
