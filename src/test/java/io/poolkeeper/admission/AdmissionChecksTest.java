package io.poolkeeper.admission;

import static io.poolkeeper.admission.CheckState.PENDING;
import static io.poolkeeper.admission.CheckState.READY;
import static io.poolkeeper.admission.CheckState.REJECTED;
import static io.poolkeeper.admission.CheckState.RETRY;
import static io.poolkeeper.admission.FakeBinding.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.Admission.Admitted;
import io.poolkeeper.admission.Admission.Held;
import io.poolkeeper.admission.Admission.Inactive;
import io.poolkeeper.admission.Admission.Rejected;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdmissionChecksTest {
  private final AdmissionChecks core = new AdmissionChecks(AdmissionLimits.SHIPPED, List.of());

  static Instant at(int seconds) {
    return START.plusSeconds(seconds);
  }

  static Check check(String name, CheckState state, Integer seconds, int count) {
    return new Check(name, state, Optional.of(START), "", Optional.ofNullable(seconds), count);
  }

  static AdmissionSubject subject(List<String> listed, Check... reported) {
    return new AdmissionSubject(listed, List.of(reported), true, false, false);
  }

  /** Every reported check is listed. */
  static AdmissionSubject subject(Check... reported) {
    return subject(Arrays.stream(reported).map(Check::name).toList(), reported);
  }

  private AdmissionDecision decide(AdmissionSubject subject, int seconds) {
    return core.decide(subject, at(seconds));
  }

  static List<Check> written(AdmissionDecision decision) {
    return decision.update().orElseThrow().checks();
  }

  static Held held(AdmissionDecision decision) {
    assertThat(decision.admission()).isInstanceOf(Held.class);
    return (Held) decision.admission();
  }

  @Test
  void decide_noChecks_isAdmittedAndWritesNothing() {
    assertThat(decide(subject(), 0))
        .isEqualTo(new AdmissionDecision(new Admitted(), Optional.empty(), Optional.empty()));
  }

  @Test
  void decide_listedAndDefaultChecksWithoutState_arePendingOnceEach() {
    AdmissionChecks both = new AdmissionChecks(AdmissionLimits.SHIPPED, List.of("freeze", "a"));

    AdmissionDecision decision = both.decide(subject(List.of("a", "b", "a")), at(5));

    assertThat(written(decision))
        .containsExactly(
            Check.pending("a", at(5)), Check.pending("b", at(5)), Check.pending("freeze", at(5)));
    assertThat(held(decision))
        .isEqualTo(
            new Held(Optional.empty(), "waiting for a (Pending), b (Pending), freeze (Pending)"));
    assertThat(decision.update().orElseThrow().reset()).isFalse();
    assertThat(decision.requeueAt()).isEmpty();
  }

  @Test
  void decide_everyCheckReady_isAdmitted() {
    assertThat(decide(subject(check("a", READY, null, 0), check("b", READY, null, 0)), 0))
        .isEqualTo(new AdmissionDecision(new Admitted(), Optional.empty(), Optional.empty()));
  }

  @Test
  void decide_oneOfTwoPending_isHeldWithoutATime() {
    AdmissionDecision decision =
        decide(subject(check("a", READY, null, 0), check("b", PENDING, null, 3)), 0);

    assertThat(held(decision)).isEqualTo(new Held(Optional.empty(), "waiting for b (Pending)"));
    assertThat(decision.update()).isEmpty();
  }

  @Test
  void decide_singleCheckInRetry_isHeldUntilItsDelayIsOver() {
    AdmissionDecision decision = decide(subject(check("a", RETRY, 30, 1)), 29);

    assertThat(held(decision))
        .isEqualTo(
            new Held(Optional.of(at(30)), "waiting for a (Retry until 2024-02-06T10:00:30Z)"));
    assertThat(decision.requeueAt()).contains(at(30));
    assertThat(decision.update()).isEmpty();
  }

  @Test
  void decide_severalChecksInRetry_isHeldUntilTheLatestEnd() {
    // The example of spec 5, with its times.
    Check budget = retry("budget-check", "2024-02-06T10:10:00Z", 50_400, "exhausted");
    Check gpu = retry("gpu-availability", "2024-02-06T10:11:00Z", 480, "no A100");
    Check license = retry("license-check", "2024-02-06T10:20:00Z", null, "unavailable");

    AdmissionDecision decision = decide(subject(budget, gpu, license), 1_200);

    Instant midnight = Instant.parse("2024-02-07T00:10:00Z");
    assertThat(decision.requeueAt()).contains(midnight);
    assertThat(held(decision).until()).contains(midnight);
    assertThat(held(decision).why())
        .isEqualTo(
            "waiting for budget-check (Retry until 2024-02-07T00:10:00Z: exhausted),"
                + " gpu-availability (Retry until 2024-02-06T10:19:00Z: no A100),"
                + " license-check (Retry until 2024-02-06T10:20:00Z: unavailable)");
    assertThat(decision.update()).isEmpty();
  }

  private static Check retry(String name, String time, Integer seconds, String message) {
    Optional<Integer> delay = Optional.ofNullable(seconds);
    return new Check(name, RETRY, Optional.of(Instant.parse(time)), message, delay, 0);
  }

  @Test
  void decide_delayOfACheckThatIsNotInRetryNow_doesNotCount() {
    AdmissionDecision decision =
        decide(subject(check("a", RETRY, 10, 0), check("b", PENDING, 600, 0)), 5);

    assertThat(held(decision).until()).contains(at(10));
    assertThat(written(decision))
        .as("only Retry has a delay")
        .contains(check("b", PENDING, null, 0));
  }

  @Test
  void decide_delaysOver_resetsAllChecksInOneUpdate() {
    AdmissionDecision decision =
        decide(
            subject(
                check("a", RETRY, 10, 4),
                check("b", RETRY, 30, 0),
                check("c", READY, null, 0),
                check("d", PENDING, null, 2)),
            30);

    assertThat(written(decision))
        .containsExactly(
            reset("a", "Retry", 5),
            reset("b", "Retry", 1),
            reset("c", "Ready", 0),
            check("d", PENDING, null, 2));
    assertThat(decision.update().orElseThrow().reset()).isTrue();
    assertThat(held(decision).until()).isEmpty();
    assertThat(decision.requeueAt()).isEmpty();
  }

  private static Check reset(String name, String was, int count) {
    String message = "Reset to Pending, was " + was;
    return new Check(name, PENDING, Optional.of(at(30)), message, Optional.empty(), count);
  }

  @Test
  void decide_noDelay_resetsAtOnce() {
    AdmissionDecision decision = decide(subject(check("a", RETRY, null, 0)), 0);

    assertThat(decision.update().orElseThrow().reset()).isTrue();
    assertThat(written(decision).getFirst().state()).isEqualTo(PENDING);
    assertThat(written(decision).getFirst().retryCount()).isEqualTo(1);
  }

  @Test
  void decide_checkersThatSetNoneOfTheNewFields_behaveAsBefore() {
    assertThat(decide(subject(check("a", PENDING, null, 0)), 9).admission())
        .isInstanceOf(Held.class);
    assertThat(decide(subject(check("a", READY, null, 0)), 9).admission())
        .isEqualTo(new Admitted());
    assertThat(decide(subject(check("a", REJECTED, null, 0)), 9).admission())
        .isInstanceOf(Rejected.class);
    assertThat(decide(subject(check("a", RETRY, null, 0)), 9).update().orElseThrow().reset())
        .isTrue();
  }

  @Test
  void decide_checkBecameReady_clearsItsCountAndDelay() {
    AdmissionDecision decision =
        decide(subject(check("a", READY, 60, 7), check("b", RETRY, 60, 7)), 0);

    assertThat(written(decision))
        .containsExactly(check("a", READY, null, 0), check("b", RETRY, 60, 7));
    assertThat(decision.update().orElseThrow().reset()).isFalse();
  }

  @Test
  void decide_rejected_staysSoAndAsksNobodyAgain() {
    Check no = new Check("a", REJECTED, Optional.of(START), "frozen", Optional.empty(), 2);

    AdmissionDecision decision = decide(subject(no, check("b", RETRY, 1, 0)), 500);

    assertThat(decision)
        .isEqualTo(
            new AdmissionDecision(
                new Rejected("rejected by a (Rejected: frozen)"),
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  void decide_rejectionTakenBack_resetsWhatIsOverSince() {
    AdmissionDecision decision =
        decide(subject(check("a", READY, null, 2), check("b", RETRY, 1, 0)), 500);

    assertThat(written(decision)).extracting(Check::state).containsExactly(PENDING, PENDING);
    assertThat(written(decision)).extracting(Check::retryCount).containsExactly(0, 1);
  }

  @Test
  void decide_specChanged_asksAllAnewWithCountsOfZero() {
    AdmissionSubject changed =
        new AdmissionSubject(
            List.of("a", "b", "c"),
            List.of(
                check("a", REJECTED, null, 1),
                check("b", READY, null, 0),
                check("c", PENDING, null, 3)),
            true,
            false,
            true);

    AdmissionDecision decision = decide(changed, 9);

    assertThat(written(decision))
        .containsExactly(
            Check.pending("a", at(9)), Check.pending("b", at(9)), Check.pending("c", START));
    assertThat(decision.admission()).isInstanceOf(Held.class);
    assertThat(decision.update().orElseThrow().reset()).isFalse();
  }

  @Test
  void decide_specChangedButNoCheck_isWritten_soThatTheNextAnswerCounts() {
    AdmissionSubject changed =
        new AdmissionSubject(List.of("a"), List.of(Check.pending("a", START)), true, false, true);

    assertThat(written(decide(changed, 1))).containsExactly(Check.pending("a", START));
  }

  @Test
  void decide_checkNoLongerListed_isRemovedAndHoldsNothing() {
    AdmissionDecision decision =
        decide(
            subject(List.of("a"), check("a", READY, null, 0), check("old", REJECTED, null, 0)), 0);

    assertThat(decision.admission()).isEqualTo(new Admitted());
    assertThat(written(decision)).containsExactly(check("a", READY, null, 0));
  }

  @Test
  void decide_inactive_clearsTheChecksAndHoldsNothing() {
    AdmissionSubject off =
        new AdmissionSubject(List.of("a"), List.of(check("a", RETRY, 600, 3)), false, false, true);

    AdmissionDecision decision = decide(off, 0);

    assertThat(decision.admission()).isEqualTo(new Inactive());
    assertThat(written(decision)).isEmpty();
    assertThat(decision.requeueAt()).isEmpty();
  }

  @Test
  void decide_deleted_isHeldByNoCheckAndWritesNothing() {
    AdmissionSubject gone =
        new AdmissionSubject(
            List.of("a"), List.of(check("a", REJECTED, null, 0)), false, true, true);

    assertThat(decide(gone, 0))
        .isEqualTo(new AdmissionDecision(new Admitted(), Optional.empty(), Optional.empty()));
  }
}
