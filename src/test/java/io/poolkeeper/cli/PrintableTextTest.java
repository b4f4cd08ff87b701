package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTextTest {
  @Test
  void of_controlCharacters_areBlanks_andLineEndsStay() throws Exception {
    String tenants = "{\"a\":[{\"why\":\"\\u001b[2Jfrozen\\r\\u009b1A\\nnext\"}],\"n\":1}";

    assertThat(PrintableText.of(new ObjectMapper().readTree(tenants)).toString())
        .isEqualTo("{\"a\":[{\"why\":\" [2Jfrozen  1A\\nnext\"}],\"n\":1}");
  }

  @Test
  void of_namesOfMembers_areCleanedToo() throws Exception {
    String tenants = "{\"a\\u001b[2J\\u202e\":{\"b\\u0007\":1}}";

    assertThat(PrintableText.of(new ObjectMapper().readTree(tenants)).toString())
        .isEqualTo("{\"a [2J \":{\"b \":1}}");
  }

  @Test
  void of_moreMarksThanAScriptHas_keepsSome() {
    assertThat(PrintableText.of("e" + "\u0301".repeat(9_000) + "d"))
        .isEqualTo("e" + "\u0301".repeat(8) + "d");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x061c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e,
        0x2066, 0x2067, 0x2068, 0x2069, 0xfeff, 0x00ad, 0x2060, 0xd83d, 0xe0001, 0xe0041
      })
  void of_whatIsInvisibleOrTurnsTheDirection_isABlank(int character) {
    String text = "a" + Character.toString(character) + "b";

    assertThat(PrintableText.of(text)).isEqualTo("a b");
  }

  @Test
  void of_joinersBetweenLatinLetters_areBlanks() {
    assertThat(PrintableText.of("we\u200db \u200c1")).isEqualTo("we b  1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Änderung der Größe, A\u0308",
        "配置変更 カ\u3099ラス 서울",
        "שלום, مرحبا ۝",
        "می\u200cخواهم", // Persian is written with the non-joiner
        "क्\u200dष", // Hindi with the joiner
        "🚀 👍🏽 👩‍👩‍👧‍👦 ❤️‍🔥 🇩🇪 1️⃣",
        "🏴\uDB40\uDC67\uDB40\uDC62\uDB40\uDC65\uDB40\uDC6E\uDB40\uDC67\uDB40\uDC7F",
        "\"quoted\"\nnext"
      })
  void of_ordinaryText_stays(String text) {
    assertThat(PrintableText.of(text)).isEqualTo(text);
  }
}
