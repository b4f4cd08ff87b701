package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input in the section {@code leader-election}: each case, the whole message. */
class BadLeaderElectionTest {
  private static final String NAME = "a name of the cluster: lower-case letters, digits and dashes";

  @TempDir private Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "enabled = maybe | maybe | true or false",
        "name = null | null | '" + NAME + "'",
        "name = Leader | Leader | '" + NAME + "'",
        "namespace = \"\" | \"\" | '" + NAME + "'",
        "namespace = a_b | a_b | '" + NAME + "'",
        "renew-deadline = 12001ms | \"12001ms\" | 'a duration with a unit, 1s to four fifths of"
            + " leader-election.lease-duration'",
        "retry-period = 3334ms | \"3334ms\" | 'a duration with a unit, 100ms to a third of"
            + " leader-election.renew-deadline'",
        "retry-period = 2 | 2 | 'a duration with a unit, 100ms to a third of"
            + " leader-election.renew-deadline'"
      })
  void value_notAllowed(String line, String found, String allowed) {
    String key = line.substring(0, line.indexOf(" = "));

    assertThat(new ConfigDir(temp).problems("poolkeeper.leader-election." + line))
        .containsExactly(
            "p.conf:3: poolkeeper.leader-election.%s: found %s; allowed: %s"
                .formatted(key, found, allowed));
  }

  @Test
  void leaseDuration_tooShortForTheOthers_namesThem() {
    assertThat(new ConfigDir(temp).problems("poolkeeper.leader-election.lease-duration = 5s"))
        .containsExactly(
            "p.conf: poolkeeper.leader-election.renew-deadline: found \"10s\"; allowed: a duration"
                + " with a unit, 1s to four fifths of leader-election.lease-duration",
            "p.conf: poolkeeper.leader-election.retry-period: found \"2s\"; allowed: a duration"
                + " with a unit, 100ms to a third of leader-election.renew-deadline");
  }
}
