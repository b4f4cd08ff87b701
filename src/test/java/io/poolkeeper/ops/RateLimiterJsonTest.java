package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.ratelimit.RateLimiterDriver;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import org.junit.jupiter.api.Test;

/** The exact JSON of a rate limiter that nobody has come to; of others see {@link AnswersTest}. */
class RateLimiterJsonTest {
  private final RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.SHIPPED);

  @Test
  void of_nobodyThere_hasAllMembers() {
    assertThat(ApiJson.tree(RateLimiterJson.of(rateLimiter.view(), rateLimiter.now())).toString())
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
}
