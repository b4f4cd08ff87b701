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

  @ParameterizedTest
  @CsvSource({
    "9, 123456789, 123456789",
    "9, 0123456789, 012...789",
    "9, 012🚀456🚀🚀9, 012...🚀🚀9",
  })
  void middle_ofALongText_keepsBothEnds(int length, String text, String cut) {
    assertThat(Truncated.middle(length, text)).isEqualTo(cut);
  }
}
