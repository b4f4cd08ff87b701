package io.poolkeeper.status;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The last 30 minutes in steps of 30 s. Nothing runs without an event: steps are closed when
 * somebody looks or something happens. Confined to one thread. Times are monotonic.
 */
public final class HalfHour {
  public static final Duration STEP = Duration.ofSeconds(30);
  static final int STEPS = 60;
  private static final Duration KEPT = STEP.multipliedBy(STEPS);

  /** Durations are counted in classes, each a fourth of a doubling wide, from 1 ms. */
  private static final int CLASSES = 80;

  /**
   * One step.
   *
   * @param p50 of the changes that reached Azure, in seconds; empty if there were none
   * @param writes how many PUTs began
   * @param oldest the age of the oldest change that waited at the step's end, in seconds
   */
  public record Step(Optional<Double> p50, Optional<Double> p99, int writes, double oldest) {}

  /** A time without calls, which ARM had asked for. */
  public record Throttle(Instant from, Instant until) {}

  private final Deque<Step> steps = new ArrayDeque<>();
  private final Deque<Throttle> throttles = new ArrayDeque<>();
  private final int[] took = new int[CLASSES];
  private Instant from;
  private int writes;

  HalfHour(Instant now) {
    from = now;
  }

  boolean due(Instant now) {
    return !from.plus(STEP).isAfter(now);
  }

  /**
   * Closes the steps that are over.
   *
   * @param oldest since when the oldest change has waited, all the time until now
   */
  void advance(Instant now, Optional<Instant> oldest) {
    if (Duration.between(from, now).compareTo(KEPT.multipliedBy(2)) > 0) {
      from = now.minus(KEPT);
    }
    while (due(now)) {
      from = from.plus(STEP);
      steps.addLast(step(from, oldest));
      writes = 0;
      Arrays.fill(took, 0);
      if (steps.size() > STEPS) {
        steps.removeFirst();
      }
    }
    while (!throttles.isEmpty() && throttles.getFirst().until().isBefore(now.minus(KEPT))) {
      throttles.removeFirst();
    }
  }

  private Step step(Instant end, Optional<Instant> oldest) {
    double age = oldest.map(since -> seconds(Duration.between(since, end))).orElse(0.0);
    return new Step(quantile(0.5), quantile(0.99), writes, Math.max(0, age));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  private Optional<Double> quantile(double part) {
    int total = Arrays.stream(took).sum();
    int left = (int) Math.ceil(total * part);
    for (int i = 0; i < CLASSES && total > 0; i++) {
      left -= took[i];
      if (left <= 0) {
        return Optional.of(Math.pow(2, (i + 0.5) / 4) / 1e3);
      }
    }
    return Optional.empty();
  }

  void reached(Duration after) {
    double doublings = Math.log((double) Math.max(1, after.toMillis())) / Math.log(2);
    took[(int) Math.min(CLASSES - 1, doublings * 4)]++;
  }

  void wrote() {
    writes++;
  }

  void throttled(Instant now, Instant until) {
    Throttle last = throttles.peekLast();
    boolean goesOn = last != null && !last.until().isBefore(now);
    Instant since = goesOn ? throttles.removeLast().from() : now;
    throttles.addLast(new Throttle(since, until));
    if (throttles.size() > STEPS) {
      throttles.removeFirst();
    }
  }

  /** The steps that are closed, and the current one; limited. */
  List<Step> steps(Instant now, Optional<Instant> oldest) {
    List<Step> all = new ArrayList<>(steps);
    all.add(step(now, oldest));
    return all.subList(Math.max(0, all.size() - STEPS), all.size());
  }

  List<Throttle> throttles() {
    return new ArrayList<>(throttles);
  }

  /** When the oldest of the steps began. */
  Instant from() {
    return from.minus(STEP.multipliedBy(Math.min(steps.size(), STEPS - 1)));
  }

  /** PUTs of the last 5 minutes. */
  int writesLately() {
    return writes + steps.stream().skip(Math.max(0, steps.size() - 9)).mapToInt(Step::writes).sum();
  }
}
