package io.poolkeeper.ops;

import static io.poolkeeper.turnstile.TurnstileDriver.balancer;
import static io.poolkeeper.turnstile.TurnstileDriver.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.TurnstileDriver;
import io.poolkeeper.turnstile.TurnstileFixtures;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The exact JSON of the turnstile, and its part in the JSON of a pool. */
class TurnstileJsonTest {
  private final ObjectMapper json = new ObjectMapper();
  private final TurnstileDriver turnstile = new TurnstileDriver(TurnstileFixtures.SHIPPED);

  @Test
  void of_nobodyThere_hasAllMembers() throws JsonProcessingException {
    assertThat(text())
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
  void of_busy_saysWhoHoldsWhoWaitsAndWhy() throws JsonProcessingException {
    turnstile.request(pool("lb-3"), Lane.RETRY).giveBack(pool("lb-3"), TurnResult.UNRESOLVED);
    turnstile.request(pool("lb-1"), Lane.UPDATE).sent(true);
    turnstile.throttle("lb-2", Duration.ofMillis(1_500));
    turnstile.throttle(false, Duration.ofSeconds(20));
    turnstile.after(Duration.ofMillis(250));
    turnstile.drain(balancer("lb-1").pool("q"), 1, 3).request(pool("lb-4"), Lane.REPAIR);
    turnstile.requestListing();

    String text = text();

    assertThat(text)
        .startsWith(
            """
            {"now":"2026-11-21T10:00:00.250Z",\
            "gates":{"readsUntil":"2026-11-21T10:00:20Z","writesUntil":null,"loadBalancers":[\
            {"loadBalancer":"lb-2","resourceGroup":"rg","until":"2026-11-21T10:00:01.500Z"}]},\
            "buckets":[{"bucket":"writes","tokens":49.375,\
            """)
        .contains("{\"lane\":\"drain\",\"waiting\":1,\"passedOver\":0}")
        .contains("\"retryBudget\":{\"balance\":4.0,\"cap\":20}")
        .endsWith(
            """
            "turns":[{"turn":2,"loadBalancer":"lb-1","pool":"p","resourceGroup":"rg",\
            "lane":"update","since":"2026-11-21T10:00:00Z","deadline":"2026-11-21T10:01:00Z"}],\
            "waiting":[{"loadBalancer":"lb-1","pool":"q","resourceGroup":"rg","lane":"drain","share":0.333,\
            "since":"2026-11-21T10:00:00.250Z",\
            "why":"another pool of the load balancer has the turn",\
            "until":"2026-11-21T10:01:00Z"},\
            {"loadBalancer":"lb-4","pool":"p","resourceGroup":"rg","lane":"repair","share":null,\
            "since":"2026-11-21T10:00:00.250Z","why":"ARM takes no calls of the subscription",\
            "until":"2026-11-21T10:00:20Z"}],\
            "settling":[{"loadBalancer":"lb-3","pool":"p","resourceGroup":"rg",\
            "next":"2026-11-21T10:00:01Z","until":"2026-11-21T10:05:00Z"}],\
            "lease":null,"listingWaits":true}\
            """);
  }

  @Test
  void pools_waiting_sayWhatTheTurnstileSays() {
    turnstile.throttle(true, Duration.ofSeconds(20)).request(pool("lb-1"), Lane.UPDATE);

    assertThat(
            PoolJson.of(
                Statuses.snapshot(
                    turnstile,
                    Statuses.of("lb-1", "Waiting", Optional.empty()),
                    Statuses.of("lb-2", "Waiting", Optional.empty()),
                    Statuses.of("lb-3", "Parked", Optional.empty())),
                turnstile.now()))
        .extracting(PoolJson::why, PoolJson::until)
        .containsExactly(
            tuple("ARM takes no calls of the subscription", "2026-11-21T10:00:20Z"),
            tuple("as its state says", null),
            tuple("as its state says", null));
  }

  private String text() throws JsonProcessingException {
    return json.writeValueAsString(TurnstileJson.of(turnstile.view(), turnstile.now()));
  }
}
