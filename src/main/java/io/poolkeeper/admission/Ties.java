package io.poolkeeper.admission;

import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.Bound;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.Terms;
import io.poolkeeper.service.Bindings;
import io.poolkeeper.service.BoundPool;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.pcollections.HashPMap;

/** What the pools hear of their bindings, during one decision. */
final class Ties {
  private static final String WATCH_LOST = "the watch of the bindings is lost";
  private static final String NOT_SHOWN =
      "no binding shows the pool yet, so that no check is asked";

  private final BindingsCore core;
  private final Observed observed;
  private final Writes writes;
  private final Instant now;
  private HashPMap<BindingKey, Tie> ties;
  private Bindings sent;
  private HashPMap<PoolId, Long> since;
  private boolean changed;

  Ties(BindingsCore core, BindingsState state, Observed observed, Writes writes, Instant now) {
    this.core = core;
    this.observed = observed;
    this.writes = writes;
    this.now = now;
    ties = state.ties();
    sent = state.sent();
    since = state.since();
  }

  HashPMap<BindingKey, Tie> all() {
    return ties;
  }

  Bindings sent() {
    return sent;
  }

  HashPMap<PoolId, Long> since() {
    return since;
  }

  /** Nothing that is known is let go because the watch is lost; it is held. */
  void reconcile(BindingKey key) {
    BindingView view = observed.bindings().get(key);
    Tie before = ties.get(key);
    if (view == null || !observed.binds(view)) {
      changed |= before != null;
      ties = ties.minus(key);
    } else if (observed.watched() || before != null) {
      Tie next = tie(view, before == null ? Optional.empty() : before.heldSince());
      if (!next.equals(before)) {
        ties = ties.plus(key, next);
        changed = true;
      }
    }
  }

  private Tie tie(BindingView view, Optional<Instant> begun) {
    Optional<BoundPool> pool =
        observed.outcome(view) instanceof Follows follows
            ? Optional.of(bound(view, follows))
            : Optional.empty();
    Terms terms = terms(view);
    return new Tie(
        view.target().orElseThrow().service(),
        observed.pool(view.key()).orElseThrow(),
        pool,
        terms,
        terms.held().map(any -> begun.orElse(now)));
  }

  private BoundPool bound(BindingView view, Follows follows) {
    BindingTarget target = follows.target();
    boolean leaving = view.admission().deleted();
    Set<Address> added = leaving ? leaving(view) : writes.certain(view, record(view).usable());
    Bound what = new Bound(!target.exclusive(), added, leaving ? Set.of() : added);
    return new BoundPool(follows.pool(), target.family(), what, leaving);
  }

  /** What an inactive binding has added stays, and it asks for nothing. */
  private Set<Address> leaving(BindingView view) {
    Set<Address> added = new HashSet<>(view.added());
    observed
        .beside(view)
        .filter(other -> !other.admission().active() && !other.admission().deleted())
        .forEach(other -> added.removeAll(other.added()));
    return added;
  }

  private Terms terms(BindingView view) {
    BindingTarget target = view.target().orElseThrow();
    Optional<String> held =
        held(view.key(), core.checks().decide(view.admission(), now).admission());
    Optional<String> why = observed.watched() ? held : Optional.of(WATCH_LOST);
    // That the watch is lost is no check's answer: drains that were not held go on.
    boolean drains = held.isPresent() && core.checks().holdDrains();
    return view.admission().deleted()
        ? new Terms(why, drains, Optional.empty(), Optional.empty())
        : new Terms(why, drains, target.maxRetries(), target.interval());
  }

  private static Optional<String> held(BindingKey key, Admission admission) {
    return switch (admission) {
      case Admission.Held held -> Optional.of(key + ": " + held.why());
      case Admission.Rejected rejected -> Optional.of(key + ": " + rejected.why());
      case Admission.Admitted a -> Optional.empty();
      case Admission.Inactive i -> Optional.empty();
    };
  }

  /** Of pools without a binding: those of the cloud provider's must be shown first. */
  private Terms others() {
    AdmissionChecks checks = core.checks();
    boolean awaited = core.resolution().mirrored() && checks.anyDefault();
    return awaited && observed.installed()
        ? new Terms(Optional.of(NOT_SHOWN), checks.holdDrains(), Optional.empty(), Optional.empty())
        : Terms.NONE;
  }

  /**
   * What the map of Services must hear, if anything. Most statuses of pools change no tie: then
   * nothing is compared. The first time it is said even if nothing is bound, as the map may wait.
   */
  Optional<Bindings> news() {
    boolean first = observed.watched() && observed.leadsSince().isPresent() && sent.version() == 0;
    Terms others = others();
    boolean otherwise = sent.version() > 0 && !others.equals(sent.others());
    if (!changed && !first && !otherwise) {
      return Optional.empty();
    }
    Bindings next = Tie.all(sent.version() + 1, new TreeMap<>(ties).values(), others);
    Set<PoolId> different = next.poolsOtherwise(sent);
    if (!first && !otherwise && different.isEmpty()) {
      return Optional.empty();
    }
    different.forEach(pool -> since = since.plus(pool, next.version()));
    sent = next;
    return Optional.of(next);
  }

  /** Until when a write of the leader before may still arrive. */
  Optional<Instant> lateUntil() {
    return observed.leadsSince().map(begun -> begun.plus(core.lateWrites())).filter(now::isBefore);
  }

  /** A status that does not know yet what this binding asks for proves nothing. */
  AddedRecord record(BindingView view) {
    Optional<PoolStatus> shown = observed.status(view);
    Optional<PoolStatus> heard =
        shown
            .filter(status -> ties.containsKey(view.key()))
            .filter(status -> status.bindings() >= since.getOrDefault(status.id(), 0L));
    Tie tie = ties.get(view.key());
    Set<Address> asked =
        tie == null || tie.bound().isEmpty() ? view.added() : tie.bound().get().bound().added();
    Set<Address> desired = shown.map(PoolStatus::desired).orElse(Set.of());
    Set<Address> wanted =
        view.target()
            .flatMap(of -> shown.map(status -> status.services().get(of.service())))
            .orElse(Set.of());
    return new AddedRecord(
        view.added(),
        beside(view, true),
        beside(view, false),
        asked,
        desired,
        wanted,
        heard,
        lateUntil().isPresent());
  }

  /** What the other bindings of its pool have recorded. */
  private Set<Address> beside(BindingView view, boolean ending) {
    return observed
        .beside(view)
        .filter(other -> ending || !other.admission().deleted())
        .flatMap(other -> other.added().stream())
        .collect(Collectors.toSet());
  }
}
