package io.poolkeeper.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * The rate limiter is no bottleneck: one or two permits per second need some 15 decisions. The
 * bound is far below what is measured, and the best second counts, so that a busy machine does not
 * fail it: {@code docs/turnstile.md} has the figures.
 */
@Tag("full")
class RateLimiterBenchIT {
  private static final double LEAST_PER_SECOND = 150;

  @Test
  void itDecidesTenTimesAsOftenAsPermitsNeedWhereverThePoolsWait() throws RunnerException {
    Map<String, Double> perSecond =
        scores(
            new Runner(
                    new OptionsBuilder()
                        .include(RateLimiterBench.class.getSimpleName() + "\\.")
                        .jvmArgs("-Xmx512m") // none of this process: no agent
                        .warmupIterations(10)
                        .measurementIterations(3)
                        .forks(1)
                        .build())
                .run());

    assertThat(perSecond).containsOnlyKeys("1", "100", "5000");
    assertThat(perSecond.values()).allMatch(score -> score > LEAST_PER_SECOND);
  }

  /** By how many load balancers they wait at, the decisions of the best second. */
  private static Map<String, Double> scores(Collection<RunResult> results) {
    return results.stream()
        .collect(
            Collectors.toMap(
                result -> result.getParams().getParam("balancers"),
                result -> result.getPrimaryResult().getStatistics().getMax()));
  }
}
