package io.poolkeeper.lab.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Sets what Services were told against what happened at ARM: every accepted write was announced
 * once, every failed attempt was told once, in the words of spec 1, Event Behavior.
 *
 * @param services the name of the Service that has a pool, by the pool's name in lower case
 */
public record Account(List<ArmRequest> requests, List<Told> told, Map<String, String> services) {
  public Account {
    requests = List.copyOf(requests);
    told = List.copyOf(told);
    services = Map.copyOf(services);
  }

  /** Services whose announcements are more or fewer than the writes that ARM accepted. */
  public List<String> writes() {
    return differences("Updated", told(Told::updated), seen(ArmRequest::accepted), "writes");
  }

  /** Services that were told of more or fewer attempts than failed at ARM, or of other errors. */
  public List<String> attempts() {
    List<String> wrong =
        new ArrayList<>(
            differences(
                "Retrying",
                told(event -> (event.retrying() || event.exhausted()) && !event.held()),
                seen(ArmRequest::retriable),
                "failed attempts"));
    requests.stream()
        .filter(request -> request.retriable() && request.status() / 100 != 2)
        .map(request -> new Answer(request.status(), request.code()))
        .distinct()
        .forEach(
            answer ->
                wrong.addAll(
                    differences(
                        answer.toString(),
                        told(event -> event.names(answer.status(), answer.code())),
                        seen(answer::given),
                        "such answers")));
    return wrong;
  }

  /** An error of ARM's. */
  private record Answer(int status, String code) {
    boolean given(ArmRequest request) {
      return request.retriable() && request.status() == status && request.code().equals(code);
    }

    @Override
    public String toString() {
      return status + " " + code;
    }
  }

  /** Events that are not put as the spec puts them. */
  public List<String> words() {
    return told.stream()
        .filter(event -> !event.wellPut())
        .map(event -> "%s: %s %s".formatted(event.service(), event.type(), event.message()))
        .toList();
  }

  /** Services that were told of other retries than these, by name: at ARM and before it. */
  public List<String> retries(Map<String, Integer> refused, Map<String, Integer> held) {
    return Stream.concat(
            differences("Retrying", told(e -> e.retrying() && !e.held()), refused, "refusals made")
                .stream(),
            differences("Retrying", told(e -> e.retrying() && e.held()), held, "calls held back")
                .stream())
        .toList();
  }

  /** How often each reason was given, in all. */
  public Map<String, Integer> byReason() {
    Map<String, Integer> byReason = new TreeMap<>();
    told.forEach(event -> byReason.merge(event.reason(), event.count(), Integer::sum));
    return byReason;
  }

  private Map<String, Integer> told(Predicate<Told> which) {
    Map<String, Integer> counts = new TreeMap<>();
    told.stream()
        .filter(which)
        .forEach(event -> counts.merge(event.service(), event.count(), Integer::sum));
    return counts;
  }

  private Map<String, Integer> seen(Predicate<ArmRequest> which) {
    Map<String, Integer> counts = new TreeMap<>();
    requests.stream()
        .filter(which)
        .flatMap(request -> request.pool().stream())
        .map(pool -> Optional.ofNullable(services.get(pool)).orElse(pool))
        .forEach(service -> counts.merge(service, 1, Integer::sum));
    return counts;
  }

  private static List<String> differences(
      String event, Map<String, Integer> told, Map<String, Integer> seen, String things) {
    TreeSet<String> names = new TreeSet<>(told.keySet());
    names.addAll(seen.keySet());
    return names.stream()
        .filter(name -> !told.getOrDefault(name, 0).equals(seen.getOrDefault(name, 0)))
        .map(
            name ->
                "%s: %d %s, %d %s"
                    .formatted(
                        name,
                        told.getOrDefault(name, 0),
                        event,
                        seen.getOrDefault(name, 0),
                        things))
        .toList();
  }
}
