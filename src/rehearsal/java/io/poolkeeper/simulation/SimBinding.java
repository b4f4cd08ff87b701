package io.poolkeeper.simulation;

import io.poolkeeper.admission.AdmissionSubject;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingReport;
import io.poolkeeper.admission.BindingTarget;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** A BackendPoolBinding as the simulated API server holds it. Times are those of the world. */
record SimBinding(Meta meta, Spec spec, Status status) {
  /** The namespace of all objects but some bindings. */
  static final String NAMESPACE = "shop";

  /** A namespace whose bindings may name no pool; their names begin with it. */
  static final String OTHER_NAMESPACE = "other";

  record Meta(
      String name,
      String uid,
      Instant created,
      long version,
      long generation,
      boolean finalizer,
      Optional<Instant> deletedAt) {
    boolean deleted() {
      return deletedAt.isPresent();
    }

    Meta numbered(long next) {
      return new Meta(name, uid, created, next, generation, finalizer, deletedAt);
    }

    Meta finalizer(boolean there) {
      return new Meta(name, uid, created, version, generation, there, deletedAt);
    }

    /** After a change of the spec, or with a deletion. */
    Meta next(Optional<Instant> deleted) {
      return new Meta(name, uid, created, version, generation + 1, finalizer, deleted);
    }
  }

  record Spec(BindingTarget target, List<String> checks, boolean active) {}

  /**
   * What the controller and the checkers write.
   *
   * @param observed the generation that it was written for; 0 if it was not
   * @param report all that was reported, so that the same again is no change
   */
  record Status(List<Check> checks, long observed, Optional<BindingReport> report) {
    static final Status NONE = new Status(List.of(), 0, Optional.empty());

    /** With sorted sets: the order that they have by themselves differs from JVM to JVM. */
    @Override
    public String toString() {
      return "Status[checks=%s, observed=%d, report=%s]"
          .formatted(checks, observed, report.map(Status::sorted));
    }

    private static BindingReport sorted(BindingReport of) {
      return new BindingReport(
          of.ready(),
          of.admitted(),
          of.throttled(),
          of.pool(),
          of.shown().map(Status::sorted),
          of.requeueAt(),
          of.checks());
    }

    private static BindingReport.Shown sorted(BindingReport.Shown of) {
      return new BindingReport.Shown(
          new TreeSet<>(of.desired()),
          new TreeSet<>(of.inPool()),
          new TreeSet<>(of.down()),
          new TreeSet<>(of.added()),
          of.queued(),
          of.retries(),
          of.nextEligibleAt(),
          of.lastError());
    }
  }

  /** The oldest of a pool owns it, if its namespace may name that. */
  static Optional<SimBinding> owner(Collection<SimBinding> all, String pool) {
    return all.stream()
        .filter(one -> one.pool().equals(pool) && NAMESPACE.equals(key(one.name()).namespace()))
        .min(
            Comparator.comparing((SimBinding one) -> one.meta().created())
                .thenComparing(one -> one.meta().uid()));
  }

  String name() {
    return meta.name();
  }

  static BindingKey key(String name) {
    return new BindingKey(name.startsWith(OTHER_NAMESPACE) ? OTHER_NAMESPACE : NAMESPACE, name);
  }

  /** The path of the pool that it names. */
  String pool() {
    return spec.target().pool().in(SimOptions.SUBSCRIPTION, SimOptions.GROUP).path();
  }

  /** Whether its spec is newer than its status. */
  boolean changed() {
    return status.observed() != 0 && status.observed() != meta.generation();
  }

  SimBinding numbered(long version) {
    return new SimBinding(meta.numbered(version), spec, status);
  }

  SimBinding finalizer(boolean there) {
    return new SimBinding(meta.finalizer(there), spec, status);
  }

  SimBinding deleted(Instant now) {
    return new SimBinding(meta.next(Optional.of(now)), spec, status);
  }

  SimBinding active(boolean active) {
    return new SimBinding(
        meta.next(meta.deletedAt()), new Spec(spec.target(), spec.checks(), active), status);
  }

  SimBinding with(Status now) {
    return new SimBinding(meta, spec, now);
  }

  /** The check of that name, if it is asked. */
  Optional<Check> check(String name) {
    return status.checks().stream().filter(check -> check.name().equals(name)).findFirst();
  }

  /** With another answer of a check that is asked. */
  SimBinding answered(Check answer) {
    List<Check> next =
        status.checks().stream()
            .map(check -> check.name().equals(answer.name()) ? answer : check)
            .toList();
    return with(new Status(next, status.observed(), status.report()));
  }

  /**
   * As a process reads it.
   *
   * @param ahead of the world's time its clock is
   */
  BindingView view(Duration ahead) {
    return new BindingView(
        key(name()),
        meta.uid(),
        Long.toString(meta.version()),
        meta.created(),
        meta.deletedAt().map(at -> at.plus(ahead)),
        meta.finalizer(),
        status.observed() == meta.generation(),
        Optional.of(spec.target().pool()),
        Optional.of(spec.target()),
        List.of(),
        new AdmissionSubject(
            spec.checks(), status.checks(), spec.active(), meta.deleted(), changed(), ahead));
  }
}
