package io.poolkeeper.admission;

import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.BoundPool;
import java.time.Instant;
import java.util.Optional;

/** Decides the levels of bound pools, from what is known during one decision. */
record BoundPools(BindingsCore core, Observed observed, Instant now) {
  private static final String WATCH_LOST = "the watch of the bindings is lost";

  /** A pool's level. While the watch is lost, no level begins or ends. */
  Optional<BoundPool> level(PoolId pool, Optional<BoundPool> before) {
    Optional<BindingView> owner = observed.owner(pool);
    if (owner.isEmpty() || !observed.acts() || (!observed.watched() && before.isEmpty())) {
      return Optional.empty();
    }
    Mark mark = observed.mark().known().orElseThrow();
    BindingView view = owner.get();
    boolean follows = view.finalizer() && view.admission().active();
    boolean cleansUp =
        !observed.listed().missing().contains(pool) && !observed.cleanups().waits(view.key());
    BoundPool level =
        switch (observed.outcome(view)) {
          case Refused refused -> null;
          case Follows followed -> follows ? bound(followed, mark, held(view)) : null;
          case Leaves leaves ->
              cleansUp ? BoundPool.leaving(pool, mark, view.key().namespace(), from(before)) : null;
        };
    return Optional.ofNullable(level);
  }

  private static BoundPool bound(Follows follows, Mark mark, Optional<String> held) {
    BindingTarget target = follows.target();
    return BoundPool.of(follows.pool(), mark, target.service(), target.family(), held);
  }

  /** From when on a read shows every write of the leader before, and of this binding. */
  private Instant from(Optional<BoundPool> before) {
    Instant late = observed.leadsSince().orElseThrow().plus(core.lateWrites());
    return before.flatMap(BoundPool::leaving).orElse(late.isAfter(now) ? late : now);
  }

  private Optional<String> held(BindingView view) {
    if (!observed.watched()) {
      return core.checks().asked(view.admission()) ? Optional.of(WATCH_LOST) : Optional.empty();
    }
    Optional<String> why =
        switch (core.checks().decide(view.admission(), now).admission()) {
          case Admission.Held held -> Optional.of(held.why());
          case Admission.Rejected rejected -> Optional.of(rejected.why());
          case Admission.Admitted admitted -> Optional.empty();
          case Admission.Inactive inactive -> Optional.empty();
        };
    return why.map(text -> view.key() + ": " + text);
  }
}
