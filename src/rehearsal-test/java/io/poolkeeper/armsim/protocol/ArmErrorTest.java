package io.poolkeeper.armsim.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** The table of errors. */
class ArmErrorTest {
  @Test
  void texts_areThoseOfTheErrorsAndNoOthers() throws IOException {
    Properties texts = new Properties();
    try (InputStream file = ArmError.class.getResourceAsStream("errors.properties")) {
      texts.load(file);
    }
    assertThat(texts.stringPropertyNames())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ArmError.values()).map(Enum::name).toList());
    assertThat(texts.values()).doesNotContain("");
  }

  @Test
  void answer_ofEachForm_hasItsBody() {
    assertThat(ArmError.GROUP_NOT_FOUND.answer("g").text())
        .isEqualTo(
            "{\"error\":{\"code\":\"ResourceGroupNotFound\","
                + "\"message\":\"Resource group 'g' could not be found.\"}}");
    assertThat(ArmError.PART_NOT_FOUND.answer("/p").text())
        .isEqualTo(
            "{\"error\":{\"code\":\"NotFound\",\"message\":\"Resource /p not found.\","
                + "\"details\":[]}}");
    assertThat(ArmError.WRONG_TYPE.answer("a", "a text", "NUMBER").text())
        .contains("\"InvalidRequestFormat\"", "{\"code\":\"InvalidJson\",\"message\":\"Error");
    assertThat(ArmError.NOTHING_TO_MATCH.answer("x").code()).isEqualTo("PreconditionFailed");
    assertThat(ArmError.RETRY_AFTER_ERROR.answer().headers())
        .containsEntry("x-ms-failure-cause", "service");
  }
}
