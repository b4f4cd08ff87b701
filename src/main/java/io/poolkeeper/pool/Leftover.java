package io.poolkeeper.pool;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * An entry of a pool that is not as it should be (spec 4, Detection).
 *
 * @param entry its name
 * @param address empty for an entry of a network interface
 * @param node the entry's node; empty if not known
 */
public record Leftover(Kind kind, String entry, Optional<Address> address, Optional<NodeKey> node)
    implements Comparable<Leftover> {
  private static final Comparator<Leftover> ORDER =
      Comparator.comparing(Leftover::kind).thenComparing(Leftover::entry);

  public enum Kind {
    /** No Service that owns the pool wants its address. */
    ADDRESS,
    /** It is Down, and its node is in service. */
    DOWN,
    /** It is not Down, and its node is out of service. */
    NOT_DOWN
  }

  /** All leftovers of a pool. What is held, or wanted by an unknown level, is none. */
  static Set<Leftover> allIn(PoolView view, Desired desired, Drain drain) {
    PoolEdit edit =
        desired.whyHeld().isPresent() ? PoolEdit.NONE : PoolPlan.of(view, desired.members());
    var states = drain.plan(view).edit();
    Set<Leftover> leftovers = new TreeSet<>();
    for (PoolEntry entry : view.entries()) {
      if (edit.removes(entry.name(), entry.address())) {
        leftovers.add(of(Kind.ADDRESS, entry, drain));
      } else if (states.containsKey(entry.name())) {
        boolean leaves = states.get(entry.name()) == AdminState.DOWN;
        leftovers.add(of(leaves ? Kind.NOT_DOWN : Kind.DOWN, entry, drain));
      }
    }
    return leftovers;
  }

  private static Leftover of(Kind kind, PoolEntry entry, Drain drain) {
    return new Leftover(kind, entry.name(), entry.address(), drain.set().nodes().of(entry));
  }

  @Override
  public int compareTo(Leftover other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return address.map(ip -> entry + " (" + ip.text() + ")").orElse(entry);
  }
}
