package io.poolkeeper.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The rules about the metrics of one process: each exchange with ARM is counted once, and each
 * outcome of a pool as often as an event says it.
 */
final class CountRules {
  private static final Pattern CALLS =
      Pattern.compile(
          "poolkeeper_arm_request_duration_seconds_count\\{call=\"(\\w+)\",status=\"\\d+\"} (\\d+)");
  private static final Pattern UPDATES =
      Pattern.compile("poolkeeper_pool_updates_total\\{result=\"(\\w+)\"} (\\d+)");

  private final Map<String, Long> sent = new TreeMap<>();
  private final Map<String, Long> reported = new TreeMap<>();
  private final List<Exchange> underWay = new ArrayList<>();

  void sent(Exchange exchange) {
    sent.merge(exchange.kind(), 1L, Long::sum);
    underWay.add(exchange);
    underWay.removeIf(one -> one.answered() || !one.awaited());
  }

  /** An event of a Service has that reason. */
  void reported(String reason) {
    switch (reason) {
      case "LoadBalancerBackendPoolUpdated" -> reported.merge("updated", 1L, Long::sum);
      case "LoadBalancerBackendPoolUpdateFailed" -> reported.merge("failed", 1L, Long::sum);
      default -> {}
    }
  }

  /**
   * What is wrong with the metrics while nothing is left to do.
   *
   * @param silent whether pools may be updated for no Service: what a deleted binding has left
   */
  Optional<String> wrong(String scrape, boolean silent) {
    Map<String, Long> uncounted = uncounted(CALLS, scrape, sent);
    underWay.removeIf(one -> one.answered() || !one.awaited());
    long all = uncounted.values().stream().mapToLong(Long::longValue).sum();
    if (all > underWay.size() || uncounted.values().stream().anyMatch(count -> count < 0)) {
      return Optional.of("of what was sent, %s, the metrics miss %s".formatted(sent, uncounted));
    }
    Map<String, Long> wrong = uncounted(UPDATES, scrape, reported);
    wrong.values().removeIf(count -> count == 0);
    if (silent) {
      wrong.computeIfPresent("updated", (result, count) -> count < 0 ? null : count);
    }
    return Optional.of("of what events said, %s, the metrics miss %s".formatted(reported, wrong))
        .filter(any -> !wrong.isEmpty());
  }

  private static Map<String, Long> uncounted(
      Pattern counter, String scrape, Map<String, Long> known) {
    Map<String, Long> left = new TreeMap<>(known);
    counter
        .matcher(scrape)
        .results()
        .forEach(found -> left.merge(found.group(1), -Long.parseLong(found.group(2)), Long::sum));
    return left;
  }
}
