package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.poolkeeper.ratelimit.RateLimiterLimits;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What seeds draw: each part by itself, and each as often as the documents say. */
class SimOptionsTest {
  private static final int SEEDS = 4_000;
  private static final Set<Fault> OF_LEASE =
      Set.of(Fault.LEASE_CALL, Fault.LEASE_LEFT, Fault.LEASE_STOLEN);
  private static final List<SimOptions> ALL =
      LongStream.range(0, SEEDS).mapToObj(SimOptions::draw).toList();

  /** But for the pauses, which are the spacings of a pool. */
  private static List<Object> rateLimiter(SimOptions options) {
    RateLimiterLimits limits = options.rateLimiter();
    return List.of(
        limits.writes(),
        limits.initialWrites(),
        limits.reads(),
        limits.early(),
        limits.maxInFlight(),
        limits.permitDeadline(),
        limits.settleLimit(),
        limits.budget(),
        limits.depositAttempts(),
        options.maxRetryAfter());
  }

  /** The parts by the names of their streams. */
  private static Map<String, Object> parts(SimOptions options) {
    SimOptions.Failures failures = options.failures();
    return Map.of(
        "size", options.size(),
        "nodes", options.nodes(),
        "updater", options.pools(),
        "turnstile", rateLimiter(options),
        "sharing", options.sharing(),
        "faults", failures.faults(),
        "failures", List.of(failures.latency(), failures.lateness(), failures.faultRate()),
        "bindings", options.bindings());
  }

  /** As if a topic had come to draw more numbers before its own. */
  private static SimOptions drawn(long seed, Set<String> more) {
    return SimOptions.draw(
        topic -> {
          Chance chance = Chance.of(seed, topic);
          if (more.contains(topic)) {
            chance.nextLong();
          }
          return chance;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"size", "nodes", "updater", "turnstile", "failures", "bindings"})
  void draw_aPartThatDrawsMore_changesNoOther(String part) {
    for (long seed = 0; seed < 100; seed++) {
      Map<String, Object> before = parts(SimOptions.draw(seed));
      Map<String, Object> after = parts(drawn(seed, Set.of(part)));

      assertThat(after).hasSameSizeAs(before);
      assertThat(changed(before, after)).isSubsetOf(part);
    }
    assertThat(LongStream.range(0, 100).mapToObj(seed -> drawn(seed, Set.of(part))).toList())
        .as("draws of %s", part)
        .isNotEqualTo(ALL.subList(0, 100));
  }

  private static Set<String> changed(Map<String, Object> before, Map<String, Object> after) {
    return before.keySet().stream()
        .filter(name -> !before.get(name).equals(after.get(name)))
        .collect(Collectors.toSet());
  }

  /** Without a Lease there are no faults of it: they alone may change with it. */
  @Test
  void draw_theSharingThatDrawsMore_changesNothingButItselfAndFaultsOfTheLease() {
    for (long seed = 0; seed < 100; seed++) {
      SimOptions before = SimOptions.draw(seed);
      SimOptions after = drawn(seed, Set.of("sharing"));

      assertThat(changed(parts(before), parts(after))).isSubsetOf("sharing", "faults");
      assertThat(differing(before, after)).isSubsetOf(OF_LEASE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void draw_aFaultThatDrawsMore_changesNoOther(Fault fault) {
    for (long seed = 0; seed < 100; seed++) {
      SimOptions before = SimOptions.draw(seed);
      SimOptions after = drawn(seed, Set.of(fault.name()));

      assertThat(changed(parts(before), parts(after))).isSubsetOf("faults");
      assertThat(differing(before, after)).isSubsetOf(fault);
    }
  }

  private static Set<Fault> differing(SimOptions before, SimOptions after) {
    return Arrays.stream(Fault.values())
        .filter(fault -> before.has(fault) != after.has(fault))
        .collect(Collectors.toSet());
  }

  static Stream<Arguments> means() {
    return Stream.of(
        mean("load balancers", 2, one -> one.size().loadBalancers()),
        mean("Services", 3.5, one -> one.size().services()),
        mean("nodes", 5, one -> one.size().nodes()),
        part("other signals", 0.25, one -> one.nodes().otherSignals()),
        part("min-active", 0.2, one -> one.nodes().minActive() > 0),
        part("shortest interval", 1 / 3.0, one -> seconds(one.pools().interval()) == 1),
        part("verify-after", 0.8, one -> one.pools().verifyAfter().isPositive()),
        part("leading-edge", 0.8, one -> one.pools().leadingEdge()),
        part("window", 0.5, one -> one.pools().window().isPositive()),
        mean("retries", 2, one -> one.pools().maxRetries()),
        part("few write tokens", 0.4, one -> one.rateLimiter().writes().burst() < 10),
        mean("in flight", 8.5, one -> one.rateLimiter().maxInFlight()),
        part("Lease", 0.5, one -> one.sharing().lease()),
        part("outages of it", 0.4, one -> one.sharing().outages()),
        part("unreachable", 0.2, one -> one.sharing().unreachableAfter().isPresent()),
        part("no late messages", 1 / 3.0, one -> one.failures().lateness() == 0),
        part("no errors of ARM", 0.25, one -> one.failures().faultRate() == 0),
        part("bindings", 0.125, one -> one.bindings().isPresent()),
        part("a check of all of them", 0.0625, SimOptions::freezes));
  }

  private static Arguments mean(String name, double mean, ToDoubleFunction<SimOptions> figure) {
    return Arguments.of(name, mean, figure);
  }

  private static Arguments part(String name, double part, Function<SimOptions, Boolean> has) {
    return mean(name, part, one -> has.apply(one) ? 1 : 0);
  }

  private static long seconds(Duration duration) {
    return duration.toSeconds();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void means(String name, double mean, ToDoubleFunction<SimOptions> figure) {
    assertThat(ALL.stream().mapToDouble(figure).average().orElseThrow())
        .as(name)
        .isCloseTo(mean, within(Math.max(0.03, mean * 0.03)));
  }

  /** All of one seed are rare, or half of them are there, or most. */
  @ParameterizedTest
  @EnumSource
  void draw_eachFault_isThereAsOftenAsAnyOther(Fault fault) {
    double expected = OF_LEASE.contains(fault) ? 0.2 : 0.4;

    assertThat(ALL.stream().filter(one -> one.has(fault)).count() / (double) SEEDS)
        .isCloseTo(expected, within(0.03));
    assertThat(ALL.stream().map(one -> one.failures().outage())).containsOnly(Optional.empty());
  }
}
