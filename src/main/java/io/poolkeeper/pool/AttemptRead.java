package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What follows from the GET of an attempt: a PUT, or the end of the attempt. The PUT leaves out
 * what ARM would refuse.
 *
 * @param state while the GET was in flight
 */
record AttemptRead(
    PoolLimits limits,
    PoolState state,
    Phase.Reading reading,
    Instant now,
    RandomGenerator random) {
  Decision<PoolState, PoolEffect> done(PoolEvent.ReadDone read) {
    PoolView view = read.view();
    PoolState seen = clear(state.seen(view, reading.attempt().startedAt(), now), view);
    boolean others = view.updating() && !reading.attempt().grant().evenIfUpdating();
    boolean held = reading.attempt().members() ? seen.held() : seen.desired().drainsPaused();
    boolean late = !now.isBefore(reading.attempt().grant().deadline());
    if (others || held || late) {
      // A read for admin states alone shows the members, too, and maybe no other attempt follows.
      Decision<PoolState, PoolEffect> members =
          reading.attempt().members()
              ? Decision.of(seen)
              : Observation.ofMembers(limits, seen, view, now);
      AttemptEnd end = new AttemptEnd(limits, members.state(), reading, now, random);
      return members.then(
          end.again(
              others ? PermitResult.OTHER_WRITER : PermitResult.UNCHANGED,
              others || held ? limits.recheck(now) : now));
    }
    Set<ServiceKey> owners = seen.desired().owners(view.rules());
    Decision<PoolState, PoolEffect> ownership =
        owners.size() == seen.desired().services().size()
            ? Decision.of(seen)
            : Decision.of(seen, new PoolEffect.Report(PoolReport.LISTING_WANTED));
    return planned(ownership, read, owners);
  }

  /**
   * Notes that a GET under a permit shows no entry of a deleted binding's mark: no write of this
   * process can be under way at that load balancer.
   */
  private PoolState clear(PoolState seen, PoolView view) {
    return seen.desired().leaving().isEmpty() || view.updating() || seen.marked(view)
        ? seen
        : seen.with(seen.history().clear(reading.attempt().startedAt()));
  }

  private Decision<PoolState, PoolEffect> planned(
      Decision<PoolState, PoolEffect> seen, PoolEvent.ReadDone read, Set<ServiceKey> owners) {
    PoolView view = read.view();
    PoolEdit whole =
        reading.attempt().members()
            ? PoolPlan.of(view, seen.state().desired().members(owners))
            : PoolEdit.NONE;
    Optional<Instant> braked =
        seen.state().leftovers().brake(limits, seen.state(), view, now).filter(now::isBefore);
    PoolEdit permitted = permitted(seen.state().desired(), view, owners, whole, braked.isPresent());
    PoolEdit members = PoolPlan.feasible(view, permitted);
    PoolEdit edit = members.with(seen.state().drain().plan(view.with(members)).edit());
    boolean alone = reading.attempt().members() && PoolPlan.obstacle(view, permitted).isPresent();
    if (edit.isEmpty() && alone && braked.isEmpty()) {
      return seen.then(new AttemptEnd(limits, seen.state(), reading, now, random).quiet());
    }
    Phase.Writing writing = reading.write(edit, owners);
    AttemptEnd end = new AttemptEnd(limits, seen.state(), writing, now, random);
    if (edit.isEmpty()) {
      return seen.then(
          whole.isEmpty()
              ? end.asDesired()
              : braked
                  .map(until -> end.again(PermitResult.UNCHANGED, until))
                  .orElseGet(() -> end.end(PermitResult.UNCHANGED)));
    }
    if (limits.shadow()) {
      return seen.then(end.shadowed(edit));
    }
    PoolState begun = seen.state().with(seen.state().drain().begun()).with(writing);
    return seen.then(
        Decision.of(
            begun,
            new PoolEffect.Write(read.document(), edit, reading.attempt().grant().deadline())));
  }

  /**
   * While a watch is lost, only a change that came over live watches is written, and no repair.
   * What the brake holds is left out, too.
   */
  private PoolEdit permitted(
      Desired desired, PoolView view, Set<ServiceKey> owners, PoolEdit whole, boolean braked) {
    if (!reading.attempt().members() || !desired.lost()) {
      return braked && reading.attempt().members()
          ? PoolPlan.of(view, desired.members(owners).additions())
          : whole;
    }
    return reading.attempt().repair()
        ? PoolEdit.NONE
        : PoolPlan.of(view, desired.permitted(desired.members(owners)));
  }
}
