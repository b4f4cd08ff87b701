package io.poolkeeper.lab;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.poolkeeper.lab.LabReport.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a rehearsal; the names of its members are a contract.
 *
 * @param profile of the ARM simulator
 * @param notes differences from an ordinary rehearsal
 * @param propagationMillis of changes after a quiet interval
 * @param withinIntervalMillis of changes inside one
 * @param lostUpdates pools whose members are wrong at the end
 * @param wronglyDown entries that are Down at the end without reason
 * @param notDown entries that are not Down at the end although their node is out of service
 * @param speed the same changes, with those apart that ARM made wait
 * @param writes what the controller spends
 * @param kills of {@code crash} only: how often the controller was killed
 * @param storm of {@code restart-storm} only
 * @param sharedLease of {@code other-writer} only
 * @param damage of {@code peer-damage} only
 * @param drainMillis of {@code drain}, {@code spot} and {@code slow-write} only
 * @param admission of {@code admission} only
 */
public record LabReport(
    String scenario,
    long seed,
    boolean passed,
    long durationMillis,
    long intervalMillis,
    String profile,
    List<String> notes,
    List<CheckResult> checks,
    Spread propagationMillis,
    Spread withinIntervalMillis,
    Arm arm,
    Map<String, Integer> events,
    int lostUpdates,
    int wronglyDown,
    int notDown,
    long readyMillis,
    Speed speed,
    Writes writes,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer kills,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Storm storm,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable SharedLease sharedLease,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Damages damage,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Drains drainMillis,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Admission admission) {
  public LabReport {
    notes = List.copyOf(notes);
    checks = List.copyOf(checks);
    events = Map.copyOf(events);
  }

  /** The controller's requests at ARM. */
  public record Arm(
      int get,
      int put,
      int list,
      int put429,
      int put412,
      int put409,
      int maxInFlightPerLoadBalancer) {}

  /**
   * What the writes of pools spend.
   *
   * @param mostPerPoolAndInterval the most accepted writes of a pool within any interval
   * @param lowestTokens the lowest level of the write bucket
   */
  public record Writes(int mostPerPoolAndInterval, int lowestTokens) {}

  /**
   * The cost of {@code restart-storm}.
   *
   * @param pools that were wrong at the start
   * @param writes sent for them, refused ones included
   * @param amplification writes per pool
   * @param slowestMillis from the first call to ARM until the last pool was correct
   */
  public record Storm(int pools, int writes, double amplification, long slowestMillis) {}

  /**
   * What the cloud provider met.
   *
   * @param attempts to take the shared Lease
   * @param longestRun of attempts that failed, one after the other
   * @param drainsBeside writes of drains that went without the Lease
   */
  public record SharedLease(int attempts, int failed, int longestRun, int drainsBeside) {}

  /** How long pools stayed wrong that the cloud provider had damaged. */
  public record Damages(Spread withEventMillis, Spread withoutEventMillis) {}

  /** From a signal to the first and the last write that ARM accepted for it. */
  public record Drains(Spread first, Spread last) {}

  /**
   * What the checks of bindings did.
   *
   * @param resets how often all checks of a binding were asked again
   * @param longestHoldMillis of a pool
   */
  public record Admission(int bindings, int resets, long longestHoldMillis) {}

  public String json() {
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a record that is no JSON", impossible);
    }
  }

  public List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(row("scenario", scenario + ", seed " + seed + ", profile " + profile));
    lines.add(row("took", seconds(durationMillis) + ", ready after " + seconds(readyMillis)));
    lines.add(row("interval", seconds(intervalMillis)));
    lines.add(row("after a quiet interval", text(propagationMillis)));
    lines.add(row("inside an interval", text(withinIntervalMillis)));
    lines.add(
        row(
            "ARM calls",
            "%d GET, %d PUT, %d lists; 429: %d, 412: %d, 409: %d"
                .formatted(
                    arm.get(), arm.put(), arm.list(), arm.put429(), arm.put412(), arm.put409())));
    lines.add(
        row(
            "writes",
            "at most %d of a pool within an interval; the lowest level of the bucket was %d"
                .formatted(writes.mostPerPoolAndInterval(), writes.lowestTokens())));
    events.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(event -> lines.add(row("events", event.getValue() + " " + event.getKey())));
    lines.addAll(ofSomeScenarios());
    speed.words(intervalMillis).forEach(words -> lines.add(row("in words", words)));
    notes.forEach(note -> lines.add(row("note", note)));
    for (CheckResult check : checks) {
      String detail = check.detail().isEmpty() ? "" : ": " + check.detail();
      lines.add(row(check.passed() ? "ok" : "FAILED", check.name() + detail));
    }
    lines.add(row("", passed ? "passed" : "FAILED"));
    return lines;
  }

  private List<String> ofSomeScenarios() {
    List<String> lines = new ArrayList<>();
    if (admission != null) {
      lines.add(
          row(
              "admission",
              "%d bindings; checks were asked again %d times; the longest hold lasted %s"
                  .formatted(
                      admission.bindings(),
                      admission.resets(),
                      seconds(admission.longestHoldMillis()))));
    }
    if (kills != null) {
      lines.add(row("kills", Integer.toString(kills)));
    }
    if (storm != null) {
      lines.add(
          row(
              "storm",
              "%d pools, %d writes, %.2f per pool, the last one right after %s"
                  .formatted(
                      storm.pools(),
                      storm.writes(),
                      storm.amplification(),
                      seconds(storm.slowestMillis()))));
    }
    if (sharedLease != null) {
      lines.add(
          row(
              "shared Lease",
              "%d attempts of the cloud provider, %d failed, at most %d in a row; %d drains beside it"
                  .formatted(
                      sharedLease.attempts(),
                      sharedLease.failed(),
                      sharedLease.longestRun(),
                      sharedLease.drainsBeside())));
    }
    if (damage != null) {
      lines.add(row("damaged, with event", text(damage.withEventMillis())));
      lines.add(row("damaged, without", text(damage.withoutEventMillis())));
    }
    if (drainMillis != null) {
      lines.add(row("signal to first write", text(drainMillis.first())));
      lines.add(row("signal to last write", text(drainMillis.last())));
    }
    return lines;
  }

  private static String row(String name, String value) {
    return "  %-24s %s".formatted(name, value);
  }

  private static String seconds(long millis) {
    return "%.1f s".formatted(millis / 1000.0);
  }

  private static String text(Spread spread) {
    return spread.count() == 0
        ? "no change"
        : "%d changes, p50 %d ms, p99 %d ms, max %d ms"
            .formatted(spread.count(), spread.p50(), spread.p99(), spread.max());
  }

  /** Percentiles of measured milliseconds; null if none were measured. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Spread(int count, @Nullable Long p50, @Nullable Long p99, @Nullable Long max) {
    public static Spread of(List<Long> millis) {
      if (millis.isEmpty()) {
        return new Spread(0, null, null, null);
      }
      List<Long> sorted = millis.stream().sorted().toList();
      return new Spread(sorted.size(), rank(sorted, 50), rank(sorted, 99), sorted.getLast());
    }

    /** The smallest value that at least so many percent of the values do not exceed. */
    private static long rank(List<Long> sorted, int percent) {
      return sorted.get(Math.max(0, (int) Math.ceil(sorted.size() * percent / 100.0) - 1));
    }
  }

  /** One check of a rehearsal; the detail is what was found, and may be empty. */
  public record CheckResult(String name, boolean passed, String detail) {
    /** Passes if the list is empty; its first few elements are the detail. */
    public static CheckResult nothing(String name, List<String> wrong) {
      String detail = String.join("; ", wrong.subList(0, Math.min(5, wrong.size())));
      return new CheckResult(name, wrong.isEmpty(), detail);
    }
  }

  /**
   * How fast changes were at ARM, apart from those that ARM made wait.
   *
   * @param tickMillis how long the same changes wait for one tick for all pools
   */
  public record Speed(
      Spread afterQuietMillis,
      Spread insideIntervalMillis,
      Spread heldByArmMillis,
      Spread tickMillis) {

    /** In words; empty if nothing was measured. */
    List<String> words(long intervalMillis) {
      List<String> words = new ArrayList<>();
      say(words, afterQuietMillis, "after a quiet interval a change was at Azure within");
      say(words, insideIntervalMillis, "inside an interval within");
      say(words, heldByArmMillis, "of those that Azure made wait within");
      String tick =
          "with one tick every %.0f s for all pools it would be".formatted(intervalMillis / 1e3);
      say(words, tickMillis, tick);
      return words;
    }

    private static void say(List<String> words, Spread spread, String what) {
      if (spread.p50() != null && spread.p99() != null) {
        words.add(
            "%s %.1f s (half of %d), %.1f s (99 of 100)"
                .formatted(what, spread.p50() / 1e3, spread.count(), spread.p99() / 1e3));
      }
    }
  }
}
