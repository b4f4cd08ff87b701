package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the judge sees that all checks are asked again; the delay of one ends after 5 s. */
class ResetsTest {
  private static final Bound BOUND = Bindings.bound("a", "one", "two");
  private static final String WAITING = entry("Retry", 3, ", \"requeueAfterSeconds\": 5");
  private static final String READY = entry("Ready", 0, "").replace("one", "two");
  private static final String ASKED = entry("Pending", 4, "");
  private static final String ASKED_TOO = entry("Pending", 0, "").replace("one", "two");

  private static String entry(String state, int count, String more) {
    return """
        {"name": "one", "state": "%s", "retryCount": %d, "lastTransitionTime": "1970-01-01T00:00:00Z"%s}"""
        .formatted(state, count, more);
  }

  private static Resets resets(long at, String first, String second, Set<String> answers) {
    Bindings bindings =
        new Bindings()
            .version(1, "a", "", Bindings.checks(WAITING, READY))
            .version(at, "a", "", Bindings.checks(first, second));
    return new Resets(List.of(BOUND), bindings.history, answers);
  }

  @Test
  void wrong_allTogetherAfterTheEnd_isNothing() {
    assertThat(resets(5_000, ASKED, ASKED_TOO, Set.of()).wrong()).isEmpty();
    assertThat(resets(5_000, ASKED, ASKED_TOO, Set.of()).count()).isEqualTo(1);
  }

  @Test
  void wrong_beforeTheEnd() {
    assertThat(resets(4_999, ASKED, ASKED_TOO, Set.of()).wrong())
        .containsExactly("a 4999: one was asked again before 1970-01-01T00:00:05Z");
  }

  @Test
  void wrong_notTheOther() {
    assertThat(resets(5_000, ASKED, READY, Set.of()).wrong())
        .containsExactly("a 5000: two was not reset with the others");
  }

  @Test
  void wrong_keptDelay() {
    String delayed = entry("Pending", 4, ", \"requeueAfterSeconds\": 5");

    assertThat(resets(5_000, delayed, ASKED_TOO, Set.of()).wrong())
        .containsExactly("a 5000: one keeps its delay");
  }

  @ParameterizedTest
  @CsvSource({"3, 0", "5, 0", "4, 1"})
  void wrong_counts(int one, int two) {
    String first = entry("Pending", one, "");
    String second = entry("Pending", two, "").replace("one", "two");

    assertThat(resets(5_000, first, second, Set.of()).wrong())
        .singleElement()
        .asString()
        .contains("the count of");
  }

  @Test
  void wrong_whileOneIsRejected() {
    Bindings bindings =
        new Bindings()
            .version(
                1, "a", "", Bindings.checks(WAITING, READY.replace("\"Ready\"", "\"Rejected\"")))
            .version(5_000, "a", "", Bindings.checks(ASKED, ASKED_TOO));

    assertThat(new Resets(List.of(BOUND), bindings.history, Set.of()).wrong())
        .containsExactly("a 5000: two was Rejected, and the others were asked again");
  }

  @Test
  void wrong_lostAnswer_butNotTheCheckersOwn() {
    String changed = entry("Rejected", 3, "");

    assertThat(resets(2_000, changed, READY, Set.of()).wrong())
        .singleElement()
        .asString()
        .startsWith("a 2000: one was Retry and is ");
    assertThat(resets(2_000, changed, READY, Set.of("2000")).wrong()).isEmpty();
  }
}
