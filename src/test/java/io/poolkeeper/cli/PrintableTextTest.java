package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class PrintableTextTest {
  @Test
  void of_controlCharacters_areBlanks_andLineEndsStay() throws Exception {
    String tenants = "{\"a\":[{\"why\":\"\\u001b[2Jfrozen\\r\\u009b1A\\nnext\"}],\"n\":1}";

    assertThat(PrintableText.of(new ObjectMapper().readTree(tenants)).toString())
        .isEqualTo("{\"a\":[{\"why\":\" [2Jfrozen  1A\\nnext\"}],\"n\":1}");
  }
}
