package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.lab.judge.BindingHistory.Version;
import io.poolkeeper.lab.judge.Bound.Refusal;
import io.poolkeeper.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares bound pools with what their bindings ask for, and the status of each binding with its
 * pool, once nothing changes any more.
 *
 * @param pools the entries of all pools now
 * @param members the addresses that a Service asks for
 */
public record BindingTruth(
    AdmissionAudit audit,
    Map<PoolId, List<PoolMember>> pools,
    Function<Bound, Set<String>> members) {
  /** All that is wrong, a line each. */
  public List<String> differences() {
    List<String> wrong = new ArrayList<>();
    audit.bindings().stream().map(Bound::pool).distinct().forEach(pool -> compare(pool, wrong));
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
    return audit.history().at(bound.name(), Long.MAX_VALUE);
  }

  private List<Bound> live() {
    return audit.bindings().stream()
        .filter(bound -> latest(bound).filter(version -> !version.deleted()).isPresent())
        .toList();
  }

  private List<Bound> following(PoolId pool) {
    return live().stream()
        .filter(bound -> bound.refused().isEmpty() && bound.pool().equals(pool))
        .toList();
  }

  private Set<String> asked(PoolId pool) {
    Set<String> asked = new TreeSet<>();
    following(pool).forEach(bound -> asked.addAll(members.apply(bound)));
    return asked;
  }

  private Set<String> held(PoolId pool) {
    return pools.getOrDefault(pool, List.of()).stream()
        .flatMap(member -> member.ip().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void compare(PoolId pool, List<String> wrong) {
    Set<String> expected = asked(pool);
    if (following(pool).stream().noneMatch(Bound::exclusive)) {
      expected.addAll(audit.foreign(pool));
    }
    if (!held(pool).equals(expected)) {
      wrong.add("%s holds %s, expected %s".formatted(pool.name(), held(pool), expected));
    }
    Set<String> recorded = new TreeSet<>();
    following(pool)
        .forEach(
            bound -> recorded.addAll(AdmissionAudit.added(latest(bound).orElseThrow().object())));
    Set<String> ours = held(pool);
    ours.removeAll(audit.foreign(pool));
    if (!recorded.containsAll(ours) || !held(pool).containsAll(recorded)) {
      wrong.add("%s: added %s, recorded %s".formatted(pool.name(), ours, recorded));
    }
  }

  /** As long as it was there; one that it contradicts says the same of it. */
  private List<String> notRefused(Bound bound, Refusal refusal) {
    List<String> faults = new ArrayList<>();
    audit.history().of(bound.name()).stream()
        .filter(version -> !version.deleted())
        .reduce((before, after) -> after)
        .filter(version -> !says(version, refusal))
        .ifPresent(version -> faults.add("expected %s, is %s".formatted(refusal, ready(version))));
    Refusal back = new Refusal(refusal.reason(), bound.name());
    audit.bindings().stream()
        .filter(other -> other.name().equals(refusal.message()))
        .filter(
            other ->
                audit.history().of(other.name()).stream().noneMatch(version -> says(version, back)))
        .forEach(other -> faults.add("nothing is said of it at " + other.name()));
    return faults;
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
    Set<String> asked = AdmissionAudit.texts(status.at("/addresses/desired"));
    Set<String> down =
        pools.getOrDefault(bound.pool(), List.of()).stream()
            .filter(member -> member.adminState().equals(Optional.of("Down")))
            .flatMap(member -> member.ip().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    for (String type : List.of("Ready", "Admitted")) {
      JsonNode condition = condition(object, type);
      expect(type, condition.path("status").asText(), "True", faults);
      expect(
          "observedGeneration of " + type,
          condition.path("observedGeneration").asLong(),
          generation,
          faults);
    }
    expect("observedGeneration", status.path("observedGeneration").asLong(), generation, faults);
    expect("queued", status.path("queued").asInt(), 0, faults);
    expect("retries", status.at("/retry/count").asInt(), 0, faults);
    expect("requeueAt", status.path("requeueAt").asText("").replace("null", ""), "", faults);
    expect(
        "inPool", AdmissionAudit.texts(status.at("/addresses/inPool")), held(bound.pool()), faults);
    expect("down", AdmissionAudit.texts(status.at("/addresses/down")), down, faults);
    if (!asked.containsAll(members.apply(bound)) || !asked(bound.pool()).containsAll(asked)) {
      faults.add("desired is %s, asked for %s".formatted(asked, members.apply(bound)));
    }
    if (AdmissionAudit.holds(bound, live.get())) {
      faults.add("its checks are " + status.path("admissionChecks"));
    }
    return faults;
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
