package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/**
 * The rule that the first sentence never says that all is well while it is not, judged from the
 * JSON of {@code /api/v1/status} of a process that leads.
 */
record HeadlineRules(SimWorld sim, Ledger ledger) {
  void check(JsonNode status) {
    JsonNode headline = status.path("headline");
    Set<String> shown = ledger.listings.evident();
    if (!status.path("leads").asBoolean() || !headline.path("tone").asText().equals("ok")) {
      return;
    }
    String says = headline.path("text").asText();
    sim.check(ledger.knowsAll(), "says %s before it knows everything".formatted(says));
    List<String> evident = ledger.waits.evident();
    sim.check(evident.isEmpty(), "says %s: %s".formatted(says, evident));
    sim.check(shown.isEmpty(), "says %s: %s".formatted(says, shown));
    sim.mark(RunMark.ALL_WELL);
  }
}
