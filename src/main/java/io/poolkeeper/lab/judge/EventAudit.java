package io.poolkeeper.lab.judge;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the Events on Services with the requests at ARM: every accepted write and every failed
 * attempt was reported once, with the text of spec 1, Event Behavior.
 *
 * @param services the name of a pool's Service by the pool's name in lower case
 */
public record EventAudit(
    List<ArmRequest> requests, List<ReportedEvent> events, Map<String, String> services) {
  private static final int OK = 200;
  private static final int SERVER_ERROR = 500;

  /** A call and its in-call retries. */
  private static final int CALLS = 4;

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

  /**
   * Services with more or fewer reported failures than attempts that failed at ARM, or with other
   * errors, or with more unsent calls than attempts that were broken off.
   */
  public List<String> attempts() {
    return attempts(false);
  }

  /**
   * The same.
   *
   * @param drains whether some may have been those of drains, which are reported on nodes
   */
  public List<String> attempts(boolean drains) {
    List<String> wrong =
        new ArrayList<>(
            untrue(
                "Retrying",
                events(event -> (event.retrying() || event.exhausted()) && !event.unsent()),
                seen(ArmRequest::retriable),
                "failed attempts",
                drains));
    Map<String, Integer> brokenOff = brokenOff();
    events(ReportedEvent::unsent)
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
        .map(
            answer ->
                untrue(
                    answer.toString(),
                    events(event -> event.names(answer.status(), answer.code())),
                    seen(answer::given),
                    "such answers",
                    drains))
        .forEach(wrong::addAll);
    return wrong;
  }

  /**
   * Per Service: reads without a following write of their attempt, and server errors without a
   * following in-call retry.
   */
  private Map<String, Integer> brokenOff() {
    List<String> ends = new ArrayList<>();
    Set<String> begun = new HashSet<>();
    for (ArmRequest request : requests) {
      if (request.pool().isPresent()) {
        String pool = request.pool().get();
        boolean before = begun.remove(pool);
        if (before && !request.writes()) {
          ends.add(service(pool));
        }
        boolean more = request.status() >= SERVER_ERROR;
        if (more || (!request.writes() && request.status() == OK)) {
          begun.add(pool);
        }
      }
    }
    begun.forEach(pool -> ends.add(service(pool)));
    return counts(ends.stream(), service -> service, service -> 1);
  }

  /** An error answer of ARM. */
  private record Answer(int status, String code) {
    boolean given(ArmRequest request) {
      return request.retriable() && request.status() == status && request.code().equals(code);
    }

    @Override
    public String toString() {
      return status + " " + code;
    }
  }

  /** Events that differ from the spec's text. */
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

  /** The reported failures, a line each. */
  public List<String> failures() {
    return events.stream()
        .filter(ReportedEvent::failed)
        .map(event -> "%s: %s".formatted(event.service(), event.message()))
        .toList();
  }

  /**
   * Services with a failure that was reported before all retries were used or every in-call retry
   * met a server error.
   */
  public List<String> premature() {
    Map<String, Integer> errors = seen(request -> request.status() >= SERVER_ERROR);
    List<String> wrong = new ArrayList<>();
    events(event -> event.failed() && !event.exhausted())
        .forEach(
            (service, times) -> {
              int found = errors.getOrDefault(service, 0);
              if (found < times * CALLS) {
                wrong.add("%s: %d failures, %d server errors".formatted(service, times, found));
              }
            });
    return wrong;
  }

  /** The number of events per reason. */
  public Map<String, Integer> byReason() {
    return counts(events.stream(), ReportedEvent::reason, ReportedEvent::count);
  }

  private Map<String, Integer> events(Predicate<ReportedEvent> which) {
    return counts(events.stream().filter(which), ReportedEvent::service, ReportedEvent::count);
  }

  private Map<String, Integer> seen(Predicate<ArmRequest> which) {
    return counts(
        requests.stream().filter(which).flatMap(request -> request.pool().stream()),
        this::service,
        pool -> 1);
  }

  private static <T> Map<String, Integer> counts(
      Stream<T> things, Function<T, String> name, ToIntFunction<T> count) {
    return things.collect(Collectors.groupingBy(name, TreeMap::new, Collectors.summingInt(count)));
  }

  private String service(String pool) {
    return Optional.ofNullable(services.get(pool)).orElse(pool);
  }

  /**
   * As {@link #differences}, but after a reported failure, failed repairs may be silent.
   *
   * @param all whether any attempt may be
   */
  private List<String> untrue(
      String event,
      Map<String, Integer> events,
      Map<String, Integer> seen,
      String things,
      boolean all) {
    Map<String, Integer> more = new TreeMap<>(seen);
    (all ? seen : events(ReportedEvent::failed))
        .keySet()
        .forEach(
            name ->
                more.computeIfPresent(
                    name, (n, count) -> Math.min(count, events.getOrDefault(n, 0))));
    return differences(event, events, more, things);
  }

  private static List<String> differences(
      String event, Map<String, Integer> events, Map<String, Integer> seen, String things) {
    TreeSet<String> names = new TreeSet<>(events.keySet());
    names.addAll(seen.keySet());
    return names.stream()
        .filter(name -> !events.getOrDefault(name, 0).equals(seen.getOrDefault(name, 0)))
        .map(
            name ->
                "%s: %d %s, %d %s"
                    .formatted(
                        name,
                        events.getOrDefault(name, 0),
                        event,
                        seen.getOrDefault(name, 0),
                        things))
        .toList();
  }
}
