package io.poolkeeper.pool;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.TurnResult;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What follows from the GET of an attempt: the PUT, or its end. A pool is left alone, with a reason
 * that is reported once, as far as ARM would refuse the PUT; it is read again whenever something
 * changes.
 *
 * @param state while the GET was in flight
 */
record AttemptRead(
    PoolLimits limits,
    PoolState state,
    Phase.Reading reading,
    Instant now,
    RandomGenerator random) {
  private static final String NO_NETWORK =
      "neither the pool, nor an entry, nor azure.vnet-id names a virtual network for an address:"
          + " set azure.vnet-id";
  private static final String NO_ADDRESS = "an entry has no ipAddress";

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
              others ? TurnResult.OTHER_WRITER : TurnResult.UNCHANGED,
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
   * Notes that a GET under a turn shows no entry of a deleted binding's mark: no write of this
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
    Optional<String> why = whyAlone(view, permitted, members);
    PoolEdit edit = members.with(seen.state().drain().plan(view.with(members)).edit());
    if (edit.isEmpty() && why.isPresent() && braked.isEmpty()) {
      return leaveAlone(seen, why.get());
    }
    Decision<PoolState, PoolEffect> known =
        reading.attempt().members() ? leftAlone(seen, why) : seen;
    Phase.Writing writing = reading.write(edit, owners);
    AttemptEnd end = new AttemptEnd(limits, known.state(), writing, now, random);
    if (edit.isEmpty()) {
      return known.then(
          whole.isEmpty()
              ? end.asDesired()
              : braked
                  .map(until -> end.again(TurnResult.UNCHANGED, until))
                  .orElseGet(end::withheld));
    }
    if (limits.shadow()) {
      return known.then(end.shadowed(edit));
    }
    PoolState begun =
        known
            .state()
            .with(known.state().history().wrote(now))
            .with(known.state().drain().begun())
            .with(writing);
    return known.then(
        Decision.of(
            begun,
            new PoolEffect.Write(read.document(), edit, reading.attempt().grant().deadline())));
  }

  /** Why members are not changed, or not all that should be. */
  private Optional<String> whyAlone(PoolView view, PoolEdit permitted, PoolEdit members) {
    if (reading.attempt().members() && !view.ipBased()) {
      return Optional.of(NO_ADDRESS);
    }
    return members.equals(permitted) ? Optional.empty() : Optional.of(NO_NETWORK);
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

  private Decision<PoolState, PoolEffect> leaveAlone(
      Decision<PoolState, PoolEffect> seen, String why) {
    Decision<PoolState, PoolEffect> known = leftAlone(seen, Optional.of(why));
    return known.then(new AttemptEnd(limits, known.state(), reading, now, random).quiet());
  }

  private static Decision<PoolState, PoolEffect> leftAlone(
      Decision<PoolState, PoolEffect> seen, Optional<String> why) {
    Optional<String> before = seen.state().history().leftAlone();
    Decision<PoolState, PoolEffect> known =
        seen.map(state -> state.with(state.history().leftAlone(why)));
    return why.isPresent() && !why.equals(before)
        ? known.and(new PoolEffect.LeaveAlone(why.get()))
        : known;
  }
}
