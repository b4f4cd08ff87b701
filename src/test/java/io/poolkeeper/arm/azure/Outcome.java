package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the future of a port, with a limit. */
final class Outcome {
  /** Longer than {@link ScriptedArm#PATIENCE}: a call that is stuck fails by itself. */
  private static final int SECONDS = 90;

  private Outcome() {}

  static <T> T value(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Why the configured group could not be listed. */
  static ArmFailure unlisted(CompletionStage<Listing> stage) {
    ArmFailure failure = value(stage).failure().orElseThrow();
    assertThat(failure.message()).isNotBlank().doesNotContain("\n");
    return failure;
  }

  static ArmFailure failure(CompletionStage<?> stage) {
    try {
      Object value = stage.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
      throw new AssertionError("did not fail, but gave " + value);
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(ArmException.class);
      ArmFailure failure = ((ArmException) e.getCause()).failure();
      assertThat(failure.message()).isNotBlank().doesNotContain("\n");
      return failure;
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
