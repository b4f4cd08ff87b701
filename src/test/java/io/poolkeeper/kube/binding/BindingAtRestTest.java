package io.poolkeeper.kube.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionChecks;
import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.BindingsCore;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.admission.BindingsState;
import io.poolkeeper.admission.Resolution;
import io.poolkeeper.admission.WriteAnswer;
import io.poolkeeper.core.Decision;
import io.poolkeeper.kube.WatchedKind;
import io.poolkeeper.kube.binding.BindingStatus.CheckStatus;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bindings' core and the form of the API together, with two clocks whose difference is never
 * the same twice.
 */
class BindingAtRestTest {
  private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");

  private final BindingsCore core =
      new BindingsCore(
          new Resolution(
              "s-1",
              "rg-1",
              AllowedPools.of("s-1", Map.of("default", List.of(BindingSamples.ID))),
              name -> false),
          new AdmissionChecks(AdmissionLimits.SHIPPED, List.of()),
          Duration.ofMinutes(1));
  private final BindingViews views = new BindingViews(this::monotonic, this::wall);
  private BindingsState state = BindingsState.initial(true, START);
  private BackendPoolBinding stored =
      BindingSamples.binding("web", BindingSamples.BY_NAME, "admissionChecks: [freeze, budget]");
  private Instant now = START;
  private Duration step = Duration.ZERO;
  private long looks;
  private int writes;

  private Instant monotonic() {
    return now;
  }

  private Instant wall() {
    return now.plus(step).plusMillis(499).plusNanos(++looks * 100_000);
  }

  /** The binding has our finalizer, and both checks were asked. */
  private void begin() {
    stored.getMetadata().setFinalizers(List.of(BackendPoolBinding.FINALIZER));
    stored.getMetadata().setGeneration(1L);
    store(stored);
    send(new BindingsEvent.Synced());
    send(new BindingsEvent.MarkRead(Optional.of(Mark.of("0123456789abcdef0123"))));
    pass(10);
  }

  private void pass(int seconds) {
    for (int second = 0; second < seconds; second++) {
      now = now.plusSeconds(1);
      send(new BindingsEvent.TimerDue());
    }
  }

  private void store(BackendPoolBinding next) {
    stored = next;
    stored.getMetadata().setResourceVersion("" + ++looks);
    BindingView view = views.view(stored);
    send(new BindingsEvent.Changed(Map.of(view.key(), Optional.of(view))));
  }

  private void send(BindingsEvent event) {
    Decision<BindingsState, BindingsEffect> decision = core.decide(state, event, now, () -> 0);
    state = decision.state();
    for (BindingsEffect effect : decision.effects()) {
      if (effect instanceof BindingsEffect.WriteStatus write) {
        write(write);
      }
    }
  }

  private void write(BindingsEffect.WriteStatus write) {
    writes++;
    BindingStatus next = new BindingStatuses(views).status(stored, write.report());
    if (!next.equals(stored.getStatus())) {
      stored = BindingViews.withStatus(stored, next);
      stored.getMetadata().setResourceVersion("" + ++looks);
    }
    send(
        new BindingsEvent.Written(
            write.key(), write.version(), new WriteAnswer.Done(views.view(stored))));
  }

  private void answer(CheckStatus answer) {
    BindingStatus is = BindingViews.status(stored);
    List<CheckStatus> next =
        checks().stream().map(old -> answer.name().equals(old.name()) ? answer : old).toList();
    store(
        BindingViews.withStatus(
            stored,
            new BindingStatus(
                is.observedGeneration(),
                is.conditions(),
                is.backendPool(),
                is.addresses(),
                is.queued(),
                is.retry(),
                is.requeueAt(),
                next)));
  }

  private List<CheckStatus> checks() {
    return WatchedKind.present(BindingViews.status(stored).admissionChecks()).toList();
  }

  private static CheckStatus retry(Instant since) {
    return new CheckStatus("freeze", "Retry", since.toString(), null, 600, 0);
  }

  @Test
  void bindingAtRest_whateverTheClocks_isReadAndWrittenNoMore() {
    begin();
    answer(retry(START));
    pass(10);
    int before = writes;

    pass(60);

    assertThat(writes).isEqualTo(before);
    assertThat(BindingViews.status(stored).requeueAt()).isEqualTo("2026-11-22T10:10:00Z");
  }

  @ParameterizedTest
  @ValueSource(ints = {-45, -1, 1, 300})
  void wallClockSteps_answersOfCheckersKeepTheirTimes(int seconds) {
    begin();
    answer(retry(START.plusSeconds(7)));
    pass(10);
    step = Duration.ofSeconds(seconds);

    answer(new CheckStatus("budget", "Ready", wall().toString(), null, null, 0));
    pass(10);

    assertThat(checks()).contains(retry(START.plusSeconds(7)));
  }

  @Test
  void retryOfTheFarFuture_isDatedNow_once() {
    begin();
    answer(retry(Instant.parse("2099-01-01T00:00:00Z")));
    pass(1);
    CheckStatus dated = checks().getFirst();

    pass(10);

    assertThat(dated).isEqualTo(retry(START.plusSeconds(10)));
    assertThat(checks().getFirst()).isEqualTo(dated);
  }
}
