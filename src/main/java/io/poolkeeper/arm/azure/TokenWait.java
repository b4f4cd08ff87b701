package io.poolkeeper.arm.azure;

import io.poolkeeper.arm.ArmException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Says whether a call is waiting for its token. All time limits of one call share this: a call that
 * a limit ends while it waits fails because the sign-in gave no token, not because ARM was silent.
 */
final class TokenWait {
  private static final String KEY = "poolkeeper-token-wait";

  /** What the call fails with if it ends now; null while it does not wait. */
  private volatile @Nullable Supplier<ArmException> late;

  private TokenWait() {}

  /** A call with a limit. At its end it fails with what signing in says, if it waits for that. */
  static <T> Mono<T> within(Duration limit, Scheduler delays, Mono<T> call) {
    return Mono.deferContextual(
        outer -> {
          TokenWait wait = in(outer);
          return call.contextWrite(Context.of(KEY, wait))
              .timeout(limit, delays)
              .onErrorMap(TimeoutException.class, wait::failure);
        });
  }

  private static TokenWait in(ContextView context) {
    return context.<TokenWait>getOrEmpty(KEY).orElseGet(TokenWait::new);
  }

  private Throwable failure(TimeoutException end) {
    Supplier<ArmException> waits = late;
    return waits == null ? end : waits.get();
  }

  /** A later part of a call: while that waits for a token, the call does not count as waiting. */
  static <T> Mono<T> apart(Mono<T> part) {
    return part.contextWrite(context -> context.delete(KEY));
  }

  /**
   * A sign-in, as a call waits for it. It goes on when the call ends: others may wait for the same
   * one, and azure-core's cache of tokens forgets these when the first of them is cancelled.
   */
  static <T> Mono<T> of(Mono<T> signIn, Supplier<ArmException> late) {
    return Mono.deferContextual(
        context -> {
          TokenWait wait = in(context);
          wait.late = late;
          return Mono.fromFuture(signIn.toFuture(), true).doOnTerminate(() -> wait.late = null);
        });
  }
}
