package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.lab.judge.BindingHistory.Version;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges what was written to bound pools by the versions of their bindings and the log of ARM.
 *
 * @param bindings in the order in which they were created
 * @param initial the entries of all pools at the start
 * @param mark how the names of the cluster's entries end
 * @param grace how long a write that had begun may arrive after a hold has begun
 * @param slack how much later than who wrote it the history knows a version
 */
public record AdmissionAudit(
    List<Bound> bindings,
    BindingHistory history,
    List<PoolWrite> writes,
    Map<PoolId, List<PoolMember>> initial,
    String mark,
    Duration grace,
    Duration slack) {
  /** The pools that are named, but for the cloud provider's. */
  Set<PoolId> pools() {
    return bindings.stream()
        .filter(bound -> !bound.refusedFor("ManagedByCloudProvider"))
        .map(Bound::pool)
        .collect(Collectors.toSet());
  }

  private List<PoolWrite> ofPools() {
    Set<PoolId> pools = pools();
    return writes.stream().filter(write -> pools.contains(write.pool())).toList();
  }

  private static String text(PoolWrite write) {
    return "%s at %d: added %s, removed %s"
        .formatted(
            write.pool().name(),
            write.number(),
            new TreeSet<>(write.added()),
            new TreeSet<>(write.removed()));
  }

  /** What is somebody else's in a pool. */
  Stream<PoolMember> foreign(PoolId pool) {
    return initial.getOrDefault(pool, List.of()).stream()
        .filter(member -> !member.name().endsWith(mark));
  }

  private List<Bound> followed() {
    return bindings.stream().filter(bound -> bound.refused().isEmpty()).toList();
  }

  /** The oldest one that was there at a time. */
  Optional<Bound> owner(PoolId pool, long nanos) {
    return followed().stream()
        .filter(bound -> bound.pool().equals(pool))
        .filter(bound -> history.at(bound.name(), nanos + slack.toNanos()).isPresent())
        .findFirst();
  }

  /** Writes of members while a check had not said that they may be. */
  public List<String> early() {
    return ofPools().stream()
        .filter(write -> write.members() && held(write))
        .map(AdmissionAudit::text)
        .toList();
  }

  private boolean held(PoolWrite write) {
    return owner(write.pool(), write.sentNanos())
        .filter(bound -> held(bound, write.sentNanos()))
        .isPresent();
  }

  /** A write that had begun before its pool was held may still arrive. */
  private boolean held(Bound bound, long nanos) {
    long known = nanos + slack.toNanos();
    return holds(bound).stream()
        .filter(hold -> hold.begin() <= known && known < hold.end())
        .anyMatch(hold -> hold.first() || hold.begin() + grace.toNanos() <= nanos);
  }

  /**
   * A time in which checks did not let members be written.
   *
   * @param first whether the binding began with it
   */
  private record Hold(long begin, long end, boolean first) {}

  private List<Hold> holds(Bound bound) {
    List<Hold> all = new ArrayList<>();
    boolean held = false;
    for (Version version : history.of(bound.name())) {
      boolean holds = holds(bound, version);
      if (held) {
        Hold last = all.removeLast();
        all.add(new Hold(last.begin(), holds ? Long.MAX_VALUE : version.nanos(), last.first()));
      } else if (holds) {
        boolean first = version.equals(history.of(bound.name()).getFirst());
        all.add(new Hold(version.nanos(), Long.MAX_VALUE, first));
      }
      held = holds;
    }
    return all;
  }

  static boolean holds(Bound bound, Version version) {
    return !version.deleted()
        && !bound.checks().stream().allMatch(check -> state(version, check).equals("Ready"));
  }

  static String state(Version version, String check) {
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

  /** Entries without the mark that were removed or added, and writes where none may be. */
  public List<String> notOurs() {
    List<String> wrong = new ArrayList<>();
    for (PoolWrite write : ofPools()) {
      if (!Stream.of(write.added(), write.removed())
          .flatMap(Set::stream)
          .allMatch(name -> name.endsWith(mark))) {
        wrong.add(text(write));
      }
      if (owner(write.pool(), write.acceptedNanos()).isEmpty()) {
        wrong.add("%s, but no binding may write there".formatted(text(write)));
      }
    }
    return wrong;
  }

  static Set<String> texts(JsonNode list) {
    Set<String> texts = new TreeSet<>();
    list.forEach(element -> texts.add(element.asText()));
    return texts;
  }

  /**
   * Entries with the mark that were in the pool of a binding when it was gone, or so long after it
   * was deleted, whatever its checks said.
   */
  public List<String> uncleaned(Duration most) {
    List<String> wrong = new ArrayList<>();
    for (Bound bound : followed()) {
      List<Version> ends = history.of(bound.name()).stream().filter(Version::deleted).toList();
      for (Version end : ends) {
        if (end.removed()) {
          left(bound, end.nanos() - slack.toNanos() - 1, wrong);
        } else if (end.equals(ends.getFirst())) {
          left(bound, end.nanos() + most.toNanos(), wrong);
        }
      }
    }
    return wrong;
  }

  private void left(Bound bound, long nanos, List<String> wrong) {
    Set<String> left = new TreeSet<>();
    initial.getOrDefault(bound.pool(), List.of()).forEach(member -> left.add(member.name()));
    for (PoolWrite write : writes) {
      if (write.pool().equals(bound.pool()) && write.acceptedNanos() <= nanos) {
        left.removeAll(write.removed());
        left.addAll(write.added());
      }
    }
    left.removeIf(name -> !name.endsWith(mark));
    boolean next = owner(bound.pool(), nanos).filter(owner -> !owner.equals(bound)).isPresent();
    if (!next && !left.isEmpty()) {
      wrong.add("%s is deleted, and %s are there".formatted(bound.name(), left));
    }
  }

  /** Whether any entry was set Down by a write that the hold of its pool did not delay. */
  public boolean drainedWhileHeld() {
    return ofPools().stream()
        .filter(write -> !write.members() && write.states().containsValue("Down"))
        .anyMatch(this::held);
  }

  /** How long the longest hold that has ended lasted, in milliseconds. */
  public long longestHoldMillis() {
    return followed().stream()
        .flatMap(bound -> holds(bound).stream())
        .filter(hold -> hold.end() < Long.MAX_VALUE)
        .mapToLong(hold -> (hold.end() - hold.begin()) / 1_000_000)
        .max()
        .orElse(0);
  }
}
