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
 * Knows whether a call waits for its token. All time limits of one call share it: a call that ends
 * at a limit while it waits has failed to sign in, and ARM was not silent.
 */
final class TokenWait {
  private static final String KEY = "poolkeeper-token-wait";

  /** What the call fails with if it ends now; null while it does not wait. */
  private volatile @Nullable Supplier<ArmException> late;

  private TokenWait() {}

  /** A call with a limit. If that ends while the call waits for a token, signing in has failed. */
  static <T> Mono<T> within(Duration limit, Scheduler delays, Mono<T> call) {
    return Mono.deferContextual(
        outer -> {
          TokenWait wait = waitOf(outer);
          return call.contextWrite(Context.of(KEY, wait))
              .timeout(limit, delays)
              .onErrorMap(TimeoutException.class, wait::failure);
        });
  }

  private static TokenWait waitOf(ContextView context) {
    return context.<TokenWait>getOrEmpty(KEY).orElseGet(TokenWait::new);
  }

  private Throwable failure(TimeoutException timeout) {
    Supplier<ArmException> signIn = late;
    return signIn == null ? timeout : signIn.get();
  }

  /** A later part of a call: while that waits for a token, the call does not count as waiting. */
  static <T> Mono<T> detached(Mono<T> part) {
    return part.contextWrite(context -> context.delete(KEY));
  }

  /**
   * A sign-in, which marks its call as waiting. It goes on when the call ends: others may wait for
   * the same one, and azure-core's cache of tokens forgets these when the first is cancelled.
   */
  static <T> Mono<T> marked(Mono<T> signIn, Supplier<ArmException> late) {
    return Mono.deferContextual(
        context -> {
          TokenWait wait = waitOf(context);
          wait.late = late;
          return Mono.fromFuture(signIn.toFuture(), true).doOnTerminate(() -> wait.late = null);
        });
  }
}
