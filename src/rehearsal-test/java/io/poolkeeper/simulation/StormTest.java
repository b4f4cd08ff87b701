package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.simulation.SimOptions.Outage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hundreds of pools that all have to be written while ARM is out for ten minutes: few calls in the
 * outage, and afterwards the bucket and the load balancers are the only limits. The tables of
 * docs/turnstile.md are these runs.
 */
class StormTest {
  private static final Duration OUTAGE = Duration.ofMinutes(10);
  private static final Pattern CALL = Pattern.compile("(\\d+) (\\S+): (get|put) (\\d+)");
  private static final Pattern ACCEPTED = Pattern.compile("(\\d+) ARM accepts .* of (\\S+)");

  private final SeededSystem system = new SeededSystem();

  @AfterEach
  void close() {
    system.close();
  }

  /** Times in seconds. */
  private static final class Storm {
    final List<Double> calls = new ArrayList<>();
    final List<Double> writes = new ArrayList<>();
    final Map<String, Double> firstAttempts = new HashMap<>();
    final Map<String, Double> converged = new HashMap<>();
    Optional<String> violation = Optional.empty();

    void line(String line) {
      Matcher call = CALL.matcher(line);
      Matcher accepted = ACCEPTED.matcher(line);
      if (call.matches()) {
        double at = Long.parseLong(call.group(1)) / 1e6;
        calls.add(at);
        firstAttempts.putIfAbsent(call.group(2), at);
      } else if (accepted.matches()) {
        double at = Long.parseLong(accepted.group(1)) / 1e6;
        writes.add(at);
        converged.put(accepted.group(2), at);
      }
    }

    long during() {
      return calls.stream().filter(at -> at < OUTAGE.toSeconds()).count();
    }

    double slowest() {
      return converged.values().stream().mapToDouble(at -> at - OUTAGE.toSeconds()).max().orElse(0);
    }

    double median() {
      return converged.values().stream()
          .sorted()
          .skip(converged.size() / 2)
          .findFirst()
          .map(at -> at - OUTAGE.toSeconds())
          .orElse(0.0);
    }
  }

  private Storm run(int pools, int status, Optional<Duration> retryAfter) {
    Storm storm = new Storm();
    SimOptions options = Shipped.storm(pools, new Outage(OUTAGE, status, retryAfter));
    storm.violation = Run.storm(system, 1, options, storm::line).violation();
    System.out.printf(
        "storm pools=%d status=%d retry-after=%s during=%d slowest=%.1f median=%.1f"
            + " last-first=%.1f%n",
        pools,
        status,
        retryAfter,
        storm.during(),
        storm.slowest(),
        storm.median(),
        storm.firstAttempts.values().stream().mapToDouble(at -> at).max().orElse(0));
    return storm;
  }

  @Test
  void fewPoolsConvergeSoonAfterTheOutageThoughTheirTimersAreLong() {
    Storm storm = run(20, 503, Optional.empty());

    assertThat(storm.violation).isEmpty();
    assertThat(storm.converged).hasSize(20);
    assertThat(storm.slowest()).isBetween(1.0, 60.0);
  }

  /**
   * The bucket holds 150 by then and wins 1.5 a second; a load balancer takes one write at a time.
   */
  @Test
  @Tag("full")
  void manyPoolsConvergeAsFastAsTheirLoadBalancersAndTheBucketLetThem() {
    Storm storm = run(500, 503, Optional.empty());

    assertThat(storm.violation).isEmpty();
    assertThat(storm.converged).hasSize(500);
    assertThat(storm.slowest()).isBetween(233.0, 330.0);
    assertThat(storm.writes.size()).as("PUTs").isLessThan(600);
  }

  /** The gate closes for 2, 4, 8, 16 and then 30 s, and each opening costs a call or two. */
  @Test
  @Tag("full")
  void withoutAnAdviceAGateThatClosesForLongerAndLongerBoundsTheCalls() {
    Storm storm = run(500, 429, Optional.empty());

    assertThat(storm.violation).isEmpty();
    assertThat(storm.during()).isBetween(20L, 60L);
    assertThat(storm.slowest()).isBetween(233.0, 330.0);
  }

  @Test
  @Tag("full")
  void whileArmSaysWhenToComeBackAlmostNothingIsSent() {
    Storm storm = run(500, 429, Optional.of(Duration.ofMinutes(1)));

    assertThat(storm.violation).isEmpty();
    assertThat(storm.during()).isBetween(10L, 16L + 10);
  }
}
