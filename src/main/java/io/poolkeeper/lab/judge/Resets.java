package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.lab.judge.BindingHistory.Version;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Judges how the controller asks checks again: all together, not before the latest end of the
 * delays, and with the right counts; and that it changes no answer otherwise. Those of bindings
 * that must be refused are not asked at all.
 *
 * @param answers the versions that checkers have made
 */
public record Resets(List<Bound> bindings, BindingHistory history, Set<String> answers) {
  private static final String PENDING = "Pending";
  private static final String RETRY = "Retry";

  /** How many there were. */
  public int count() {
    return (int) pairs().stream().filter(Pair::resets).count();
  }

  /** What was wrong with them. */
  public List<String> wrong() {
    List<String> wrong = new ArrayList<>();
    for (Pair pair : pairs()) {
      pair.faults()
          .forEach(
              fault ->
                  wrong.add(
                      "%s %s: %s"
                          .formatted(
                              pair.bound().name(),
                              pair.after().object().at("/metadata/resourceVersion").asText(),
                              fault)));
    }
    return wrong;
  }

  /** Two versions in a row, of which a checker has not made the second one. */
  private List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (Bound bound : bindings.stream().filter(one -> one.refused().isEmpty()).toList()) {
      List<Version> versions = history.of(bound.name());
      for (int i = 1; i < versions.size(); i++) {
        Version after = versions.get(i);
        String version = after.object().at("/metadata/resourceVersion").asText();
        if (!answers.contains(version) && !after.deleted() && !versions.get(i - 1).removed()) {
          pairs.add(new Pair(bound, versions.get(i - 1), after));
        }
      }
    }
    return pairs;
  }

  private record Pair(Bound bound, Version before, Version after) {
    boolean resets() {
      return bound.checks().stream().anyMatch(check -> was(check, RETRY) && is(check, PENDING));
    }

    private boolean was(String check, String state) {
      return AdmissionAudit.entry(before, check).path("state").asText().equals(state);
    }

    private boolean is(String check, String state) {
      return AdmissionAudit.entry(after, check).path("state").asText().equals(state);
    }

    List<String> faults() {
      List<String> faults = new ArrayList<>();
      boolean resets = resets();
      for (String check : bound.checks()) {
        JsonNode old = AdmissionAudit.entry(before, check);
        JsonNode now = AdmissionAudit.entry(after, check);
        String state = old.path("state").asText(PENDING);
        if (!resets && !now.path("state").asText(PENDING).equals(state)) {
          faults.add("%s was %s and is %s".formatted(check, state, now));
        }
        if (resets) {
          faults.addAll(reset(check, state, old, now));
        }
      }
      return faults;
    }

    private List<String> reset(String check, String state, JsonNode old, JsonNode now) {
      List<String> faults = new ArrayList<>();
      int count = old.path("retryCount").asInt();
      int expected = state.equals(RETRY) ? count + 1 : state.equals("Ready") ? 0 : count;
      if (!now.path("state").asText().equals(PENDING)) {
        faults.add(check + " was not reset with the others");
      }
      if (state.equals("Rejected")) {
        faults.add(check + " was Rejected, and the others were asked again");
      }
      if (now.path("retryCount").asInt() != expected) {
        faults.add("the count of %s is %s, not %d".formatted(check, now, expected));
      }
      if (now.hasNonNull("requeueAfterSeconds")) {
        faults.add(check + " keeps its delay");
      }
      if (state.equals(RETRY) && after.wall().isBefore(end(old))) {
        faults.add("%s was asked again before %s".formatted(check, end(old)));
      }
      return faults;
    }

    private static Instant end(JsonNode check) {
      return OffsetDateTime.parse(check.path("lastTransitionTime").asText())
          .toInstant()
          .plusSeconds(check.path("requeueAfterSeconds").asLong());
    }
  }
}
