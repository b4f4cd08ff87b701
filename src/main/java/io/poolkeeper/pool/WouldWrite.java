package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.PoolEdit;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What attempts in shadow mode would have written, and the pool still needs. An addition is
 * compared by its address alone, whatever the name of its entry. Invariant: empty in write mode.
 *
 * @param edit the entries that are decided on, each once
 * @param drift whether the last edit of members was a repair that no change asked for
 */
public record WouldWrite(PoolEdit edit, boolean drift) {
  public static final WouldWrite NOTHING = new WouldWrite(PoolEdit.NONE, false);

  public boolean isEmpty() {
    return edit.isEmpty();
  }

  /**
   * An attempt would have written this edit. An attempt for admin states alone leaves the decided
   * members as they are.
   */
  WouldWrite decided(PoolEdit next, Phase.Attempt attempt) {
    return attempt.writesMembers()
        ? new WouldWrite(next, attempt.isRepair())
        : new WouldWrite(edit.with(next.adminStates()), drift);
  }

  /** The part that another edit contains, too. */
  WouldWrite intersect(PoolEdit other) {
    Set<Address> remove = new HashSet<>(edit.remove());
    remove.retainAll(other.remove());
    SortedMap<Address, String> add = new TreeMap<>(edit.add());
    add.keySet().retainAll(other.add().keySet());
    SortedMap<String, AdminState> states = new TreeMap<>(edit.adminStates());
    states.entrySet().retainAll(other.adminStates().entrySet());
    return new WouldWrite(PoolEdit.of(remove, add, edit.mark()).with(states), drift);
  }

  /** Whether all changes of another edit are decided. */
  boolean covers(PoolEdit other) {
    return edit.remove().containsAll(other.remove())
        && edit.add().keySet().containsAll(other.add().keySet())
        && edit.adminStates().entrySet().containsAll(other.adminStates().entrySet());
  }
}
