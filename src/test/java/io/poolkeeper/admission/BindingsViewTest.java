package io.poolkeeper.admission;

import static io.poolkeeper.admission.FakeBinding.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What metrics say of the bindings, by their objects alone; days are of 86,400 seconds. */
class BindingsViewTest {
  private static final AdmissionChecks CHECKS =
      new AdmissionChecks(AdmissionLimits.SHIPPED, List.of());
  private static final String OPEN = "freeze:Pending@-259200 budget:Retry/86400@-60";

  /** In the words of {@link CheckWords}. */
  private static BindingView binding(String name, String words) {
    AdmissionSubject subject = CheckWords.subject(words);
    return BindingFixtures.with(
        BindingFixtures.view(name, "web", BindingFixtures.pool(name), START),
        true,
        Optional.of(START).filter(any -> subject.deleted()),
        true,
        subject);
  }

  private static BindingsView heard(BindingView... bindings) {
    BindingsWorld world = new BindingsWorld();
    for (BindingView binding : bindings) {
      world.send(new BindingsEvent.Changed(Map.of(binding.key(), Optional.of(binding))));
    }
    return new BindingsView(world.state());
  }

  private static String words(Optional<Instant> time) {
    return time.map(at -> "" + Duration.between(START, at).toSeconds()).orElse("none");
  }

  @Test
  void checks_areCountedByNameAndAnswer_andTheOthersTogether() {
    BindingsView view =
        heard(
            binding("a", "freeze:Pending b:Pending"),
            binding("b", "freeze:Ready c:Ready"),
            binding("c", "d:Ready"));

    assertThat(view.checks(Set.of("freeze", "absent")))
        .isEqualTo(
            Map.of(
                "freeze",
                Map.of(Check.State.PENDING, 1, Check.State.READY, 1),
                "other",
                Map.of(Check.State.PENDING, 1, Check.State.READY, 2)));
  }

  @ParameterizedTest
  @CsvSource({
    // The oldest open check counts, whenever this process has heard of it.
    "freeze:Ready@-2592000, freeze:Retry/86400@-60, -60, 86340",
    "budget:Ready@-2592000 freeze:Pending@-259200, freeze:Retry/86400@-60, -259200, 86340",
    "freeze:Rejected@-259200, none, -259200, none",
    // The delay is over, and that is not yet written.
    "freeze:Retry/60@-259200, none, -259200, none",
    // The longest delay counts, cut to a week.
    "freeze:Retry/259200@-86400, freeze:Retry/86400 x:Pending, -86400, 172800",
    "freeze:Retry/25920000@-86400, none, -86400, 518400",
    // Another check rejects.
    "freeze:Retry/86400 budget:Rejected@-259200, none, -259200, none",
    // What holds no pool counts for nothing.
    "inactive " + OPEN + ", deleted " + OPEN + ", none, none"
  })
  void bindings_areHeldSince_andDelayedUntil(
      String one, String other, String heldSince, String delayedUntil) {
    BindingsView view = heard(binding("one", one), binding("other", other));

    assertThat(words(view.heldSince(CHECKS, START))).isEqualTo(heldSince);
    assertThat(words(view.delayedUntil(CHECKS, START))).isEqualTo(delayedUntil);
  }

  @Test
  void refusedBinding_orNone_countsForNothing() {
    BindingView refused = BindingFixtures.wrong(binding("refused", OPEN));

    for (BindingsView view : List.of(heard(refused), BindingsView.NONE)) {
      assertThat(words(view.heldSince(CHECKS, START))).isEqualTo("none");
      assertThat(words(view.delayedUntil(CHECKS, START))).isEqualTo("none");
    }
  }
}
