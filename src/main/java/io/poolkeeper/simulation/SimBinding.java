package io.poolkeeper.simulation;

import io.poolkeeper.admission.AdmissionSubject;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingReport;
import io.poolkeeper.admission.BindingTarget;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.model.Address;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A BackendPoolBinding as the simulated API server holds it. Times are those of the world. */
record SimBinding(Meta meta, Spec spec, Status status) {
  record Meta(
      String name, String uid, long version, long generation, boolean finalizer, boolean deleted) {}

  record Spec(BindingTarget target, List<String> checks, boolean active) {}

  /**
   * What the controller and the checkers write.
   *
   * @param observed the generation that it was written for; 0 if it was not
   * @param report all that was reported, so that the same again is no change
   */
  record Status(
      Set<Address> added, List<Check> checks, long observed, Optional<BindingReport> report) {
    static final Status NONE = new Status(Set.of(), List.of(), 0, Optional.empty());
  }

  String name() {
    return meta.name();
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
    Meta now =
        new Meta(name(), meta.uid(), version, meta.generation(), meta.finalizer(), meta.deleted());
    return new SimBinding(now, spec, status);
  }

  SimBinding finalizer(boolean there) {
    Meta now =
        new Meta(name(), meta.uid(), meta.version(), meta.generation(), there, meta.deleted());
    return new SimBinding(now, spec, status);
  }

  SimBinding deleted() {
    Meta now =
        new Meta(name(), meta.uid(), meta.version(), meta.generation() + 1, meta.finalizer(), true);
    return new SimBinding(now, spec, status);
  }

  SimBinding active(boolean active) {
    Meta now =
        new Meta(
            name(),
            meta.uid(),
            meta.version(),
            meta.generation() + 1,
            meta.finalizer(),
            meta.deleted());
    return new SimBinding(now, new Spec(spec.target(), spec.checks(), active), status);
  }

  SimBinding with(Status now) {
    return new SimBinding(meta, spec, now);
  }

  /** With another answer of a check that is asked. */
  SimBinding answered(Check answer) {
    List<Check> next =
        status.checks().stream()
            .map(check -> check.name().equals(answer.name()) ? answer : check)
            .toList();
    return with(new Status(status.added(), next, status.observed(), status.report()));
  }

  /**
   * As a process reads it.
   *
   * @param ahead of the world's time its clock is
   */
  BindingView view(Duration ahead) {
    return new BindingView(
        new BindingKey(spec.target().service().namespace(), name()),
        meta.uid(),
        Long.toString(meta.version()),
        meta.generation(),
        meta.finalizer(),
        Optional.of(spec.target()),
        List.of(),
        status.added(),
        new AdmissionSubject(
            spec.checks(),
            shifted(status.checks(), ahead),
            spec.active(),
            meta.deleted(),
            changed()));
  }

  static List<Check> shifted(List<Check> checks, Duration by) {
    return checks.stream()
        .map(check -> check.lastTransitionTime().map(at -> check.since(at.plus(by))).orElse(check))
        .toList();
  }
}
