package io.poolkeeper.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every failure has one reason of the closed set. */
class RetryReasonTest {
  @ParameterizedTest
  @CsvSource({
    "RESPONSE, 409, CONFLICT",
    "RESPONSE, 412, PRECONDITION",
    "RESPONSE, 403, TERMINAL",
    "RESPONSE, 503, TERMINAL",
    "TRANSPORT, 0, TRANSPORT",
    "UNTRUSTED, 0, TERMINAL",
    "MALFORMED, 200, TERMINAL",
    "AUTHENTICATION, 0, TERMINAL",
    "OPERATION, 0, OPERATION",
    "CANCELED, 0, CANCELLED",
    "UNRESOLVED, 0, UNRESOLVED",
    "SHUTDOWN, 0, TERMINAL",
    "OTHER, 0, TERMINAL"
  })
  void of_kindAndStatus_isTheReason(Kind kind, int status, RetryReason reason) {
    assertThat(RetryReason.of(new ArmFailure(kind, status, "", "no"))).isEqualTo(reason);
  }

  @Test
  void of_throttle_isThrottled() {
    assertThat(RetryReason.of(ArmFailure.throttled("", "slow", Instant.EPOCH)))
        .isEqualTo(RetryReason.THROTTLED);
  }

  @Test
  void of_anyFailure_isNeverDrift() {
    Set<RetryReason> reasons =
        Arrays.stream(Kind.values())
            .filter(kind -> kind != Kind.THROTTLED)
            .map(kind -> RetryReason.of(new ArmFailure(kind, 500, "", "no")))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(RetryReason.class)));

    assertThat(reasons).doesNotContain(RetryReason.DRIFT);
  }
}
