package io.poolkeeper.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One binding on an API server: each write makes a new version, and a write for another version
 * than the newest is a conflict.
 */
final class FakeBinding {
  static final Instant START = Instant.parse("2024-02-06T10:00:00Z");

  private final List<String> listed = new ArrayList<>();
  private List<Check> checks = List.of();
  private boolean active = true;
  private boolean deleted;
  private int generation = 1;
  private int observedGeneration = 1;
  private int version = 1;

  /** An object as read: what follows from it may be written only while it is the newest. */
  record Version(int number, int generation, AdmissionSubject subject) {}

  FakeBinding(String... listed) {
    this.listed.addAll(List.of(listed));
  }

  FakeBinding copy() {
    FakeBinding copy = new FakeBinding(listed.toArray(String[]::new));
    copy.checks = checks;
    copy.active = active;
    copy.deleted = deleted;
    copy.generation = generation;
    copy.observedGeneration = observedGeneration;
    copy.version = version;
    return copy;
  }

  Version read() {
    boolean changed = generation != observedGeneration;
    return new Version(
        version,
        generation,
        new AdmissionSubject(listed, checks, active, deleted, changed, Duration.ZERO));
  }

  /** The controller's write of its status; false: a conflict. */
  boolean update(Version read, AdmissionDecision.Update update) {
    if (read.number() != version) {
      return false;
    }
    version++;
    checks = update.checks();
    observedGeneration = read.generation();
    return true;
  }

  /** A checker patches its own entry, which it may create. */
  void answer(String name, Check.State state, Integer seconds, Instant time) {
    Check old =
        checks.stream()
            .filter(check -> check.name().equals(name))
            .findFirst()
            .orElse(Check.pending(name, time));
    List<Check> next = new ArrayList<>(checks);
    next.remove(old);
    next.add(
        new Check(
            name, state, Optional.of(time), "", Optional.ofNullable(seconds), old.retryCount()));
    checks = List.copyOf(next);
    version++;
  }

  void list(UnaryOperator<List<String>> change) {
    List<String> next = change.apply(List.copyOf(listed));
    listed.clear();
    listed.addAll(next);
    generation++;
    version++;
  }

  void activate(boolean value) {
    active = value;
    generation++;
    version++;
  }

  void delete() {
    deleted = true;
    version++;
  }

  List<Check> checks() {
    return checks;
  }

  Check check(String name) {
    return checks.stream().filter(check -> check.name().equals(name)).findFirst().orElseThrow();
  }
}
