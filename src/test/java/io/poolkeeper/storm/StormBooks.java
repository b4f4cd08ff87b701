package io.poolkeeper.storm;

import io.poolkeeper.storm.Weather.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What happened in a storm, in seconds since its beginning. */
final class StormBooks {
  private final List<Double> calls = new ArrayList<>();
  private final List<Double> writes = new ArrayList<>();
  private final List<Double> drainWrites = new ArrayList<>();
  private final List<Double> drainWaits = new ArrayList<>();
  private final double[] firstAttempts;
  private final double[] converged;

  StormBooks(int pools) {
    firstAttempts = new double[pools];
    Arrays.fill(firstAttempts, Double.POSITIVE_INFINITY);
    converged = firstAttempts.clone();
  }

  void sent(Call call, Duration at) {
    calls.add(seconds(at));
    if (call.write()) {
      writes.add(seconds(at));
    }
  }

  /** A pool was granted a turn. */
  void attempted(int pool, Duration at) {
    firstAttempts[pool] = Math.min(firstAttempts[pool], seconds(at));
  }

  /** A pool is as wished. */
  void written(int pool, Duration at) {
    converged[pool] = Math.min(converged[pool], seconds(at));
  }

  /** A drain was granted a turn, and writes. */
  void drained(Duration at, Duration waited) {
    drainWrites.add(seconds(at));
    drainWaits.add(seconds(waited));
  }

  /** When calls were sent, of any kind. */
  List<Double> calls() {
    return calls;
  }

  /** When PUTs of pools were sent, repetitions included. */
  List<Double> writes() {
    return writes;
  }

  List<Double> drainWrites() {
    return drainWrites;
  }

  /** How long each drain waited for its turn. */
  List<Double> drainWaits() {
    return drainWaits;
  }

  long callsBefore(double end) {
    return calls.stream().filter(at -> at < end).count();
  }

  /** The most calls of one second, counted from full second to full second. */
  long peak(double from, double to) {
    int[] perSecond = new int[(int) Math.ceil(to) + 1];
    calls.stream().filter(at -> at >= from && at < to).forEach(at -> perSecond[at.intValue()]++);
    return Arrays.stream(perSecond).max().orElse(0);
  }

  int count() {
    return (int) Arrays.stream(converged).filter(Double::isFinite).count();
  }

  double lastFirstAttempt() {
    return Arrays.stream(firstAttempts).max().orElse(0);
  }

  /** How long after that time the last pool was as wished. */
  double slowest(double after) {
    return Arrays.stream(converged).max().orElse(0) - after;
  }

  double median(double after) {
    double[] sorted = converged.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2] - after;
  }

  /** PUTs per pool that is as wished. */
  double amplification() {
    return (double) writes.size() / count();
  }

  /**
   * By how many tokens the writes overdrew at worst, in any window whatever, a bucket of that size.
   *
   * @param perSecond at which it fills
   */
  static double overdraft(List<Double> writes, double burst, double perSecond) {
    List<Double> sorted = writes.stream().sorted().toList();
    double worst = Double.NEGATIVE_INFINITY;
    for (int from = 0; from < sorted.size(); from++) {
      for (int to = from; to < sorted.size(); to++) {
        double allowed = burst + perSecond * (sorted.get(to) - sorted.get(from));
        worst = Math.max(worst, to - from + 1 - allowed);
      }
    }
    return worst;
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
