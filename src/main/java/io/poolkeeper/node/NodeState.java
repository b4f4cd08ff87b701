package io.poolkeeper.node;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * The state of the node watcher. Its maps share what does not change.
 *
 * @param leaving the nodes that are out of service now
 * @param live whether the cache of nodes is complete and its watch is not lost
 * @param moved whether a node's placement has changed since the last broadcast
 * @param last the last broadcast
 * @param spots the nodes that a preemption was announced for
 * @param leads whether this replica does; on standby nodes are mirrored, and nothing else
 * @param held events that came on standby or while the cache was not live; at most {@link
 *     Preemptions#MOST_HELD}
 * @param ignored the UIDs of the nodes of which an ignored event was logged; none but of nodes that
 *     exist
 * @param transitions what becomes of signals in the pools
 * @param paused whether patches wait for the end of a pause
 * @param stopped whether the process ends: nothing is decided any more
 */
public record NodeState(
    HashPMap<NodeKey, NodeView> nodes,
    TreePMap<NodeKey, Leaving> leaving,
    boolean leads,
    boolean live,
    boolean moved,
    Pacing pacing,
    OutOfService last,
    Interfaces interfaces,
    HashPMap<NodeKey, SpotNode> spots,
    TreePVector<Preemptions.Held> held,
    HashPMap<NodeKey, String> ignored,
    PoolsSeen seen,
    TreePMap<NodeKey, Transition> transitions,
    boolean paused,
    boolean stopped) {
  public static NodeState initial(boolean leads) {
    return new NodeState(
        HashTreePMap.empty(),
        TreePMap.empty(),
        leads,
        false,
        false,
        Pacing.NONE,
        OutOfService.UNKNOWN,
        Interfaces.NONE,
        HashTreePMap.empty(),
        TreePVector.empty(),
        HashTreePMap.empty(),
        PoolsSeen.NONE,
        TreePMap.empty(),
        false,
        false);
  }

  Optional<Instant> wakeAt() {
    Stream<Instant> patches =
        spots.values().stream().filter(any -> !paused).flatMap(spot -> spot.wakeAt().stream());
    return stopped
        ? Optional.empty()
        : Stream.concat(Stream.concat(pacing.due().stream(), interfaces.wakeAt().stream()), patches)
            .min(Instant::compareTo);
  }
}
