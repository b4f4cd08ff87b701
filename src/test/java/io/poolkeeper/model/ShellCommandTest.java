package io.poolkeeper.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellCommandTest {
  @Test
  void of_safeValues_areAsTheyWere() {
    assertThat(ShellCommand.of("kubectl -n %s get lease %s", "kube-system", "/a/b_c.d:1"))
        .isEqualTo("kubectl -n kube-system get lease /a/b_c.d:1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$(echo x)",
        "`echo x`",
        "a'b",
        "'; echo x; '",
        "a b",
        "",
        "~",
        "*",
        "a\\",
        "\"",
        "!x",
        "(x)",
        "Größe",
        "a=b",
        "#"
      })
  void of_anyValue_isOneWordForTheShell(String value) throws IOException, InterruptedException {
    String command = ShellCommand.of("printf '[%%s]' %s", value);

    Process shell = new ProcessBuilder("sh", "-c", command).start();
    assertThat(new String(shell.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo("[" + value + "]");
    assertThat(shell.waitFor()).isZero();
  }

  @Test
  void of_charactersThatATerminalObeys_becomeQuestionMarks() {
    assertThat(ShellCommand.of("echo %s", "a\n\u0003b\u009bc\u202ed")).isEqualTo("echo 'a??b?c?d'");
  }
}
