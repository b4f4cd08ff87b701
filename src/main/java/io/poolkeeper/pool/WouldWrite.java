package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.PoolEdit;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What attempts in shadow mode would have written, as far as the pool still differs by it from what
 * is desired. Invariant: empty in write mode.
 *
 * @param edit the entries that are decided on, each once
 * @param drift whether the newest of the members was put right without a change
 */
public record WouldWrite(PoolEdit edit, boolean drift) {
  /** As in write mode. */
  public static final WouldWrite NOTHING = new WouldWrite(PoolEdit.NONE, false);

  public boolean isEmpty() {
    return edit.isEmpty();
  }

  /**
   * An attempt would have written that; one for admin states alone leaves the members as decided.
   */
  WouldWrite decided(PoolEdit next, Phase.Attempt attempt) {
    return attempt.members()
        ? new WouldWrite(next, attempt.repair())
        : new WouldWrite(edit.with(next.adminStates()), drift);
  }

  /** As far as it is part of another edit. */
  WouldWrite in(PoolEdit other) {
    Set<Address> remove = new HashSet<>(edit.remove());
    remove.retainAll(other.remove());
    SortedMap<Address, String> add = new TreeMap<>(edit.add());
    add.keySet().retainAll(other.add().keySet());
    SortedMap<String, AdminState> states = new TreeMap<>(edit.adminStates());
    states.entrySet().retainAll(other.adminStates().entrySet());
    return new WouldWrite(PoolEdit.of(remove, add, edit.mark()).with(states), drift);
  }

  /** Whether all of another edit is decided. */
  boolean covers(PoolEdit other) {
    return edit.remove().containsAll(other.remove())
        && edit.add().keySet().containsAll(other.add().keySet())
        && edit.adminStates().entrySet().containsAll(other.adminStates().entrySet());
  }

  static String text(PoolEdit edit) {
    return "add=%s remove=%s admin-states=%s"
        .formatted(edit.add().keySet(), edit.remove(), edit.adminStates());
  }
}
