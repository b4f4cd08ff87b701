package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input in the section {@code lock}: each case, the whole message. */
class BadLockTest {
  @TempDir private Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lock.enabled = 1 | 1 | true or false",
        "lock.name = A_b | A_b | 'a name of a Kubernetes object: lower case letters, digits, - and .'",
        "lock.namespace = null | null | 'a name of a Kubernetes object: lower case letters, digits, - and .'",
        "lock.identity = Cloud-Controller-Manager | Cloud-Controller-Manager | 'a text without blanks, up to 128 characters, not cloud-controller-manager'",
        "lock.identity = \"a b\" | \"a b\" | 'a text without blanks, up to 128 characters, not cloud-controller-manager'",
        "lock.duration = 899s | \"899s\" | 'a duration with a unit, 15m to 1h'",
        "lock.max-hold = 61s | \"61s\" | 'a duration with a unit, 100ms to 1m'",
        "lock.max-tail = 11s | \"11s\" | 'a duration with a unit, 100ms to 10s'",
        "lock.unreachable-after = 2h | \"2h\" | 'a duration with a unit, 100ms to 1h'",
        "lock.yield = 6s | \"6s\" | 'a duration with a unit, 50ms to the value of lock.max-hold'",
        "lock.drain-wait = 0s | \"0s\" | 'a duration with a unit, 100ms to 1h'"
      })
  void value_notAllowed(String line, String found, String allowed) {
    String key = line.substring(0, line.indexOf(" = "));

    assertThat(new ConfigDir(temp).problems("poolkeeper." + line))
        .containsExactly(
            "p.conf:3: poolkeeper.%s: found %s; allowed: %s".formatted(key, found, allowed));
  }

  @Test
  void maxHold_belowTheDefaultYield_namesTheYield() {
    assertThat(new ConfigDir(temp).problems("poolkeeper.lock.max-hold = 100ms"))
        .containsExactly(
            "p.conf: poolkeeper.lock.yield: found \"200ms\"; allowed: a duration with a unit, 50ms to"
                + " the value of lock.max-hold");
  }
}
