package io.poolkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionSubject;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.BindingWrites;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.admission.WriteAnswer;
import io.poolkeeper.model.Mark;
import io.poolkeeper.shadow.ShadowComparison;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Nothing of a binding is written in shadow mode; the rest of the ports has no answer. */
class ShadowPortsTest {
  private static final BindingView BINDING =
      new BindingView(
          new BindingKey("shop", "web"),
          "uid",
          "1",
          Instant.EPOCH,
          Optional.empty(),
          false,
          false,
          Optional.empty(),
          Optional.empty(),
          List.of("no pool"),
          new AdmissionSubject(List.of(), List.of(), false, false, false, Duration.ZERO));

  private final List<ShadowComparison.Kind> counted = new ArrayList<>();
  private final ShadowPorts ports =
      new ShadowPorts(
          new BindingWrites() {
            @Override
            public CompletionStage<WriteAnswer> write(BindingsEffect.Write write) {
              throw new AssertionError(write);
            }

            @Override
            public CompletionStage<Mark> mark() {
              return CompletableFuture.completedFuture(new Mark(".pk-0123456789abcdef"));
            }
          },
          counted::add);

  private WriteAnswer answer(BindingsEffect.Write write) {
    return ports.write(write).toCompletableFuture().join();
  }

  @Test
  void finalizer_countsAsAdded_soThatItsPoolIsDecided() {
    assertThat(answer(new BindingsEffect.AddFinalizer(BINDING)))
        .isEqualTo(new WriteAnswer.Done(BINDING.withFinalizer()));
    assertThat(BINDING.withFinalizer().finalizer()).isTrue();
    assertThat(counted).containsExactly(ShadowComparison.Kind.BINDING);
  }

  @Test
  void finalizer_ofABindingThatIsDeleted_isNotRemoved() {
    assertThat(answer(new BindingsEffect.RemoveFinalizer(BINDING)))
        .isEqualTo(new WriteAnswer.Conflict());
    assertThat(counted).containsExactly(ShadowComparison.Kind.BINDING);
  }

  @Test
  void mark_isRead() {
    assertThat(ports.mark().toCompletableFuture().join())
        .isEqualTo(new Mark(".pk-0123456789abcdef"));
    assertThat(counted).isEmpty();
  }
}
