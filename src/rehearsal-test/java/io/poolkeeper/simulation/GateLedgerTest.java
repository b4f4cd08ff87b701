package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The checker's gates are shut as long as ARM has asked, and for those whom it has. */
class GateLedgerTest {
  private static final Instant NOW = VirtualTime.START;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final ArmPath POOL = pool("lb-1");

  private final GateLedger gates = new GateLedger(MINUTE);

  private static ArmPath pool(String balancer) {
    return ArmPath.parse(
        new LoadBalancerId(SimOptions.SUBSCRIPTION, SimOptions.GROUP, balancer).pool("web").path());
  }

  private void throttled(boolean write, String code, String retryAfter) {
    String body = "{\"error\":{\"code\":\"%s\"}}".formatted(code);
    gates.close(
        POOL, write, new Wire.Answer(429, Map.of("Retry-After", retryAfter), body), NOW, NOW);
  }

  @Test
  void gates_aSecondShorterWait_leavesTheLongerOne() {
    throttled(false, "TooManyRequests", "40");
    throttled(false, "TooManyRequests", "10");

    assertThat(gates.closed(POOL, false, NOW.plusMillis(39_999))).isPresent();
    assertThat(gates.closed(POOL, false, NOW.plusSeconds(40))).isEmpty();
  }

  @Test
  void gates_ofReaders_leaveWritersAlone() {
    throttled(false, "TooManyRequests", "40");

    assertThat(gates.closed(POOL, true, NOW)).isEmpty();
  }

  @Test
  void gates_anAbsurdWaitOrADate_isBoundedOrMeasured() {
    throttled(false, "TooManyRequests", "99999");
    throttled(true, "TooManyRequests", "Sat, 21 Nov 2026 10:00:30 GMT");

    assertThat(gates.closed(POOL, false, NOW.plusSeconds(59))).isPresent();
    assertThat(gates.closed(POOL, false, NOW.plus(MINUTE))).isEmpty();
    assertThat(gates.closed(POOL, true, NOW.plusSeconds(29))).isPresent();
    assertThat(gates.closed(POOL, true, NOW.plusSeconds(30))).isEmpty();
  }

  @Test
  void gates_aLockOfOneLoadBalancer_leavesOthersOpen() {
    throttled(true, "RetryableErrorDueToAnotherOperation", "40");

    assertThat(gates.closed(POOL, true, NOW)).isPresent();
    assertThat(gates.closed(pool("lb-2"), true, NOW)).isEmpty();
  }
}
