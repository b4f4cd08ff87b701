package io.poolkeeper.node;

import static java.util.stream.Collectors.joining;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectEvent.Type;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.OutOfService.Reason;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.Verdict;
import java.util.List;
import java.util.Set;

/** The reasons and texts of the events about a node, in one place (spec 2, Observability). */
final class NodeEventTexts {
  static final String DOWN = "LoadBalancerAdminStateDown";
  static final String NONE = "LoadBalancerAdminStateNone";
  static final String HELD = "LoadBalancerAdminStateHeld";
  static final String CONTESTED = "NodeAddressContested";
  static final String FAILED = "LoadBalancerAdminStateUpdateFailed";

  /** The maximum of resource groups that are named. */
  private static final int MOST_GROUPS = 3;

  private NodeEventTexts() {}

  static ObjectEvent down(NodeKey node, String uid, Set<Reason> reasons, Set<String> unread) {
    String why = reasons.stream().sorted().map(Reason::words).collect(joining(", "));
    String text =
        "Load balancer admin state is Down in %s: no new connections (%s)"
            .formatted(pools(unread), why);
    return event(node, uid, Type.NORMAL, DOWN, text);
  }

  /** All pools, but for those of resource groups that cannot be read. */
  private static String pools(Set<String> unread) {
    String named = unread.stream().sorted().limit(MOST_GROUPS).collect(joining(", "));
    String more = unread.size() > MOST_GROUPS ? " and others" : "";
    String groups = unread.size() == 1 ? "resource group " : "resource groups ";
    return unread.isEmpty()
        ? "all backend pools"
        : "all backend pools but those of " + groups + named + more + ", which cannot be read";
  }

  /** The event names one pool; {@code /api/v1/nodes} names all. */
  static ObjectEvent held(NodeKey node, String uid, List<PoolId> pools) {
    String text =
        "Load balancer admin state is not set to Down in %d backend pools, such as %s: too few entries would be left in service (admin-state.min-active)"
            .formatted(pools.size(), pools.getFirst());
    return event(node, uid, Type.WARNING, HELD, text);
  }

  static ObjectEvent none(NodeKey node, String uid, Set<String> unread) {
    String text = "Load balancer admin state is None again in " + pools(unread);
    return event(node, uid, Type.NORMAL, NONE, text);
  }

  static ObjectEvent failed(
      NodeKey node, String uid, boolean down, PoolId pool, ArmFailure failure) {
    String state = down ? "Down" : "None";
    String kind = failure.verdict() == Verdict.RETRIABLE ? "" : " (non-retriable)";
    String text =
        "Load balancer admin state not set to %s in backend pool %s%s: %s Poolkeeper tries again."
            .formatted(state, pool, kind, failure.explained());
    return event(node, uid, Type.WARNING, FAILED, text);
  }

  static ObjectEvent contested(NodeKey node, String uid, Placements.Contest contest, String claim) {
    String text =
        "The Nodes %1$s and %2$s are both Ready and claim %3$s. Its pool entries count as those of %1$s"
            .formatted(contest.owner(), contest.rival(), claim);
    return event(node, uid, Type.WARNING, CONTESTED, text);
  }

  private static ObjectEvent event(
      NodeKey node, String uid, Type type, String reason, String message) {
    return new ObjectEvent(ObjectReference.of(node, uid), type, reason, message);
  }
}
