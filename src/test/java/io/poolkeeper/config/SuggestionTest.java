package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "abc, abc, 0",
    "abc, '', 3",
    "abc, abd, 1",
    "abc, ac, 1",
    "abc, abxc, 1",
    "abc, acb, 1",
    "kitten, sitting, 3"
  })
  void distance_countsEdits(String a, String b, int edits) {
    assertThat(Suggestion.distance(a, b)).isEqualTo(edits);
    assertThat(Suggestion.distance(b, a)).isEqualTo(edits);
  }

  @Test
  void nearest_severalNear_theNearestThenTheFirst() {
    assertThat(Suggestion.nearest("prot", List.of("pork", "port", "host"))).contains("port");
    assertThat(Suggestion.nearest("xort", List.of("sort", "port"))).contains("port");
  }

  @Test
  void nearest_nothingNear_isEmpty() {
    assertThat(Suggestion.nearest("spot", List.of("updater", "http"))).isEmpty();
    assertThat(Suggestion.nearest("x".repeat(1000), List.of("host"))).isEmpty();
  }
}
