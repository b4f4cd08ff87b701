package io.poolkeeper.pool;

import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a pool, as it was seen last, differs from what is desired, even if its writes are held.
 *
 * @param add how many entries are missing
 * @param remove how many entries must go
 * @param down how many must become Down
 * @param up how many are Down and must not be
 * @param leaving whose nodes are among those that must become Down
 * @param known whether all that is desired is known
 * @param nodeless whether an endpoint runs on a node without a Node object or an address, so that
 *     entries of unknown nodes stay
 * @param failure of the last attempt to set admin states; empty if it did not fail
 */
public record Difference(
    int add,
    int remove,
    int down,
    int up,
    Set<NodeKey> leaving,
    boolean known,
    boolean nodeless,
    Optional<ArmFailure> failure) {
  public static final Difference NONE =
      new Difference(0, 0, 0, 0, Set.of(), true, false, Optional.empty());

  public Difference {
    leaving = Set.copyOf(leaving);
  }

  static Difference of(PoolState state) {
    DesiredMembers members = state.desired().members();
    boolean known = state.desired().unowned() || members.complete();
    if (state.observed().isEmpty()) {
      return new Difference(0, 0, 0, 0, Set.of(), known, false, Optional.empty());
    }
    PoolView seen = state.observed().get();
    PoolEdit edit = PoolPlan.of(seen, members);
    AdminPlan states = state.drain().plan(seen);
    int down =
        Math.toIntExact(states.edit().values().stream().filter(AdminState.DOWN::equals).count());
    return new Difference(
        edit.add().size(),
        edit.remove().size(),
        down,
        states.edit().size() - down,
        states.nodes().stream()
            .filter(state.drain().set().leaving()::containsKey)
            .collect(Collectors.toSet()),
        known,
        !members.keepUnknown().isEmpty(),
        state.drain().failure());
  }

  public boolean isEmpty() {
    return add + remove + down + up == 0;
  }
}
