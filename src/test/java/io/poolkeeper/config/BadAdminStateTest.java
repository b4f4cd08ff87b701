package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input in the sections {@code admin-state} and {@code spot}: each case, the whole message. */
class BadAdminStateTest {
  private static final String KEY = "the key of a taint alone, such as karpenter.sh/disrupted";
  private static final String BEGIN =
      "the begin of a message, of 1 to 200 characters and without *";

  /** One character more than a key without a domain may have. */
  private static final String LONG =
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

  private static final String MANY = "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q";

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
        "admin-state.extra-taints = Gone | Gone | 'a list of texts such as [a, b]; each "
            + KEY
            + "'",
        "admin-state.extra-taints = [\"a/b:NoExecute\"] | \"a/b:NoExecute\" | '" + KEY + "'",
        "admin-state.extra-taints = [\"a/b=c:NoExecute\"] | \"a/b=c:NoExecute\" | '" + KEY + "'",
        "admin-state.extra-taints = [a, \"A.b/c\"] | \"A.b/c\" | '" + KEY + "'",
        "admin-state.extra-taints = [\"a/b/c\"] | \"a/b/c\" | '" + KEY + "'",
        "admin-state.extra-taints = [\"\"] | \"\" | '" + KEY + "'",
        "admin-state.extra-taints = [" + LONG + "] | \"" + LONG + "\" | '" + KEY + "'",
        "admin-state.extra-taints = [" + MANY + "] | 17 of them | at most 16",
        "spot.enabled = null | null | true or false",
        "spot.event-messages = Evict | Evict | 'a list of texts such as [a, b]; each "
            + BEGIN
            + "'",
        "spot.event-messages = [\"\"] | \"\" | '" + BEGIN + "'",
        "spot.event-messages = [\"Evict \"] | \"Evict \" | '" + BEGIN + "'",
        "spot.event-messages = [\"Evict*\"] | \"Evict*\" | '" + BEGIN + "'",
        "spot.event-messages = [a, \"*\"] | \"*\" beside others | '[\"*\"] alone, which stands for all messages'",
        "spot.event-messages = [" + MANY + "] | 17 of them | at most 16"
      })
  void value_notAllowed(String line, String found, String allowed) {
    String key = line.substring(0, line.indexOf(" = "));

    assertThat(new ConfigDir(temp).problems("poolkeeper." + line))
        .containsExactly(
            "p.conf:3: poolkeeper.%s: found %s; allowed: %s".formatted(key, found, allowed));
  }

  @Test
  void words_ofAllAllowedForms_areKept() {
    var settings =
        new ConfigDir(temp)
            .load(
                "poolkeeper.admin-state.extra-taints = [x, \"a.b-c/D_e.f-1\"]",
                "poolkeeper.spot.event-messages = [Evict, \"Node will be evicted\"]")
            .settings();

    assertThat(settings.adminState().extraTaints()).containsExactly("x", "a.b-c/D_e.f-1");
    assertThat(settings.spot().eventMessages()).containsExactly("Evict", "Node will be evicted");
  }

  @Test
  void lists_empty_areNone() {
    var settings =
        new ConfigDir(temp)
            .load("poolkeeper { admin-state.extra-taints = [], spot.event-messages = [] }")
            .settings();

    assertThat(settings.adminState().extraTaints()).isEmpty();
    assertThat(settings.spot().eventMessages()).isEmpty();
  }

  @Test
  void backoffMin_overTheDefaultMax_namesTheMax() {
    assertThat(new ConfigDir(temp).problems("poolkeeper.admin-state.backoff.min = 2m"))
        .containsExactly(
            "p.conf: poolkeeper.admin-state.backoff.max: found \"60s\"; allowed: a duration with a"
                + " unit, 2m to 1h");
  }
}
