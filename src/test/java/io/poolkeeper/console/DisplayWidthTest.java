package io.poolkeeper.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The widths are those of the terminals of GNOME, KDE, kitty and Apple. */
class DisplayWidthTest {
  @ParameterizedTest
  @CsvSource({
    "'', 0",
    "web-1, 5",
    "Änderung, 8",
    "A\u0308nderung, 8", // a letter and a combining mark
    "\u0308, 0", // a mark without its letter
    "配置, 4",
    "ガラス, 6",
    "カ\u3099ラス, 6", // the same, decomposed
    "ｶﾗｽ, 3", // half-width by name
    "서울, 4",
    "\u1109\u1165, 2", // a Korean syllable of two letters
    "（１）, 6",
    "שלום, 4",
    "क्षि, 1", // one cluster of four code points
    "🚀, 2",
    "👍🏽, 2", // with a colour of skin
    "👩‍👩‍👧‍👦, 2", // four, joined
    "🇩🇪, 2",
    "🏴\uDB40\uDC67\uDB40\uDC62\uDB40\uDC65\uDB40\uDC6E\uDB40\uDC67\uDB40\uDC7F, 2",
    "❤, 1",
    "❤️, 2", // asked for as a picture
    "1️⃣, 2",
    "…–→, 3",
    "'\u001b[1;31m!\u001b[0m', 1",
    "𠮷, 2", // a Han character outside of the BMP
    "𝒳, 1",
  })
  void of_aText_isTheColumnsItTakes(String text, int columns) {
    assertThat(DisplayWidth.of(text)).isEqualTo(columns);
  }

  @ParameterizedTest
  @CsvSource({
    "5, 12345, 12345",
    "4, 12345, 12..",
    "4, 配置変更, 配..",
    "5, 配置変更, 配..", // half of a wide character is not shown
    "3, 🚀🚀🚀, ..",
    "4, 👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦, 👩‍👩‍👧‍👦..",
    "3, A\u0308bcd, A\u0308..",
  })
  void cut_toAWidth_keepsWholeClusters(int width, String text, String cut) {
    assertThat(DisplayWidth.cut(text, width, "..")).isEqualTo(cut);
  }
}
