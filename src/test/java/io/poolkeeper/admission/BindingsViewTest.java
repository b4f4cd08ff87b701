package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What metrics say of the bindings, by their objects alone. */
class BindingsViewTest {
  private static final AdmissionChecks CHECKS =
      new AdmissionChecks(AdmissionLimits.SHIPPED, List.of());
  private static final Instant DAYS_AGO = T0.minus(Duration.ofDays(3));
  private static final Instant LONG_AGO = T0.minus(Duration.ofDays(30));
  private static final int DAY = 86_400;

  private final BindingsWorld world = new BindingsWorld();

  private static Check check(String name, CheckState state, Instant since) {
    return new Check(name, state, Optional.of(since), "", Optional.empty(), 0);
  }

  private static Check retry(String name, Instant since, int delay) {
    return new Check(name, CheckState.RETRY, Optional.of(since), "", Optional.of(delay), 0);
  }

  private static BindingView binding(String name, Check... reported) {
    return binding(name, true, false, reported);
  }

  private static BindingView binding(
      String name, boolean active, boolean deleted, Check... reported) {
    List<String> names = Stream.of(reported).map(Check::name).toList();
    return BindingFixtures.with(
        BindingFixtures.view(name, "web", BindingFixtures.pool(name), T0),
        true,
        Optional.of(T0).filter(any -> deleted),
        true,
        new AdmissionSubject(names, List.of(reported), active, deleted, false));
  }

  private BindingsView heard(BindingView... bindings) {
    for (BindingView binding : bindings) {
      world.send(new BindingsEvent.Changed(Map.of(binding.key(), Optional.of(binding))));
    }
    return new BindingsView(world.state());
  }

  private Optional<Instant> heldSince(BindingView... bindings) {
    return heard(bindings).heldSince(CHECKS, world.now());
  }

  private Optional<Instant> delayedUntil(BindingView... bindings) {
    return heard(bindings).delayedUntil(CHECKS, world.now());
  }

  @Test
  void checks_areCountedByNameAndAnswer_andTheOthersTogether() {
    BindingsView view =
        heard(
            binding(
                "a", check("freeze", CheckState.PENDING, T0), check("b", CheckState.PENDING, T0)),
            binding("b", check("freeze", CheckState.READY, T0), check("c", CheckState.READY, T0)),
            binding("c", check("d", CheckState.READY, T0)));

    assertThat(view.checks(Set.of("freeze", "absent")))
        .isEqualTo(
            Map.of(
                "freeze",
                Map.of(CheckState.PENDING, 1, CheckState.READY, 1),
                "other",
                Map.of(CheckState.PENDING, 1, CheckState.READY, 2)));
  }

  @Test
  void heldSince_isTheTimeOfTheOldestOpenCheck_wheneverThisProcessHeardOfIt() {
    world.pass(Duration.ofHours(1));

    assertThat(
            heldSince(
                binding("ready", check("freeze", CheckState.READY, LONG_AGO)),
                binding("retries", retry("freeze", T0.minusSeconds(60), DAY)),
                binding(
                    "waits",
                    check("budget", CheckState.READY, LONG_AGO),
                    check("freeze", CheckState.PENDING, DAYS_AGO))))
        .contains(DAYS_AGO);
  }

  @Test
  void heldSince_rejected_isItsTime() {
    assertThat(heldSince(binding("a", check("freeze", CheckState.REJECTED, DAYS_AGO))))
        .contains(DAYS_AGO);
  }

  @Test
  void heldSince_delayIsOverButNotYetWritten_staysTheSame() {
    assertThat(heldSince(binding("a", retry("freeze", DAYS_AGO, 60)))).contains(DAYS_AGO);
  }

  @Test
  void whatHoldsNoPool_countsForNothing() {
    Check[] open = {
      check("freeze", CheckState.PENDING, DAYS_AGO), retry("budget", T0.minusSeconds(60), DAY)
    };
    BindingView asked = binding("refused", open);
    BindingView[] bindings = {
      binding("none"),
      binding("inactive", false, false, open),
      binding("deleted", true, true, open),
      BindingFixtures.wrong(asked)
    };

    assertThat(heldSince(bindings)).isEmpty();
    assertThat(delayedUntil(bindings)).isEmpty();
    assertThat(BindingsView.NONE.heldSince(CHECKS, T0)).isEmpty();
    assertThat(BindingsView.NONE.delayedUntil(CHECKS, T0)).isEmpty();
  }

  @Test
  void delayedUntil_isTheEndOfTheLongestDelay_cutToTheLongestAllowed() {
    assertThat(
            delayedUntil(
                binding("a", retry("freeze", T0.minusSeconds(DAY), 3 * DAY)),
                binding("b", retry("freeze", T0, DAY), check("x", CheckState.PENDING, T0))))
        .contains(T0.plusSeconds(2 * DAY));
    assertThat(delayedUntil(binding("c", retry("freeze", T0.minusSeconds(DAY), 300 * DAY))))
        .contains(T0.plusSeconds(6 * DAY));
  }

  @Test
  void delayedUntil_delayIsOverOrAnotherCheckRejects_isNone() {
    assertThat(
            delayedUntil(
                binding("over", retry("freeze", DAYS_AGO, 60)),
                binding(
                    "rejected",
                    retry("freeze", T0, DAY),
                    check("budget", CheckState.REJECTED, DAYS_AGO))))
        .isEmpty();
  }
}
