package io.poolkeeper.admission;

import static io.poolkeeper.admission.AdmissionChecksTest.at;
import static io.poolkeeper.admission.AdmissionChecksTest.check;
import static io.poolkeeper.admission.AdmissionChecksTest.held;
import static io.poolkeeper.admission.AdmissionChecksTest.subject;
import static io.poolkeeper.admission.AdmissionChecksTest.written;
import static io.poolkeeper.admission.CheckState.PENDING;
import static io.poolkeeper.admission.CheckState.READY;
import static io.poolkeeper.admission.CheckState.REJECTED;
import static io.poolkeeper.admission.CheckState.RETRY;
import static io.poolkeeper.admission.FakeBinding.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.admission.Admission.Held;
import io.poolkeeper.admission.Admission.Rejected;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bounds of admission, and answers that a real API server would refuse. */
class AdmissionBoundsTest {
  private static final int DAY = 86_400;

  private final AdmissionChecks core = new AdmissionChecks(AdmissionLimits.SHIPPED, List.of());

  private AdmissionDecision decide(AdmissionSubject subject, int seconds) {
    return core.decide(subject, at(seconds));
  }

  @Test
  void decide_delayAboveTheLongest_isCutAndSaysSo() {
    AdmissionDecision decision = decide(subject(check("a", RETRY, 30 * DAY, 0)), 0);

    assertThat(decision.requeueAt()).contains(at(7 * DAY));
    assertThat(held(decision).why())
        .isEqualTo(
            "waiting for a (Retry until 2024-02-13T10:00:00Z,"
                + " 2592000 s cut to 604800 s by admission.max-delay)");
    assertThat(decide(subject(check("a", RETRY, 7 * DAY, 0)), 0).requeueAt()).contains(at(7 * DAY));
    assertThat(decide(subject(check("a", RETRY, Integer.MAX_VALUE, 0)), 7 * DAY).update())
        .isPresent();
  }

  @Test
  void decide_retryFromTheFutureOrWithoutATime_countsFromNow() {
    Check future = new Check("a", RETRY, Optional.of(at(1_000_000)), "", Optional.of(30), 0);
    Check unknown = new Check("b", RETRY, Optional.empty(), "", Optional.of(20), 0);

    AdmissionDecision decision = decide(subject(future, unknown), 5);

    assertThat(decision.requeueAt()).contains(at(35));
    assertThat(written(decision)).containsExactly(future.since(at(5)), unknown.since(at(5)));
    assertThat(decide(subject(future.since(at(5)), unknown.since(at(5))), 6).update()).isEmpty();
  }

  @Test
  void decide_readyOrPendingWithoutATime_isLeftAlone() {
    Check yes = new Check("a", READY, Optional.empty(), "", Optional.empty(), 0);
    Check open = new Check("b", PENDING, Optional.of(at(99)), "", Optional.empty(), 0);

    assertThat(decide(subject(yes, open), 0).update()).isEmpty();
  }

  @Test
  void check_negativeDelayOrCount_isNone() {
    assertThat(check("a", RETRY, -1, -1)).isEqualTo(check("a", RETRY, null, 0));
    assertThat(check("a", RETRY, 0, 0).requeueAfterSeconds()).contains(0);
    assertThat(check("a", RETRY, 1, 1).retryCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void check_stateOfTheApi_isRead(CheckState state) {
    Check read = Check.read("a", state.toString(), Optional.of(START), "m", Optional.of(5), 6);

    assertThat(read).isEqualTo(new Check("a", state, Optional.of(START), "m", Optional.of(5), 6));
    assertThat(state)
        .hasToString(state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT));
  }

  @Test
  void decide_unknownState_isPendingAndSaysSo() {
    Check odd = Check.read("a", "ready", Optional.of(START), "yes", Optional.empty(), 0);

    AdmissionDecision decision = decide(subject(odd), 0);

    assertThat(held(decision).why()).isEqualTo("waiting for a (Pending: unknown state \"ready\")");
    assertThat(decision.update()).isEmpty();
  }

  @Test
  void decide_severalEntriesOfOneName_theMostRestrictiveCountsAndStays() {
    AdmissionDecision decision =
        decide(
            subject(check("a", READY, null, 0), check("a", RETRY, 20, 0), check("a", RETRY, 10, 0)),
            0);

    assertThat(decision.requeueAt()).contains(at(20));
    assertThat(written(decision)).containsExactly(check("a", RETRY, 20, 0));
    assertThat(
            decide(subject(check("a", PENDING, null, 0), check("a", READY, null, 0)), 0)
                .admission())
        .isInstanceOf(Held.class);
    assertThat(
            decide(subject(check("a", REJECTED, null, 0), check("a", RETRY, 5, 0)), 0).admission())
        .isInstanceOf(Rejected.class);
  }

  @Test
  void decide_moreChecksThanAllowed_isHeldAndLeavesThemAlone() {
    List<String> names = IntStream.range(0, 17).mapToObj(i -> "c" + i).toList();

    AdmissionDecision decision = decide(subject(names, check("c0", READY, null, 0)), 0);

    assertThat(held(decision).why()).isEqualTo("17 checks are listed, at most 16 are allowed");
    assertThat(decision.update()).isEmpty();
    assertThat(written(decide(subject(names.subList(0, 16)), 0))).hasSize(16);
  }

  @Test
  void decide_longMessages_areCut() {
    Check much = new Check("a", RETRY, Optional.of(START), "m".repeat(1_024), Optional.of(9), 0);

    assertThat(held(decide(subject(much), 0)).why()).hasSize(1_024).endsWith("m…");
    assertThat(written(decide(subject(much), 9)).getFirst().message())
        .hasSize(1_024)
        .startsWith("Reset to Pending, was Retry: mmm")
        .endsWith("m…");
    assertThat(AdmissionLimits.SHIPPED.cut("m".repeat(1_024))).endsWith("m");
  }

  @Test
  void decide_highestCount_staysThere() {
    AdmissionDecision decision = decide(subject(check("a", RETRY, null, 1_000_000)), 0);

    assertThat(written(decision).getFirst().retryCount()).isEqualTo(1_000_000);
  }

  @Test
  void decide_severalRetriesOfOneNameThatEndTogether_theFirstStays() {
    Check first = new Check("a", RETRY, Optional.of(START), "first", Optional.of(9), 0);
    Check second = new Check("a", RETRY, Optional.of(START), "second", Optional.of(9), 0);

    assertThat(written(decide(subject(first, second), 0))).containsExactly(first);
  }

  @Test
  void decide_delayOfTheLongest_isNotCut() {
    assertThat(held(decide(subject(check("a", RETRY, 7 * DAY, 0)), 0)).why())
        .isEqualTo("waiting for a (Retry until 2024-02-13T10:00:00Z)");
  }

  @Test
  void limits_outOfRange_areRefused() {
    Duration second = Duration.ofSeconds(1);
    Duration year = Duration.ofDays(365);
    assertThat(new AdmissionLimits(second, 1, 1, 1)).isNotNull();
    assertThat(new AdmissionLimits(year, 64, 32_768, Integer.MAX_VALUE - 1)).isNotNull();
    assertThatThrownBy(() -> new AdmissionLimits(second.minusNanos(1), 1, 1, 1))
        .hasMessage("max delay must be 1 s to 365 days, not PT0.999999999S");
    assertThatThrownBy(() -> new AdmissionLimits(year.plusNanos(1), 1, 1, 1))
        .hasMessageContaining("PT8760H0.000000001S");
    assertThatThrownBy(() -> new AdmissionLimits(second, 65, 1, 1))
        .hasMessage("checks must be 1 to 64, not 65");
    assertThatThrownBy(() -> new AdmissionLimits(second, 1, 0, 1))
        .hasMessage("message length must be 1 to 32768, not 0");
    assertThatThrownBy(() -> new AdmissionLimits(second, 1, 1, Integer.MAX_VALUE))
        .hasMessageStartingWith("retry count must be 1 to 2147483646");
    List<String> many = IntStream.range(0, 17).mapToObj(String::valueOf).toList();
    assertThatThrownBy(() -> new AdmissionChecks(AdmissionLimits.SHIPPED, many))
        .hasMessage("17 checks are listed, at most 16 are allowed");
    assertThat(new AdmissionChecks(AdmissionLimits.SHIPPED, many.subList(0, 16))).isNotNull();
  }
}
