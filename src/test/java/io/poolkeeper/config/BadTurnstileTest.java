package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input in the section {@code turnstile}: each case with the whole message. */
class BadTurnstileTest {
  @TempDir private Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "writes.rate = 0 | 0 | 'a number from 0.001 to 1000, to a thousandth'",
        "writes.rate = 1.2345 | 1.2345 | 'a number from 0.001 to 1000, to a thousandth'",
        "writes.rate = fast | fast | 'a number from 0.001 to 1000, to a thousandth'",
        "writes.burst = 0 | 0 | a whole number from 1 to 100000",
        "writes.burst = 200.5 | 200.5 | a whole number from 1 to 100000",
        "writes.initial = 1000 | 1000"
            + " | 'a whole number from 0 to 150, the value of turnstile.writes.burst'",
        "writes.initial = -1 | -1"
            + " | 'a whole number from 0 to 150, the value of turnstile.writes.burst'",
        "writes.drain-reserve.burst = 100001 | 100001 | a whole number from 1 to 100000",
        "writes.drain-reserve.initial = 201 | 201 | 'a whole number from 0 to 200,"
            + " the value of turnstile.writes.drain-reserve.burst'",
        "writes.drain-reserve = 5 | 5 | 'a section { burst, initial }'",
        "reads.rate = 1001 | 1001 | 'a number from 0.001 to 1000, to a thousandth'",
        "reads.burst = null | null | a whole number from 1 to 100000",
        "reads = null | null | 'a section { burst, rate }'",
        "early.rate = 0 | 0 | 'a number from 0.001 to 1000, to a thousandth'",
        "early.burst = 0 | 0 | a whole number from 1 to 100000",
        "early.initial = 76 | 76"
            + " | 'a whole number from 0 to 75, the value of turnstile.early.burst'",
        "early.share = 0 | 0 | 'a number from 0.001 to 1, to a thousandth'",
        "early.share = 1.001 | 1.001 | 'a number from 0.001 to 1, to a thousandth'",
        "early = null | null | 'a section { burst, initial, rate, share }'",
        "max-in-flight = 0 | 0 | a whole number from 1 to 1000",
        "max-in-flight = 1001 | 1001 | a whole number from 1 to 1000",
        "settle-limit = 5 | 5 | 'a duration with a unit, 1s to 1h'",
        "settle-limit = 61m | \"61m\" | 'a duration with a unit, 1s to 1h'",
        "retry-budget.cap = 1001 | 1001 | a whole number from 1 to 1000",
        "retry-budget.cap = 0 | 0 | a whole number from 1 to 1000",
        "retry-budget.ttl = 999ms | \"999ms\" | 'a duration with a unit, 1s to 1m'",
        "retry-budget.ttl = 61s | \"61s\" | 'a duration with a unit, 1s to 1m'",
        "retry-budget.min-per-second = 0 | 0 | 'a number from 0.001 to 100, to a thousandth'",
        "retry-budget.min-per-second = -1 | -1 | 'a number from 0.001 to 100, to a thousandth'",
        "retry-budget.percent = \"10%\" | \"10%\" | a whole number from 0 to 100000",
        "retry-budget.deposit = both | both | 'one of success, attempt'",
      })
  void value_notAllowed(String line, String found, String allowed) {
    String key = line.substring(0, line.indexOf(" = "));

    assertThat(new ConfigDir(temp).problems("poolkeeper.turnstile." + line))
        .containsExactly(
            "p.conf:3: poolkeeper.turnstile.%s: found %s; allowed: %s"
                .formatted(key, found, allowed));
  }

  @Test
  void values_lowerThanADefaultBesideThem_nameBothKeys() {
    assertThat(new ConfigDir(temp).problems("poolkeeper.turnstile.writes.burst = 20"))
        .containsExactly(
            "p.conf: poolkeeper.turnstile.writes.initial: found 50; allowed: a whole number from 0"
                + " to 20, the value of turnstile.writes.burst");
  }

  @Test
  void values_manyNotAllowed_areToldAtOnce() {
    assertThat(
            new ConfigDir(temp)
                .problems(
                    "poolkeeper.turnstile.writes { rate = 0, burst = 0 }",
                    "poolkeeper.turnstile.reads { rate = 0, burst = 0 }",
                    "poolkeeper.turnstile.retry-budget { cap = 0, ttl = 0s, deposit = none }",
                    "poolkeeper.turnstile { max-in-flight = 0, settle-limit = 0s }"))
        .hasSize(9)
        .doesNotHaveDuplicates();
  }

  @Test
  void unknownKey_suggestsTheSibling() {
    assertThat(new ConfigDir(temp).problems("poolkeeper.turnstile.writes.brust = 5"))
        .containsExactly(
            "p.conf:3: poolkeeper.turnstile.writes.brust: found an unknown key, did you mean"
                + " burst?; allowed: burst, drain-reserve, initial, rate");
  }
}
