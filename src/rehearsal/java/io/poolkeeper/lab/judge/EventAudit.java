package io.poolkeeper.lab.judge;

import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the Events on Services with the requests at ARM: every accepted write was reported once,
 * and every event has the text of spec 1, Event Behavior.
 *
 * @param services the name of each pool's Service
 */
public record EventAudit(
    List<ArmRequest> requests, List<ReportedEvent> events, Map<PoolId, String> services) {
  public EventAudit {
    requests = List.copyOf(requests);
    events = List.copyOf(events);
    services = Map.copyOf(services);
  }

  /**
   * Services with more or fewer {@code Updated} than writes that ARM accepted. One that another
   * client cancelled may have had to be made again, and is reported once then.
   */
  public List<String> writes() {
    Map<String, Integer> updated = events(ReportedEvent::updated);
    Map<String, Integer> accepted = new TreeMap<>(seen(ArmRequest::accepted));
    seen(ArmRequest::canceled)
        .forEach(
            (service, times) ->
                accepted.computeIfPresent(
                    service,
                    (name, all) -> Math.clamp(updated.getOrDefault(name, 0), all - times, all)));
    return differences("Updated", updated, accepted, "writes");
  }

  public List<String> texts() {
    return events.stream()
        .filter(event -> !event.asSpecified())
        .map(event -> "%s: %s %s".formatted(event.service(), event.type(), event.message()))
        .toList();
  }

  /**
   * Services with other numbers of retries than these, by name. Waiting for ARM costs no retry; a
   * call that was stopped by a gate does.
   */
  public List<String> retries(Map<String, Integer> refused) {
    return differences("Retrying", events(ReportedEvent::retrying), refused, "refusals made");
  }

  public List<String> failures() {
    return events.stream()
        .filter(ReportedEvent::failed)
        .map(event -> "%s: %s".formatted(event.service(), event.message()))
        .toList();
  }

  public Map<String, Integer> byReason() {
    return counts(events.stream(), ReportedEvent::reason, ReportedEvent::count);
  }

  private Map<String, Integer> events(Predicate<ReportedEvent> which) {
    return counts(events.stream().filter(which), ReportedEvent::service, ReportedEvent::count);
  }

  private Map<String, Integer> seen(Predicate<ArmRequest> which) {
    return counts(
        requests.stream().filter(which).flatMap(request -> request.pool().stream()),
        pool -> services.getOrDefault(pool, pool.name()),
        pool -> 1);
  }

  private static <T> Map<String, Integer> counts(
      Stream<T> things, Function<T, String> name, ToIntFunction<T> count) {
    return things.collect(Collectors.groupingBy(name, TreeMap::new, Collectors.summingInt(count)));
  }

  static List<String> differences(
      String event, Map<String, Integer> events, Map<String, Integer> seen, String things) {
    TreeSet<String> names = new TreeSet<>(events.keySet());
    names.addAll(seen.keySet());
    List<String> wrong = new ArrayList<>();
    for (String name : names) {
      int said = events.getOrDefault(name, 0);
      int there = seen.getOrDefault(name, 0);
      if (said != there) {
        wrong.add("%s: %d %s, %d %s".formatted(name, said, event, there, things));
      }
    }
    return wrong;
  }
}
