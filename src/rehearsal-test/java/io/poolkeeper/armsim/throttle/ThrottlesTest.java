package io.poolkeeper.armsim.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.throttle.Request.Kind;
import io.poolkeeper.armsim.throttle.ThrottleDecision.Remaining;
import io.poolkeeper.armsim.throttle.ThrottleSettings.Rate;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ThrottlesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = -7 * SECOND;
  private static final Rate WRITES = new Rate(200, 10);

  private static ThrottleSettings settings(boolean arm, boolean network, boolean countsRefused) {
    return new ThrottleSettings(
        arm, network, new Rate(250, 25), WRITES, WRITES, 15, 1_000, 10_000, 300, countsRefused);
  }

  private static Request write(String principal) {
    return new Request("s", principal, Kind.WRITE, Optional.of("eastus"));
  }

  private static int admitted(Throttles throttles, Request request, int times, long nanos) {
    int admitted = 0;
    for (int i = 0; i < times; i++) {
      if (throttles.admit(request, nanos).refusal().isEmpty()) {
        admitted++;
      }
    }
    return admitted;
  }

  private static String refusedBy(ThrottleDecision admission) {
    return admission.refusal().orElseThrow().by();
  }

  @Test
  void admit_firstWrite_leaves199And2999() {
    var throttles = new Throttles(ThrottleSettings.AZURE);
    ThrottleDecision first = throttles.admit(write("me"), START);
    assertThat(first.refusal()).isEmpty();
    assertThat(first.remaining().headers())
        .containsEntry("x-ms-ratelimit-remaining-subscription-writes", "199")
        .containsEntry("x-ms-ratelimit-remaining-subscription-global-writes", "2999")
        .hasSize(2);
    var read = new Request("s", "me", Kind.READ, Optional.of("eastus"));
    assertThat(throttles.admit(read, START).remaining())
        .isEqualTo(new Remaining(Kind.READ, 249, 3749));
  }

  @Test
  void admit_emptyBucket_isRefusedInAzuresWords() {
    var throttles = new Throttles(settings(true, false, true));
    assertThat(admitted(throttles, write("me"), 201, START)).isEqualTo(200);
    // When
    ThrottleDecision refused = throttles.admit(write("me"), START + SECOND / 20);
    // Then
    assertThat(refusedBy(refused)).isEqualTo("arm");
    ArmAnswer answer = refused.refusal().orElseThrow().answer();
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.headers())
        .containsEntry("x-ms-failure-cause", "gateway")
        .containsEntry("Retry-After", "1");
    assertThat(answer.text())
        .isEqualTo(
            """
            {"error":{"code":"SubscriptionRequestsThrottled","message":"Number of 'write' requests \
            for subscription 's' actor 'me' exceeded. Please try again after '1' seconds after \
            additional tokens are available. Refer to https://aka.ms/arm-throttling for additional \
            information."}}\
            """);
    assertThat(refused.remaining().local()).isZero();
    assertThat(refused.remaining().global()).isEqualTo(2_807);
  }

  @Test
  void admit_refillsExactlyAndNoFurtherThanFull() {
    var throttles = new Throttles(settings(true, false, true));
    assertThat(admitted(throttles, write("me"), 300, START)).isEqualTo(200);
    assertThat(admitted(throttles, write("me"), 5, START + SECOND / 10 - 1)).isZero();
    assertThat(admitted(throttles, write("me"), 5, START + SECOND / 10)).isEqualTo(1);
    assertThat(admitted(throttles, write("me"), 500, START + 10_000_000 * SECOND)).isEqualTo(200);
    // A time before the last one changes nothing.
    assertThat(admitted(throttles, write("me"), 5, START)).isZero();
  }

  @Test
  void admit_principalsKindsAndSubscriptions_haveTheirOwnBuckets() {
    var throttles = new Throttles(settings(true, false, true));
    assertThat(admitted(throttles, write("me"), 300, START)).isEqualTo(200);
    assertThat(admitted(throttles, write("you"), 300, START)).isEqualTo(200);
    var delete = new Request("s", "me", Kind.DELETE, Optional.of("eastus"));
    assertThat(admitted(throttles, delete, 300, START)).isEqualTo(200);
    var elsewhere = new Request("t", "me", Kind.WRITE, Optional.of("eastus"));
    assertThat(admitted(throttles, elsewhere, 300, START)).isEqualTo(200);
  }

  @Test
  void admit_manyPrincipals_shareFifteenBuckets() {
    var throttles = new Throttles(settings(true, false, true));
    int admitted = 0;
    for (int i = 0; i < 20; i++) {
      admitted += admitted(throttles, write("p" + i), 200, START);
    }
    assertThat(admitted).isEqualTo(3_000);
  }

  @Test
  void admit_fullWindow_isRefusedByTheNetworkProvider() {
    var throttles = new Throttles(settings(false, true, false));
    assertThat(admitted(throttles, write("me"), 600, START)).isEqualTo(600);
    var delete = new Request("s", "you", Kind.DELETE, Optional.of("eastus"));
    assertThat(admitted(throttles, delete, 600, START + SECOND)).isEqualTo(400);
    // When
    ThrottleDecision refused = throttles.admit(write("me"), START + 100 * SECOND);
    // Then
    assertThat(refusedBy(refused)).isEqualTo("network");
    ArmAnswer answer = refused.refusal().orElseThrow().answer();
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.code()).isEqualTo("TooManyRequests");
    assertThat(answer.headers())
        .containsEntry("x-ms-failure-cause", "service")
        .containsEntry("Retry-After", "200");
    assertThat(answer.text()).contains("limit of 1000 in 300 seconds").contains("\"details\":[]");
    // Other regions, reads, and other providers are not affected.
    var west = new Request("s", "me", Kind.WRITE, Optional.of("westus"));
    var read = new Request("s", "me", Kind.READ, Optional.of("eastus"));
    var group = new Request("s", "me", Kind.WRITE, Optional.empty());
    for (Request other : new Request[] {west, read, group}) {
      assertThat(admitted(throttles, other, 1, START + 100 * SECOND)).isEqualTo(1);
    }
    // Nothing was counted since, so calls are admitted at the announced time.
    assertThat(admitted(throttles, write("me"), 2_000, START + 299 * SECOND)).isZero();
    assertThat(admitted(throttles, write("me"), 2_000, START + 300 * SECOND)).isEqualTo(1_000);
  }

  @Test
  void admit_askingDuringARefusal_prolongsItWhereRefusedRequestsCount() {
    var throttles = new Throttles(settings(false, true, true));
    assertThat(admitted(throttles, write("me"), 1_000, START)).isEqualTo(1_000);
    assertThat(admitted(throttles, write("me"), 1_000, START + 200 * SECOND)).isZero();
    assertThat(admitted(throttles, write("me"), 1, START + 301 * SECOND)).isZero();
    ThrottleDecision refused = throttles.admit(write("me"), START + 301 * SECOND);
    assertThat(refusedBy(refused)).isEqualTo("network");
    assertThat(refused.refusal().orElseThrow().answer().headers())
        .containsEntry("Retry-After", "199");
  }

  @Test
  void admit_off_refusesNothingAndShowsAFreshSubscription() {
    var throttles = new Throttles(ThrottleSettings.OFF);
    assertThat(admitted(throttles, write("me"), 5_000, START)).isEqualTo(5_000);
    assertThat(throttles.admit(write("me"), START).remaining())
        .isEqualTo(new Remaining(Kind.WRITE, 199, 2999));
  }

  @Test
  void admit_refusedByTheNetworkProvider_tookATokenOfResourceManager() {
    var settings =
        new ThrottleSettings(true, true, WRITES, new Rate(3, 1), WRITES, 15, 1, 1, 300, false);
    var throttles = new Throttles(settings);
    throttles.admit(write("me"), START);
    assertThat(refusedBy(throttles.admit(write("me"), START))).isEqualTo("network");
    assertThat(refusedBy(throttles.admit(write("me"), START))).isEqualTo("network");
    assertThat(refusedBy(throttles.admit(write("me"), START))).isEqualTo("arm");
  }
}
