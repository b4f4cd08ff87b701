package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.lab.judge.BindingHistory.Version;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Judges what was written to bound pools by the versions of their bindings and the log of ARM.
 *
 * @param initial the entries of all pools at the start
 * @param grace how long a write that had begun may arrive after a hold has begun
 * @param slack how much later than who wrote it the history knows a version
 */
public record AdmissionAudit(
    List<Bound> bindings,
    BindingHistory history,
    List<PoolWrite> writes,
    Map<PoolId, List<PoolMember>> initial,
    Duration grace,
    Duration slack) {
  /** A write of a bound pool, with what it changed. */
  private record Step(PoolWrite write, Set<String> added, Set<String> removed) {
    @Override
    public String toString() {
      return "%s at %d: added %s, removed %s"
          .formatted(write.pool().name(), write.number(), added, removed);
    }
  }

  private List<Step> steps() {
    Map<PoolId, Set<String>> pools = new HashMap<>();
    List<Step> steps = new ArrayList<>();
    for (PoolWrite write : writes) {
      if (bindings.stream().anyMatch(bound -> bound.pool().equals(write.pool()))) {
        Set<String> before = pools.getOrDefault(write.pool(), foreign(write.pool()));
        pools.put(write.pool(), write.addresses());
        steps.add(
            new Step(
                write, without(write.addresses(), before), without(before, write.addresses())));
      }
    }
    return steps;
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> left = new TreeSet<>(all);
    left.removeAll(some);
    return left;
  }

  /** The addresses of a pool at the start. */
  Set<String> foreign(PoolId pool) {
    return initial.getOrDefault(pool, List.of()).stream()
        .flatMap(member -> member.ip().stream())
        .collect(Collectors.toSet());
  }

  private List<Bound> of(PoolId pool) {
    return bindings.stream().filter(bound -> bound.pool().equals(pool)).toList();
  }

  /** Writes of members while a check had not said that they may be. */
  public List<String> early() {
    return steps().stream()
        .filter(step -> !step.added().isEmpty() || !step.removed().isEmpty())
        .filter(step -> !cleansUp(step))
        .flatMap(
            step ->
                of(step.write().pool()).stream()
                    .filter(bound -> held(bound, step.write().sentNanos()))
                    .map(bound -> "%s, held by %s".formatted(step, bound.name())))
        .toList();
  }

  /** Whether it only takes out what a binding that is being deleted has added. */
  private boolean cleansUp(Step step) {
    Set<String> leaving = new HashSet<>();
    for (Bound bound : of(step.write().pool())) {
      version(bound, step.write().acceptedNanos())
          .filter(Version::deleted)
          .ifPresent(version -> leaving.addAll(added(version.object())));
    }
    return step.added().isEmpty() && leaving.containsAll(step.removed());
  }

  private Optional<Version> version(Bound bound, long nanos) {
    return history.at(bound.name(), nanos + slack.toNanos());
  }

  /** Whether a hold had begun long enough ago and had not ended. */
  private boolean held(Bound bound, long nanos) {
    long since = Long.MAX_VALUE;
    boolean held = false;
    boolean first = true;
    for (Version version : history.of(bound.name())) {
      if (version.nanos() > nanos + slack.toNanos()) {
        break;
      }
      boolean holds = holds(bound, version);
      if (holds && !held) {
        since = first ? version.nanos() : version.nanos() + grace.toNanos();
      }
      held = holds;
      first = false;
    }
    return held && since <= nanos;
  }

  static boolean holds(Bound bound, Version version) {
    return !version.deleted()
        && !bound.checks().stream().allMatch(check -> state(version, check).equals("Ready"));
  }

  private static String state(Version version, String check) {
    return entry(version, check).path("state").asText();
  }

  static JsonNode entry(Version version, String check) {
    for (JsonNode entry : version.object().at("/status/admissionChecks")) {
      if (entry.path("name").asText().equals(check)) {
        return entry;
      }
    }
    return MissingNode.getInstance();
  }

  /** Addresses that were there before, and writes where none may be. */
  public List<String> notOurs() {
    List<String> wrong = new ArrayList<>();
    for (Step step : steps()) {
      PoolId pool = step.write().pool();
      List<Bound> live =
          of(pool).stream()
              .filter(
                  bound -> bound.refused().filter(r -> r.reason().equals("NotAllowed")).isEmpty())
              .filter(
                  bound ->
                      version(bound, step.write().acceptedNanos())
                          .filter(version -> !version.deleted())
                          .isPresent())
              .toList();
      boolean exclusive = live.stream().anyMatch(Bound::exclusive);
      Set<String> kept = new TreeSet<>(step.removed());
      kept.retainAll(foreign(pool));
      if (!kept.isEmpty() && !exclusive) {
        wrong.add("%s, but %s were there before".formatted(step, kept));
      }
      boolean nobody = of(pool).stream().allMatch(bound -> bound.refused().isPresent());
      if (nobody || (exclusive && live.size() > 1)) {
        wrong.add("%s, but no binding may write there".formatted(step));
      }
    }
    return wrong;
  }

  /** Addresses that ARM accepted before they were recorded. */
  public List<String> unrecorded() {
    List<String> wrong = new ArrayList<>();
    for (Step step : steps()) {
      Set<String> recorded = new HashSet<>();
      for (Bound bound : of(step.write().pool())) {
        version(bound, step.write().acceptedNanos())
            .ifPresent(version -> recorded.addAll(added(version.object())));
      }
      Set<String> missing = without(step.added(), recorded);
      if (!missing.isEmpty()) {
        wrong.add("%s, but %s were not recorded".formatted(step, missing));
      }
    }
    return wrong;
  }

  static Set<String> added(JsonNode object) {
    return texts(object.at("/status/addresses/added"));
  }

  static Set<String> texts(JsonNode list) {
    Set<String> texts = new TreeSet<>();
    list.forEach(element -> texts.add(element.asText()));
    return texts;
  }

  /**
   * What bindings had added and no other one had, and what was in the pool when they were gone, or
   * so long after they were deleted, whatever their checks said.
   */
  public List<String> uncleaned(Duration most) {
    List<String> wrong = new ArrayList<>();
    for (Bound bound : bindings) {
      List<Version> versions = history.of(bound.name());
      versions.stream()
          .filter(Version::deleted)
          .limit(1)
          .forEach(version -> left(bound, version, version.nanos() + most.toNanos(), wrong));
      versions.stream()
          .filter(Version::removed)
          .forEach(version -> left(bound, version, version.nanos(), wrong));
    }
    return wrong;
  }

  private void left(Bound bound, Version version, long nanos, List<String> wrong) {
    Set<String> left = new TreeSet<>(content(bound.pool(), nanos));
    left.retainAll(added(version.object()));
    left.removeAll(foreign(bound.pool()));
    of(bound.pool()).stream()
        .filter(other -> !other.equals(bound))
        .flatMap(other -> version(other, nanos).stream())
        .forEach(other -> left.removeAll(added(other.object())));
    if (!left.isEmpty()) {
      wrong.add(
          "%s is %s, and %s are there"
              .formatted(bound.name(), version.removed() ? "gone" : "deleted", left));
    }
  }

  private Set<String> content(PoolId pool, long nanos) {
    return writes.stream()
        .filter(write -> write.pool().equals(pool) && write.acceptedNanos() <= nanos)
        .reduce((before, after) -> after)
        .map(PoolWrite::addresses)
        .orElseGet(() -> foreign(pool));
  }

  /** Whether an entry was set Down by a write that the binding's hold did not delay. */
  public boolean drainedWhileHeld(Bound bound, String address, long since) {
    return writes.stream()
        .filter(write -> write.pool().equals(bound.pool()))
        .filter(write -> write.sentNanos() >= since && !write.members())
        .filter(write -> "Down".equals(write.states().get(address)))
        .anyMatch(write -> held(bound, write.sentNanos()));
  }

  /** How long each hold lasted, in milliseconds. */
  public List<Long> holds() {
    List<Long> all = new ArrayList<>();
    for (Bound bound : bindings) {
      Optional<Version> begin = Optional.empty();
      for (Version version : history.of(bound.name())) {
        boolean holds = holds(bound, version);
        if (!holds && begin.isPresent()) {
          all.add((version.nanos() - begin.get().nanos()) / 1_000_000);
        }
        begin = holds ? begin.or(() -> Optional.of(version)) : Optional.empty();
      }
    }
    return all;
  }
}
