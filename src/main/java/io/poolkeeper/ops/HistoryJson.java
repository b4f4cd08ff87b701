package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.status.HalfHour;
import io.poolkeeper.status.HalfHour.Step;
import io.poolkeeper.status.Recent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What led to the present, in steps; the names of its members are a contract.
 *
 * @param p50 of the changes that reached Azure in each step, in seconds; null where none did
 * @param writes a second
 * @param oldest the age of the oldest change that waited at the end of each step, in seconds
 * @param throttled when ARM had asked to wait
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record HistoryJson(
    String from,
    long stepSeconds,
    List<@Nullable Double> p50,
    List<@Nullable Double> p99,
    List<Double> writes,
    List<Double> oldest,
    List<Throttled> throttled) {
  /** From when until when. */
  record Throttled(String from, String until) {}

  static HistoryJson of(Recent.View recent) {
    return new HistoryJson(
        Times.iso(recent.from()),
        HalfHour.STEP.toSeconds(),
        seconds(recent.steps(), Step::p50),
        seconds(recent.steps(), Step::p99),
        recent.steps().stream()
            .map(step -> rounded((double) step.writes() / HalfHour.STEP.toSeconds()))
            .toList(),
        recent.steps().stream().map(step -> rounded(step.oldest())).toList(),
        recent.throttles().stream()
            .map(one -> new Throttled(Times.iso(one.since()), Times.iso(one.until())))
            .toList());
  }

  private static List<@Nullable Double> seconds(
      List<Step> steps, Function<Step, Optional<Double>> of) {
    List<@Nullable Double> all = new ArrayList<>();
    for (Step step : steps) {
      all.add(of.apply(step).isPresent() ? Double.valueOf(rounded(of.apply(step).get())) : null);
    }
    return all;
  }

  private static double rounded(double number) {
    return Math.round(number * 1_000) / 1e3;
  }
}
