package io.poolkeeper.admission;

import static io.poolkeeper.admission.Check.State.PENDING;
import static io.poolkeeper.admission.CheckWords.checks;
import static io.poolkeeper.admission.CheckWords.subject;
import static io.poolkeeper.admission.CheckWords.words;
import static io.poolkeeper.admission.FakeBinding.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What one version of a binding and the time come to, in {@link CheckWords}. */
class AdmissionChecksTest {
  private final AdmissionChecks core = new AdmissionChecks(AdmissionLimits.SHIPPED, List.of());

  private String decide(String subject, int seconds) {
    return words(core.decide(subject(subject), START.plusSeconds(seconds)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          none                  | 0  | Admitted
          a:Ready b:Ready       | 0  | Admitted
          a:Ready b:Pendingx3   | 0  | Held: waiting for b (Pending)
          lists a b: a:Ready    | 5  | Held: waiting for b (Pending); writes a:Ready b:Pending@5
          # One in Retry, until its delay is over; without a delay it is asked again at once.
          a:Retry/30x1          | 29 | Held until 30: waiting for a (Retry until 2024-02-06T10:00:30Z)
          a:Retry               | 0  | Held: waiting for a (Pending: Reset to Pending, was Retry); resets a:Pendingx1'Reset to Pending, was Retry'
          # Only a delay in Retry counts, and only Retry has one; Ready ends the count.
          a:Retry/10 b:Pending/600 | 5 | Held until 10: waiting for a (Retry until 2024-02-06T10:00:10Z), b (Pending); writes a:Retry/10 b:Pending
          a:Ready/60x7 b:Retry/60x7 | 0 | Held until 60: waiting for b (Retry until 2024-02-06T10:01:00Z); writes a:Ready b:Retry/60x7
          # Rejected stays so and asks nobody again. Taken back, what is over since is reset.
          a:Rejectedx2'frozen' b:Retry/1 | 500 | Rejected: rejected by a (Rejected: frozen)
          # What is not listed any more, or is inactive or deleted, holds nothing.
          lists a: a:Ready old:Rejected | 0 | Admitted; writes a:Ready
          inactive changed a:Retry/600x3 | 0 | "Inactive; writes "
          deleted inactive changed a:Rejected | 0 | Admitted
          # Another spec asks all anew, and is written though no check changes.
          changed a:Rejectedx1 b:Ready c:Pendingx3 | 9 | Held: waiting for a (Pending), b (Pending), c (Pending); writes a:Pending@9 b:Pending@9 c:Pending
          changed a:Pending | 1 | Held: waiting for a (Pending); writes a:Pending
          # Checkers that set none of the new fields.
          a:Pending | 9 | Held: waiting for a (Pending)
          a:Ready | 9 | Admitted
          a:Rejected | 9 | Rejected: rejected by a (Rejected)
          # A delay of more than a week is cut.
          a:Retry/604800 | 0 | Held until 604800: waiting for a (Retry until 2024-02-13T10:00:00Z)
          a:Retry/2592000 | 0 | Held until 604800: waiting for a (Retry until 2024-02-13T10:00:00Z, 2592000 s cut to 604800 s by admission.max-delay)
          # A Retry of the far future, or without a time, counts from now; other answers are left alone.
          a:Retry/30@65 | 5 | Held until 95: waiting for a (Retry until 2024-02-06T10:01:35Z)
          a:Retry/30@66 | 5 | Held until 35: waiting for a (Retry until 2024-02-06T10:00:35Z); writes a:Retry/30@5
          a:Retry/30@1000000 b:Retry/20@- | 5 | Held until 35: waiting for a (Retry until 2024-02-06T10:00:35Z), b (Retry until 2024-02-06T10:00:25Z); writes a:Retry/30@5 b:Retry/20@5
          a:Ready@- b:Pending@99 | 0 | Held: waiting for b (Pending)
          # Of several entries of one name the most restrictive counts and stays, or else the first.
          a:Ready a:Retry/20 a:Retry/10 | 0 | Held until 20: waiting for a (Retry until 2024-02-06T10:00:20Z); writes a:Retry/20
          a:Pending a:Ready | 0 | Held: waiting for a (Pending); writes a:Pending
          a:Rejected a:Retry/5 | 0 | Rejected: rejected by a (Rejected); writes a:Rejected
          a:Retry/9'first' a:Retry/9'second' | 0 | Held until 9: waiting for a (Retry until 2024-02-06T10:00:09Z: first); writes a:Retry/9'first'
          """)
  void decide_isHeldByWhatIsOpen(String subject, int seconds, String decision) {
    assertThat(decide(subject, seconds)).isEqualTo(decision);
  }

  /** The example of spec 5, with its times. */
  @Test
  void decide_severalChecksInRetry_isHeldUntilTheLatestEnd() {
    assertThat(
            decide(
                "budget-check:Retry/50400@600'exhausted' gpu-availability:Retry/480@660'no A100'"
                    + " license-check:Retry@1200'unavailable'",
                1_200))
        .isEqualTo(
            "Held until 51000: waiting for"
                + " budget-check (Retry until 2024-02-07T00:10:00Z: exhausted),"
                + " gpu-availability (Retry until 2024-02-06T10:19:00Z: no A100),"
                + " license-check (Retry until 2024-02-06T10:20:00Z: unavailable)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a:Retry/10x4 b:Retry/30 c:Ready d:Pendingx2 | 30 | a Retry 5, b Retry 1, c Ready 0, d - 2
          a:Readyx2 b:Retry/1 | 500 | a Ready 0, b Retry 1
          a:Retry/2147483647 | 604800 | a Retry 1
          a:Retryx1000000 | 0 | a Retry 1000000
          """)
  void decide_delaysOver_resetsAllChecksInOneUpdate(String subject, int seconds, String reset) {
    AdmissionDecision decision = core.decide(subject(subject), START.plusSeconds(seconds));

    AdmissionDecision.Update update = decision.update().orElseThrow();
    assertThat(update.reset()).isTrue();
    assertThat(decision.requeueAt()).isEmpty();
    assertThat(update.checks()).allMatch(check -> check.state() == PENDING);
    assertThat(update.checks())
        .filteredOn(check -> !check.message().isEmpty())
        .allMatch(
            check -> check.lastTransitionTime().equals(Optional.of(START.plusSeconds(seconds))));
    assertThat(update.checks().stream().map(AdmissionChecksTest::was).toList())
        .hasToString("[" + reset + "]");
  }

  private static String was(Check check) {
    String was = check.message().replace("Reset to Pending, was ", "");
    return "%s %s %d".formatted(check.name(), was.isEmpty() ? "-" : was, check.retryCount());
  }

  @Test
  void decide_listedAndDefaultChecksWithoutState_arePendingOnceEach() {
    AdmissionChecks both = new AdmissionChecks(AdmissionLimits.SHIPPED, List.of("freeze", "a"));

    assertThat(words(both.decide(subject("lists a b a: "), START)))
        .isEqualTo(
            "Held: waiting for a (Pending), b (Pending), freeze (Pending);"
                + " writes a:Pending b:Pending freeze:Pending");
  }

  @Test
  void check_negativeDelayOrCount_isNone() {
    assertThat(words(checks("a:Retry/-1x-1 b:Retry/0 c:Retry/1x1")))
        .isEqualTo("a:Retry b:Retry/0 c:Retry/1x1");
  }

  @ParameterizedTest
  @EnumSource
  void check_stateOfTheApi_isRead(Check.State state) {
    Check read = Check.read("a", state.toString(), Optional.of(START), "m", Optional.of(5), 6);

    assertThat(read).isEqualTo(new Check("a", state, Optional.of(START), "m", Optional.of(5), 6));
    assertThat(state)
        .hasToString(state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT));
  }

  @Test
  void decide_unknownState_isPendingAndSaysSo() {
    Check odd = Check.read("a", "ready", Optional.of(START), "yes", Optional.empty(), 0);

    assertThat(
            words(
                core.decide(
                    new AdmissionSubject(
                        List.of("a"), List.of(odd), true, false, false, Duration.ZERO),
                    START)))
        .isEqualTo("Held: waiting for a (Pending: unknown state \"ready\")");
  }

  @Test
  void decide_moreChecksThanAllowed_isHeldAndLeavesThemAlone() {
    List<String> names = IntStream.range(0, 17).mapToObj(i -> "c" + i).toList();

    assertThat(decide("lists " + String.join(" ", names) + ": c0:Ready", 0))
        .isEqualTo("Held: 17 checks are listed, at most 16 are allowed");
    assertThat(decide("lists " + String.join(" ", names.subList(0, 16)) + ": ", 0))
        .contains("writes c0:Pending", " c15:Pending");
    assertThat(new AdmissionChecks(AdmissionLimits.SHIPPED, names.subList(0, 16))).isNotNull();
    assertThatThrownBy(() -> new AdmissionChecks(AdmissionLimits.SHIPPED, names))
        .hasMessage("17 checks are listed, at most 16 are allowed");
  }

  @Test
  void decide_longMessages_areCut() {
    String much = "a:Retry/9'%s'".formatted("m".repeat(1_024));

    assertThat(decide(much, 0)).hasSize("Held until 9: ".length() + 1_024).endsWith("m…");
    assertThat(decide(much, 9))
        .endsWith(
            "; resets a:Pendingx1@9'Reset to Pending, was Retry: %s…'".formatted("m".repeat(994)));
    assertThat(AdmissionLimits.SHIPPED.cut("m".repeat(1_024))).endsWith("m");
  }

  @Test
  void limits_outOfRange_areRefused() {
    Duration second = Duration.ofSeconds(1);
    Duration year = Duration.ofDays(365);
    assertThat(new AdmissionLimits(second, 1, 1, 1, 1)).isNotNull();
    assertThat(new AdmissionLimits(year, 64, 32_768, Integer.MAX_VALUE - 1, 64)).isNotNull();
    assertThatThrownBy(() -> new AdmissionLimits(second.minusNanos(1), 1, 1, 1, 1))
        .hasMessage("max delay must be PT1S to PT8760H, not PT0.999999999S");
    assertThatThrownBy(() -> new AdmissionLimits(year.plusNanos(1), 1, 1, 1, 1))
        .hasMessageContaining("PT8760H0.000000001S");
    assertThatThrownBy(() -> new AdmissionLimits(second, 65, 1, 1, 1))
        .hasMessage("checks must be 1 to 64, not 65");
    assertThatThrownBy(() -> new AdmissionLimits(second, 1, 0, 1, 1))
        .hasMessage("message length must be 1 to 32768, not 0");
    assertThatThrownBy(() -> new AdmissionLimits(second, 1, 1, Integer.MAX_VALUE, 1))
        .hasMessageStartingWith("retry count must be 1 to 2147483646");
    assertThatThrownBy(() -> new AdmissionLimits(second, 1, 1, 1, 65))
        .hasMessage("cleanups must be 1 to 64, not 65");
  }
}
