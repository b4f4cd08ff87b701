package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What listings have shown to one process and it must show: Services whose rules are at a load
 * balancer that the settings do not name, and at no other; and groups that it may not read.
 */
final class ListingLedger {
  /** A listing lasts for a minute at most; then 10 s are left to show what it says. */
  private static final Duration LATE = Duration.ofSeconds(70);

  private final SimWorld sim;
  private final SimCluster store;

  /** The rules of each load balancer, by its name, as it was listed last. */
  private final Map<String, Set<String>> rules = new TreeMap<>();

  /** The rules that are at no load balancer that the settings name, and since when. */
  private final Map<String, Instant> elsewhere = new TreeMap<>();

  /** The paths of listings that are refused, and since when. */
  private final Map<String, Instant> refused = new TreeMap<>();

  ListingLedger(SimProcess process) {
    sim = process.sim;
    store = process.watches.store;
  }

  /** A listing, or a page of one, is answered. */
  void arrived(Exchange exchange, Optional<JsonNode> page) {
    if (exchange.status() == 403) {
      refused.putIfAbsent(exchange.call.rawPath(), sim.time.now());
    } else {
      refused.remove(exchange.call.rawPath());
    }
    if (exchange.status() == 200) {
      page.ifPresent(this::shows);
    }
  }

  private void shows(JsonNode page) {
    for (JsonNode balancer : page.path("value")) {
      Set<String> names = new TreeSet<>();
      balancer
          .at("/properties/loadBalancingRules")
          .forEach(rule -> names.add(rule.path("name").asText()));
      rules.put(balancer.path("name").asText(), names);
    }
    String unnamed = SimArm.name(sim.options.size().loadBalancers());
    Set<String> only = new TreeSet<>(rules.getOrDefault(unnamed, Set.of()));
    rules.forEach(
        (name, all) -> {
          if (!name.equals(unnamed)) {
            only.removeAll(all);
          }
        });
    elsewhere.keySet().retainAll(only);
    only.forEach(rule -> elsewhere.putIfAbsent(rule, sim.time.now()));
  }

  /** What the process has known for so long that it must show it. */
  Set<String> evident() {
    Set<String> all = new TreeSet<>();
    refused.forEach(
        (path, since) -> {
          if (late(since)) {
            sim.mark(RunMark.GROUP_UNREAD);
            all.add(path + " cannot be read");
          }
        });
    for (SimCluster.Service service : store.services.values()) {
      boolean lacks =
          service.local() && service.families().stream().map(service::rule).anyMatch(this::late);
      if (lacks) {
        sim.mark(RunMark.SERVICE_WITHOUT_POOL);
        all.add(service.name() + " has no pool");
      }
    }
    return all;
  }

  private boolean late(String rule) {
    Instant since = elsewhere.get(rule);
    return since != null && late(since);
  }

  private boolean late(Instant since) {
    return since.plus(LATE).isBefore(sim.time.now());
  }
}
