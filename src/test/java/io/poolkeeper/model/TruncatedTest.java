package io.poolkeeper.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TruncatedTest {
  @ParameterizedTest
  @CsvSource({
    "4, geht, geht",
    "3, geht, ge…",
    "4, Größe, Grö…",
    // A cut by UTF-16 units leaves half of an emoji, which becomes a ? on the wire.
    "3, 🚀🚀🚀, 🚀🚀🚀",
    "2, 🚀🚀🚀, 🚀…",
    "2, a🚀b, a…",
  })
  void to_aLength_countsWholeCharacters(int length, String text, String cut) {
    assertThat(Truncated.to(length, text, "…")).isEqualTo(cut);
  }
}
