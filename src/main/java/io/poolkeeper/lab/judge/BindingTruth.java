package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.lab.judge.BindingHistory.Version;
import io.poolkeeper.lab.judge.Bound.Refusal;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares bound pools with what their bindings ask for, and the status of each binding with its
 * pool, once nothing changes any more.
 *
 * @param pools the entries of all pools now
 * @param members the nodes that a Service asks for, by address
 */
public record BindingTruth(
    AdmissionAudit audit,
    Map<PoolId, List<PoolMember>> pools,
    Function<Bound, Map<String, String>> members) {
  /** After everything. */
  private static final Duration SOON = Duration.ofSeconds(40);

  private static final long END = Long.MAX_VALUE / 2;

  /** All that is wrong, a line each. */
  public List<String> differences() {
    List<String> wrong = new ArrayList<>();
    audit.pools().forEach(pool -> compare(pool, wrong));
    for (Bound bound : audit.bindings()) {
      List<String> faults =
          bound.refused().map(refusal -> notRefused(bound, refusal)).orElseGet(() -> inSync(bound));
      faults.forEach(fault -> wrong.add(bound.name() + ": " + fault));
    }
    audit.bindings().stream()
        .filter(bound -> latest(bound).filter(Version::deleted).isPresent())
        .forEach(bound -> wrong.add(bound.name() + " is deleted, and still there"));
    return wrong;
  }

  private Optional<Version> latest(Bound bound) {
    return audit.history().at(bound.name(), END);
  }

  private List<PoolMember> held(PoolId pool) {
    return pools.getOrDefault(pool, List.of());
  }

  private static Set<String> addresses(Stream<PoolMember> entries) {
    return entries
        .flatMap(member -> member.ip().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, String> byName(Stream<PoolMember> entries) {
    Map<String, String> byName = new TreeMap<>();
    entries.forEach(member -> byName.put(member.name(), member.ip().orElse("")));
    return byName;
  }

  /** Whose address is there already is not added. */
  private void compare(PoolId pool, List<String> wrong) {
    Map<String, String> expected = byName(audit.foreign(pool));
    audit
        .owner(pool, END)
        .map(members)
        .orElse(Map.of())
        .forEach(
            (address, node) -> {
              if (!expected.containsValue(address)) {
                expected.put(node + audit.mark(), address);
              }
            });
    Map<String, String> held = byName(held(pool).stream());
    if (!held.equals(expected)) {
      wrong.add("%s holds %s, expected %s".formatted(pool.name(), held, expected));
    }
  }

  /** As long as it was there. */
  private List<String> notRefused(Bound bound, Refusal refusal) {
    List<String> faults = new ArrayList<>();
    List<Version> versions = audit.history().of(bound.name());
    // A status that is refused as the object has changed is tried again half a minute later.
    boolean brief = !versions.isEmpty() && Duration.ofNanos(last(versions)).compareTo(SOON) < 0;
    versions.stream()
        .filter(version -> !version.deleted())
        .reduce((before, after) -> after)
        .filter(version -> !says(version, refusal))
        .filter(version -> !brief || !ready(version).isMissingNode())
        .ifPresent(version -> faults.add("expected %s, is %s".formatted(refusal, ready(version))));
    bound.checks().stream()
        .filter(check -> versions.stream().anyMatch(is -> asks(is, check)))
        .forEach(check -> faults.add(check + " is asked"));
    return faults;
  }

  /** For how many nanoseconds it was there. */
  private static long last(List<Version> versions) {
    return versions.stream()
            .filter(Version::deleted)
            .mapToLong(Version::nanos)
            .findFirst()
            .orElse(END)
        - versions.getFirst().nanos();
  }

  private static boolean asks(Version version, String check) {
    return AdmissionAudit.state(version, check).equals("Pending");
  }

  private static boolean says(Version version, Refusal refusal) {
    JsonNode ready = ready(version);
    return ready.path("status").asText().equals("False")
        && ready.path("reason").asText().equals(refusal.reason())
        && ready.path("message").asText().contains(refusal.message());
  }

  private static JsonNode ready(Version version) {
    return condition(version.object(), "Ready");
  }

  private List<String> inSync(Bound bound) {
    Optional<Version> live = latest(bound).filter(version -> !version.deleted());
    if (live.isEmpty()) {
      return List.of();
    }
    JsonNode object = live.get().object();
    List<String> faults = new ArrayList<>();
    long generation = object.at("/metadata/generation").asLong();
    JsonNode status = object.path("status");
    String said = "%s of generation %d";
    for (String type : List.of("Ready", "Admitted")) {
      JsonNode condition = condition(object, type);
      long observed = condition.path("observedGeneration").asLong();
      String found = said.formatted(condition.path("status").asText(), observed);
      expect(type, found, said.formatted("True", generation), faults);
    }
    expect("observedGeneration", status.path("observedGeneration").asLong(), generation, faults);
    expect("queued", status.path("queued").asInt(), 0, faults);
    expect("retries", status.at("/retry/count").asInt(), 0, faults);
    expect("requeueAt", status.path("requeueAt").asText("").replace("null", ""), "", faults);
    Map<String, Set<String>> addresses =
        Map.of(
            "desired", members.apply(bound).keySet(),
            "inPool", addresses(held(bound.pool()).stream()),
            "added", addresses(held(bound.pool()).stream().filter(this::marked)),
            "down", addresses(held(bound.pool()).stream().filter(BindingTruth::down)));
    addresses.forEach(
        (what, of) ->
            expect(what, AdmissionAudit.texts(status.path("addresses").path(what)), of, faults));
    if (AdmissionAudit.holds(bound, live.get())) {
      faults.add("its checks are " + status.path("admissionChecks"));
    }
    return faults;
  }

  private boolean marked(PoolMember member) {
    return member.name().endsWith(audit.mark());
  }

  private static boolean down(PoolMember member) {
    return member.adminState().equals(Optional.of("Down"));
  }

  private static void expect(String what, Object found, Object expected, List<String> faults) {
    if (!found.equals(expected)) {
      faults.add("%s is %s, expected %s".formatted(what, found, expected));
    }
  }

  private static JsonNode condition(JsonNode object, String type) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return object.path("none");
  }
}
