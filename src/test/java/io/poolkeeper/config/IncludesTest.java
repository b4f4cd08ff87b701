package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IncludesTest {
  @TempDir private Path temp;
  private ConfigDir dir;

  @BeforeEach
  void directory() {
    dir = new ConfigDir(temp);
  }

  @Test
  void load_fileBesideTheConfiguration_countsWhereItStands_andIsTheOrigin() {
    dir.write("more.conf", "poolkeeper.updater.interval = 45s");

    LoadedSettings loaded = dir.load("include \"more.conf\"", "poolkeeper.opt-in = true");

    assertThat(loaded.settings().pools().interval()).isEqualTo(Duration.ofSeconds(45));
    assertThat(loaded.effective().stream().map(Object::toString))
        .contains(
            "poolkeeper.updater.interval = \"45s\"  # %s:1".formatted(temp.resolve("more.conf")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          include "../other.conf"               | include "../other.conf", a file elsewhere
          include file("/etc/other.conf")       | include "/etc/other.conf", a file elsewhere
          include url("https://example.org/a")  | include "https://example.org/a", a URL
          include classpath("application.conf") | include "application.conf", a resource of the class path
          include "missing.conf"                | include "missing.conf", no such file
          """)
  void include_ofWhatIsNotBesideTheFile(String line, String found) {
    assertThat(dir.problems(line))
        .containsExactly(
            "p.conf: found %s; allowed: the name of a file beside this one, 1 MiB in all"
                .formatted(found));
  }

  @Test
  void include_filesThatAreTooLargeTogether() {
    dir.write("half.conf", "#".repeat(600_000));

    assertThat(dir.problems("include \"half.conf\"", "include \"half.conf\""))
        .containsExactly(
            "p.conf: found include \"half.conf\", 1200000 bytes with those before it; allowed: the"
                + " name of a file beside this one, 1 MiB in all");
  }
}
