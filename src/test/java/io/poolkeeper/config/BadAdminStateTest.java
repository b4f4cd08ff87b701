package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input in the sections {@code admin-state} and {@code spot}: each case, the whole message. */
class BadAdminStateTest {
  @TempDir private Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "admin-state.enabled = maybe | maybe | true or false",
        "admin-state.coalesce-window = 20 | 20 | 'a duration with a unit, 0s to 10s'",
        "admin-state.coalesce-window = 11s | \"11s\" | 'a duration with a unit, 0s to 10s'",
        "admin-state.min-active = -1 | -1 | 'a whole number from 0 to 5000'",
        "admin-state.min-active = 5001 | 5001 | 'a whole number from 0 to 5000'",
        "admin-state.min-active = 50% | \"50%\" | 'a whole number from 0 to 5000'",
        "admin-state.backoff.min = 99ms | \"99ms\" | 'a duration with a unit, 100ms to 1h'",
        "admin-state.backoff.max = 500ms | \"500ms\" | 'a duration with a unit, 1s to 1h'",
        "admin-state.backoff.max = 61m | \"61m\" | 'a duration with a unit, 1s to 1h'",
        "admin-state.backoff = 5s | \"5s\" | 'a section { max, min }'",
        "spot.enabled = null | null | true or false"
      })
  void value_notAllowed(String line, String found, String allowed) {
    String key = line.substring(0, line.indexOf(" = "));

    assertThat(new ConfigDir(temp).problems("poolkeeper." + line))
        .containsExactly(
            "p.conf:3: poolkeeper.%s: found %s; allowed: %s".formatted(key, found, allowed));
  }

  @Test
  void backoffMin_overTheDefaultMax_namesTheMax() {
    assertThat(new ConfigDir(temp).problems("poolkeeper.admin-state.backoff.min = 2m"))
        .containsExactly(
            "p.conf: poolkeeper.admin-state.backoff.max: found \"60s\"; allowed: a duration with a"
                + " unit, 2m to 1h");
  }
}
