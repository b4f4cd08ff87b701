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
    PoolState seen = noteIfClear(state.seen(view, attempt().startedAt(), now), view);
    boolean otherWriter = view.updating() && !attempt().grant().evenIfUpdating();
    boolean members = attempt().writesMembers();
    boolean held = members ? seen.held() : seen.desired().drainsPaused();
    if (otherWriter || held || !now.isBefore(attempt().grant().deadline())) {
      // A read for admin states alone shows the members, too, and maybe no other attempt follows.
      Decision<PoolState, PoolEffect> shown =
          members ? Decision.of(seen) : Observation.ofMembers(limits, seen, view, now);
      AttemptEnd end = new AttemptEnd(limits, shown.state(), reading, now, random);
      return shown.then(
          end.dueAgain(
              otherWriter ? PermitResult.OTHER_WRITER : PermitResult.UNCHANGED,
              otherWriter || held ? limits.recheck(now) : now));
    }
    Set<ServiceKey> owners = seen.desired().owners(view.rules());
    Decision<PoolState, PoolEffect> owned =
        owners.size() == seen.desired().services().size()
            ? Decision.of(seen)
            : Decision.of(seen, new PoolEffect.Report(PoolReport.LISTING_WANTED));
    return owned.then(write(seen, read, owners));
  }

  private Phase.Attempt attempt() {
    return reading.attempt();
  }

  /**
   * Notes that a GET under a permit shows no entry of a deleted binding's mark: no write of this
   * process can be under way at that load balancer.
   */
  private PoolState noteIfClear(PoolState seen, PoolView view) {
    return seen.desired().leaving().isEmpty() || view.updating() || seen.holdsMark(view)
        ? seen
        : seen.with(seen.history().withClear(attempt().startedAt()));
  }

  /** Writes what differs, as far as it may be written now and ARM can take it. */
  private Decision<PoolState, PoolEffect> write(
      PoolState seen, PoolEvent.ReadDone read, Set<ServiceKey> owners) {
    PoolView view = read.view();
    PoolEdit wanted =
        attempt().writesMembers()
            ? PoolPlan.of(view, seen.desired().members(owners))
            : PoolEdit.NONE;
    Optional<Instant> braked =
        seen.leftovers().brake(limits, seen, view, now).filter(now::isBefore);
    PoolEdit allowed = allowed(seen.desired(), view, owners, wanted, braked.isPresent());
    PoolEdit members = PoolPlan.feasible(view, allowed);
    PoolEdit edit = members.with(seen.drain().plan(view.with(members)).edit());
    if (edit.isEmpty()) {
      boolean refused = attempt().writesMembers() && PoolPlan.obstacle(view, allowed).isPresent();
      return unwritten(seen, wanted, braked, refused, owners);
    }
    Phase.Writing writing = reading.write(edit, owners);
    if (limits.shadow()) {
      return new AttemptEnd(limits, seen, writing, now, random).shadowed(edit);
    }
    return Decision.of(
        seen.with(seen.drain().begun()).with(writing),
        new PoolEffect.Write(read.document(), edit, attempt().grant().deadline()));
  }

  /** The attempt ends without a write. */
  private Decision<PoolState, PoolEffect> unwritten(
      PoolState seen,
      PoolEdit wanted,
      Optional<Instant> braked,
      boolean refused,
      Set<ServiceKey> owners) {
    if (refused && braked.isEmpty()) {
      return new AttemptEnd(limits, seen, reading, now, random).endUnreported();
    }
    Phase.Writing nothing = reading.write(PoolEdit.NONE, owners);
    AttemptEnd end = new AttemptEnd(limits, seen, nothing, now, random);
    if (wanted.isEmpty()) {
      return end.asDesired();
    }
    return braked
        .map(until -> end.dueAgain(PermitResult.UNCHANGED, until))
        .orElseGet(() -> end.end(PermitResult.UNCHANGED));
  }

  /**
   * While a watch is lost, only a change that came over live watches is written, and no repair.
   * What the brake holds is left out, too.
   */
  private PoolEdit allowed(
      Desired desired, PoolView view, Set<ServiceKey> owners, PoolEdit wanted, boolean braked) {
    if (!attempt().writesMembers()) {
      return wanted;
    }
    if (!desired.watchLost()) {
      return braked ? PoolPlan.of(view, desired.members(owners).additions()) : wanted;
    }
    return attempt().isRepair()
        ? PoolEdit.NONE
        : PoolPlan.of(view, desired.writable(desired.members(owners)));
  }
}
