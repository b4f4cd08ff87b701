package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The judge knows which changes ARM made wait. */
class ArmWaitsTest {
  private static final long MILLI = 1_000_000;

  private static boolean held(Requests requests, String pool, long from, long to) {
    return new ArmWaits(requests.list()).delayed(Requests.pool(pool), from * MILLI, to * MILLI);
  }

  private static Requests refused(String code, String rule) {
    return new Requests().ruled(1_000, "PUT", "lb/a", 429, code, rule);
  }

  @Test
  void held_aCallOfItsPoolWasRefusedMeanwhile_andOfNoOther() {
    Requests requests = new Requests().add(1_000, "PUT", "lb/a", 412, "PreconditionFailed");

    assertThat(held(requests, "LB/A", 999, 3_000)).isTrue();
    assertThat(held(requests, "lb/a", 1_001, 3_000)).isFalse();
    assertThat(held(requests, "lb/a", 500, 999)).isFalse();
    assertThat(held(requests, "lb/b", 999, 3_000)).isFalse();
    assertThat(held(requests, "lb-2/a", 999, 3_000)).isFalse();
  }

  @Test
  void held_itsWriteWentWrongAfterItWasAccepted() {
    Requests requests =
        new Requests().ruled(1_000, "PUT", "lb/a", 200, "", "{\"lro\":\"canceled\"}");

    assertThat(held(requests, "lb/a", 900, 3_000)).isTrue();
  }

  @Test
  void held_theSubscriptionIsRefused_everyPoolAsLongAsThatLasts() {
    Requests requests =
        refused("SubscriptionRequestsThrottled", "{\"status\":429,\"retryAfter\":\"5\"}");

    assertThat(held(requests, "lb-2/b", 6_000, 6_500)).isTrue();
    assertThat(held(requests, "lb-2/b", 6_001, 6_500)).isFalse();
  }

  @Test
  void held_aLoadBalancerIsLocked_itsPoolsOnly() {
    Requests requests = refused("RetryableError", "{\"status\":429,\"retryAfter\":\"5\"}");

    assertThat(held(requests, "lb/b", 2_000, 6_500)).isTrue();
    assertThat(held(requests, "lb-2/b", 2_000, 6_500)).isFalse();
  }

  @Test
  void opens_afterTheLongestOfAllRefusals() {
    Requests requests =
        refused("TooManyRequests", "{\"status\":429,\"retryAfter\":\"5\"}")
            .ruled(2_000, "GET", "lb-2/b", 429, "", "{\"status\":429,\"retryAfter\":\"2\"}")
            .add(9_000, "PUT", "lb/a", 200, "");

    assertThat(new ArmWaits(requests.list()).opensNanos()).hasValue(6_000 * MILLI);
    assertThat(new ArmWaits(new Requests().list()).opensNanos()).isEmpty();
  }

  @Test
  void held_successes_holdNothing() {
    Requests requests = new Requests().add(1_000, "PUT", "lb/a", 200, "");

    assertThat(held(requests, "lb/a", 0, 3_000)).isFalse();
  }
}
