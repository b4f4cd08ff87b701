package io.poolkeeper.admission;

import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All bindings as they are now, for people and metrics. The view follows from the objects and the
 * time, so a restart does not change it.
 */
public record BindingsView(BindingsState state) {
  /** The view before anything is known, or if bindings are not followed. */
  public static final BindingsView NONE =
      new BindingsView(BindingsState.initial(false, Instant.EPOCH));

  /** The common name of all checks that are not configured. */
  public static final String OTHER = "other";

  private Collection<BindingView> bindings() {
    return state.observed().bindings().values();
  }

  /** Whether bindings are followed, and what is known of them may be old or is incomplete. */
  public boolean lost() {
    return !equals(NONE) && !state.observed().watched();
  }

  /**
   * The number of answers of each check, by its name.
   *
   * @param named checks that have a name of their own; all others are {@link #OTHER}, as anybody
   *     may choose their names
   */
  public Map<String, Map<Check.State, Integer>> checks(Set<String> named) {
    Map<String, Map<Check.State, Integer>> checks = new HashMap<>();
    for (BindingView binding : bindings()) {
      for (Check check : binding.admission().reported()) {
        checks
            .computeIfAbsent(
                named.contains(check.name()) ? check.name() : OTHER,
                name -> new EnumMap<>(Check.State.class))
            .merge(check.state(), 1, Integer::sum);
      }
    }
    return checks;
  }

  /**
   * The oldest time of an open check (not Ready) of the bindings that hold a pool now; empty if
   * none does. A check that answers, or is asked again, has a new time.
   */
  public Optional<Instant> heldSince(AdmissionChecks checks, Instant now) {
    return subjects()
        .filter(subject -> holds(checks.decide(subject, now).admission()))
        .flatMap(
            subject ->
                subject.reported().stream()
                    .filter(check -> check.state() != Check.State.READY)
                    .flatMap(check -> check.lastTransitionTime().stream())
                    .map(subject::ours))
        .min(Comparator.naturalOrder());
  }

  /** The bindings that follow or leave a pool. */
  public List<BindingView> of(PoolId pool) {
    return bindings().stream()
        .filter(binding -> state.observed().ownedPool(binding).equals(Optional.of(pool)))
        .sorted(Comparator.comparing(BindingView::key))
        .toList();
  }

  /** The bindings that are being deleted and wait for our cleanup. */
  public List<String> waitForFinalizer() {
    return bindings().stream()
        .filter(BindingView::ends)
        .map(binding -> binding.key().toString())
        .sorted()
        .toList();
  }

  /** The end of the longest delay for which a pool waits; empty if there is none. */
  public Optional<Instant> delayedUntil(AdmissionChecks checks, Instant now) {
    return subjects()
        .flatMap(subject -> checks.decide(subject, now).requeueAt().map(subject::ours).stream())
        .max(Comparator.naturalOrder());
  }

  /** The checks of all bindings that may name their pool; others hold nothing. */
  private Stream<AdmissionSubject> subjects() {
    return bindings().stream()
        .filter(binding -> state.observed().ownedPool(binding).isPresent())
        .map(BindingView::admission);
  }

  private static boolean holds(Admission admission) {
    return switch (admission) {
      case Admission.Held held -> true;
      case Admission.Rejected rejected -> true;
      case Admission.Admitted admitted -> false;
      case Admission.Inactive inactive -> false;
    };
  }
}
