package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.config.Settings.Mode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the mode is from; {@code config/bad-settings.txt} has what is refused. */
class ModeTest {
  @TempDir private Path temp;

  @ParameterizedTest
  @CsvSource({
    "'',                       shadow, SHADOW",
    "'',                       WRITE,  WRITE",
    "poolkeeper.mode = write,  shadow, WRITE",
    "poolkeeper.mode = Shadow, write,  SHADOW",
    "poolkeeper.mode = shadow, '',     SHADOW",
  })
  void load_mode_isTheFilesThenTheEnvironments(String line, String variable, Mode mode) {
    var loaded =
        new ConfigDir(temp)
            .loadFile(ConfigDir.REQUIRED + line, Map.of("POOLKEEPER_MODE", variable));

    assertThat(loaded.settings().mode()).isEqualTo(mode);
  }

  @Test
  void loadForCommand_modeNotSet_isWrite() {
    assertThat(forCommand("")).isEqualTo(Mode.WRITE);
    assertThat(forCommand("poolkeeper.mode = null")).isEqualTo(Mode.WRITE);
    assertThat(forCommand("poolkeeper.mode = shadow")).isEqualTo(Mode.SHADOW);
    assertThatThrownBy(() -> forCommand("poolkeeper.mode = off"))
        .hasMessageContaining("poolkeeper.mode: found off; allowed: write (");
  }

  private Mode forCommand(String line) {
    var file = new ConfigDir(temp).write("p.conf", ConfigDir.REQUIRED + line);
    return SettingsLoader.loadForCommand(file, Optional.empty(), Map.of()).mode();
  }
}
