package io.poolkeeper.lab.judge;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private static final int OK = 200;
  private static final int SERVER_ERROR = 500;

  /** A call and its repetitions. */
  private static final int CALLS = 4;

  public Account {
    requests = List.copyOf(requests);
    told = List.copyOf(told);
    services = Map.copyOf(services);
  }

  /** Services whose announcements are more or fewer than the writes that ARM accepted. */
  public List<String> writes() {
    return differences("Updated", told(Told::updated), seen(ArmRequest::accepted), "writes")
        .toList();
  }

  /**
   * Services that were told of more or fewer attempts than failed at ARM, or of other errors, or of
   * more calls that were not sent than attempts were broken off.
   */
  public List<String> attempts() {
    List<String> wrong = new ArrayList<>();
    untrue(
            "Retrying",
            told(event -> (event.retrying() || event.exhausted()) && !event.unsent()),
            seen(ArmRequest::retriable),
            "failed attempts")
        .forEach(wrong::add);
    Map<String, Integer> brokenOff = brokenOff();
    told(Told::unsent)
        .forEach(
            (service, times) -> {
              int most = brokenOff.getOrDefault(service, 0);
              if (times > most) {
                wrong.add(
                    "%s: %d calls not sent, %d attempts broken off"
                        .formatted(service, times, most));
              }
            });
    requests.stream()
        .filter(request -> request.retriable() && request.status() / 100 != 2)
        .map(request -> new Answer(request.status(), request.code()))
        .distinct()
        .forEach(
            answer ->
                untrue(
                        answer.toString(),
                        told(event -> event.names(answer.status(), answer.code())),
                        seen(answer::given),
                        "such answers")
                    .forEach(wrong::add));
    return wrong;
  }

  /**
   * By the name of the Service: reads that no write of their attempt follows, and server errors
   * that no repetition follows.
   */
  private Map<String, Integer> brokenOff() {
    Map<String, Integer> counts = new TreeMap<>();
    Set<String> begun = new HashSet<>();
    for (ArmRequest request : requests) {
      if (request.pool().isPresent()) {
        String pool = request.pool().get();
        boolean before = begun.remove(pool);
        if (before && !request.writes()) {
          counts.merge(service(pool), 1, Integer::sum);
        }
        boolean more = request.status() >= SERVER_ERROR;
        if (more || (!request.writes() && request.status() == OK)) {
          begun.add(pool);
        }
      }
    }
    begun.forEach(pool -> counts.merge(service(pool), 1, Integer::sum));
    return counts;
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

  /**
   * Services that were told of other retries than these, by name. Waiting for ARM costs none, so
   * that a call that was not sent counts like any other.
   */
  public List<String> retries(Map<String, Integer> refused) {
    return differences("Retrying", told(Told::retrying), refused, "refusals made").toList();
  }

  /** Failures that were told, a line each. */
  public List<String> failures() {
    return told.stream()
        .filter(Told::failed)
        .map(event -> "%s: %s".formatted(event.service(), event.message()))
        .toList();
  }

  /**
   * Services that were told of failures though not all retries were used, and not every repetition
   * of a call met a server error.
   */
  public List<String> hasty() {
    Map<String, Integer> errors = seen(request -> request.status() >= SERVER_ERROR);
    List<String> wrong = new ArrayList<>();
    told(event -> event.failed() && !event.exhausted())
        .forEach(
            (service, times) -> {
              int found = errors.getOrDefault(service, 0);
              if (found < times * CALLS) {
                wrong.add("%s: %d failures, %d server errors".formatted(service, times, found));
              }
            });
    return wrong;
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
        .map(this::service)
        .forEach(service -> counts.merge(service, 1, Integer::sum));
    return counts;
  }

  private String service(String pool) {
    return Optional.ofNullable(services.get(pool)).orElse(pool);
  }

  /** As {@link #differences}, but repairs of what was given up may have failed untold. */
  private Stream<String> untrue(
      String event, Map<String, Integer> told, Map<String, Integer> seen, String things) {
    Map<String, Integer> more = new TreeMap<>(seen);
    told(Told::failed)
        .keySet()
        .forEach(
            name ->
                more.computeIfPresent(
                    name, (n, count) -> Math.min(count, told.getOrDefault(n, 0))));
    return differences(event, told, more, things);
  }

  private static Stream<String> differences(
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
                        things));
  }
}
