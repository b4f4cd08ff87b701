package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.ScriptedArm.POOL;
import static io.poolkeeper.arm.azure.ScriptedArm.POOL_BODY;
import static io.poolkeeper.arm.azure.ScriptedArm.QUICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a 429 of a poll holds. */
class ThrottledPollTest {
  private static final PoolEdit EDIT =
      PoolEdit.of(Set.of(Address.of("10.0.0.1")), Map.of(Address.of("10.0.0.2"), "node-2"));
  private static final PoolId ELSEWHERE =
      new LoadBalancerId("sub-1", "rg-1", "lb-2").pool("default-web");
  private static final String LOCKED =
      "{\"error\":{\"code\":\"RetryableError\",\"message\":\"A retryable error occurred.\"}}";

  private final List<ArmObserver.Throttle> told = new CopyOnWriteArrayList<>();
  private volatile Instant now = Instant.parse("2001-01-01T00:00:00Z");
  private final ScriptedArm server = new ScriptedArm();
  private final AzureArm arm =
      AzureArm.create(
          server.settings(),
          ScriptedArm.PATIENCE,
          ScriptedArm.LONGEST,
          new ArmObserver() {
            @Override
            public void answered(String call, int status, Duration took) {}

            @Override
            public void throttled(Throttle throttle) {
              told.add(throttle);
            }
          },
          new Clocks(System::nanoTime, () -> now, () -> now, java.util.SplittableRandom::new),
          QUICK,
          client -> Optional.empty());

  @AfterEach
  void stop() {
    arm.close();
    server.close();
  }

  private PoolDocument document(PoolId pool) {
    server.answers(200, POOL_BODY.replace("lb-1", pool.loadBalancer().name()));
    return arm.get(pool, Instant.MAX).toCompletableFuture().join();
  }

  private static ArmFailure failure(CompletionStage<?> call) {
    return ArmException.failureIn(catchThrowable(() -> call.toCompletableFuture().join()));
  }

  /** The rate limiter, which is told, begins no write there, whose polls would not be sent. */
  @Test
  void poll_lockIsMet_closesTheGateOfItsLoadBalancerOnly() {
    PoolDocument here = document(POOL);
    PoolDocument there = document(ELSEWHERE);
    server.accepts().answers(429, LOCKED, "Retry-After", "20");
    failure(arm.put(here, EDIT, Instant.MAX));
    server.accepts().answers(200, "{\"status\":\"Succeeded\"}");

    arm.put(there, EDIT, Instant.MAX).toCompletableFuture().join();

    assertThat(told)
        .containsExactly(
            new ArmObserver.Throttle(Optional.of(POOL.loadBalancer()), false, now.plusSeconds(20)));
    assertThat(failure(arm.get(POOL, Instant.MAX)).message()).startsWith("not sent");
    now = now.plusSeconds(20);
    assertThat(document(POOL)).isNotNull();
  }

  @Test
  void poll_unknownCode_closesTheGateOfAllReads() {
    PoolDocument document = document(POOL);
    server.accepts().answers(429, LOCKED.replace("RetryableError", "New"), "Retry-After", "20");
    failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure(arm.get(ELSEWHERE, Instant.MAX)).message()).startsWith("not sent");
  }

  @Test
  void poll_throttled_leavesTheWriteUnresolvedUntilTheGateOpens() {
    PoolDocument document = document(POOL);
    server.accepts().answers(429, LOCKED, "Retry-After", "20");

    ArmFailure failure = failure(arm.put(document, EDIT, Instant.MAX));

    assertThat(failure.kind()).isEqualTo(Kind.UNRESOLVED);
    assertThat(failure.retryAfter()).contains(now.plusSeconds(20));
  }
}
