package io.poolkeeper.lab.judge;

import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds a history of bindings and of writes of their pool; times in milliseconds. */
final class Bindings {
  static final PoolId POOL = new LoadBalancerId("s", "rg", "lb").pool("p");

  static final String MARK = ".pk-1";

  /** Somebody else's. */
  static final PoolMember FOREIGN = new PoolMember("vm", Optional.of("9"));

  private static final long MILLI = 1_000_000;

  private final List<PoolWrite> writes = new ArrayList<>();
  private long now;
  final BindingHistory history =
      new BindingHistory(() -> now * MILLI, () -> Instant.ofEpochMilli(now));

  static Bound bound(String name, String... checks) {
    return new Bound("n", name, name, POOL, List.of(checks), Optional.empty());
  }

  static Bound refused(String name, String reason, String message) {
    Bound.Refusal refused = new Bound.Refusal(reason, message);
    return new Bound("n", name, name, POOL, List.of("never"), Optional.of(refused));
  }

  /** A version of a binding, with the rest of its metadata and its status as JSON. */
  Bindings version(long at, String name, String metadata, String status) {
    return add(at, name, metadata, status, false);
  }

  Bindings removed(long at, String name, String status) {
    return add(at, name, "", status, true);
  }

  private Bindings add(long at, String name, String metadata, String status, boolean removed) {
    now = at;
    history.changed(
        "/apis/poolkeeper.io/v1alpha1/namespaces/n/backendpoolbindings/" + name,
        """
        {"metadata": {"name": "%s", "generation": 1, "resourceVersion": "%d"%s}, "status": %s}
        """
            .formatted(name, at, metadata, status),
        removed);
    return this;
  }

  /** A write that ARM accepted at once. */
  Bindings added(long at, String... names) {
    return write(at, Set.of(names), Set.of(), Map.of());
  }

  Bindings taken(long at, String... names) {
    return write(at, Set.of(), Set.of(names), Map.of());
  }

  Bindings down(long at, String address) {
    return write(at, Set.of(), Set.of(), Map.of(address, "Down"));
  }

  private Bindings write(
      long at, Set<String> added, Set<String> removed, Map<String, String> states) {
    long nanos = at * MILLI;
    writes.add(
        new PoolWrite(
            at, "", POOL, nanos, nanos, Set.of(), states.isEmpty(), added, removed, states));
    return this;
  }

  AdmissionAudit audit(Bound... bindings) {
    return new AdmissionAudit(
        List.of(bindings),
        history,
        writes,
        Map.of(POOL, List.of(FOREIGN)),
        MARK,
        Duration.ofMillis(100),
        Duration.ZERO);
  }

  static String checks(String... entries) {
    return "{\"admissionChecks\": [%s]}".formatted(String.join(", ", entries));
  }

  static String check(String name, String state) {
    return "{\"name\": \"%s\", \"state\": \"%s\"}".formatted(name, state);
  }
}
