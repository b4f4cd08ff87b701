package io.poolkeeper.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the names of entries end that are this cluster's. */
class MarkTest {
  private static final Mark MARK = Mark.of("01234567-89AB-cdef-0123-456789abcdef");

  @Test
  void of_aUid_isItsFirstSixteenDigitsInSmallLetters() {
    assertThat(MARK.suffix()).isEqualTo(".pk-0123456789abcdef");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0123456-89abcdef", "g1234567-89ab-cdef-0123-456789abcdef"})
  void of_noUid_isRefused(String text) {
    assertThatThrownBy(() -> Mark.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void on_anyCase_isTheMark_andAnotherClustersOrOneInTheMiddleIsNot() {
    assertThat(MARK.on("n4.pk-0123456789abcdef")).isTrue();
    assertThat(MARK.on("N4.PK-0123456789ABCDEF")).isTrue();
    assertThat(MARK.on("n4.pk-fedcba9876543210")).isFalse();
    assertThat(MARK.on("n4.pk-0123456789abcdef-2")).isFalse();
    assertThat(MARK.on("n4")).isFalse();
  }

  @Test
  void off_aMarkedName_isTheNodes_andAForeignOneStaysWhole() {
    assertThat(MARK.off("aks-N4.PK-0123456789abcdef")).isEqualTo("aks-N4");
    assertThat(MARK.off("n4.pk-fedcba9876543210")).isEqualTo("n4.pk-fedcba9876543210");
  }

  @Test
  void name_ofSixtyCharacters_isWhole_andAreEightyWithTheMark() {
    assertThat(MARK.name("n".repeat(60)))
        .isEqualTo("n".repeat(60) + ".pk-0123456789abcdef")
        .hasSize(80);
  }

  @Test
  void name_ofMore_isCutAndHasAHashOfTheWhole() {
    assertThat(MARK.name("n".repeat(61)))
        .isEqualTo("n".repeat(51) + "-7e1688bb.pk-0123456789abcdef")
        .hasSize(80);
    assertThat(MARK.name("n".repeat(62))).isNotEqualTo(MARK.name("n".repeat(61))).hasSize(80);
  }
}
