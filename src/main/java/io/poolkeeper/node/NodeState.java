package io.poolkeeper.node;

import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * The state of the node watcher. Its maps share what does not change.
 *
 * @param leaving the nodes that are out of service now
 * @param leads whether this replica leads; on standby nodes are mirrored, and nothing else
 * @param paused whether patches wait for the end of a pause
 * @param contests of nodes for the same address or machine, as far as they were reported
 * @param stopped whether the process ends: nothing is decided any more
 */
public record NodeState(
    HashPMap<NodeKey, NodeView> nodes,
    TreePMap<NodeKey, Leaving> leaving,
    boolean leads,
    boolean paused,
    boolean stopped,
    Snapshots snapshots,
    Set<Placements.Contest> contests,
    Interfaces interfaces,
    Preemptions preemptions,
    SignalProgress progress) {
  public static NodeState initial(boolean leads) {
    return new NodeState(
        HashTreePMap.empty(),
        TreePMap.empty(),
        leads,
        false,
        false,
        new Snapshots(OutOfService.UNKNOWN, false, false, SnapshotCoalescing.NONE),
        Set.of(),
        Interfaces.NONE,
        Preemptions.NONE,
        SignalProgress.NONE);
  }

  /**
   * The snapshots for pools.
   *
   * @param last the last broadcast
   * @param live whether the cache of nodes is complete and its watch is not lost now
   * @param moved whether a node's placement has changed since the last broadcast
   */
  record Snapshots(OutOfService last, boolean live, boolean moved, SnapshotCoalescing coalescing) {
    /** Whether no snapshot was broadcast yet. */
    boolean noneSent() {
      return last.version() == 0;
    }

    Snapshots withLive(boolean nowLive) {
      return new Snapshots(last, nowLive, moved, coalescing);
    }

    /** Nodes went out of service, or came back. */
    Snapshots changed(Duration window, Instant now) {
      return new Snapshots(
          last, live, moved, counts() ? coalescing.changed(window, now) : coalescing);
    }

    /** Entries belong to other nodes than before. */
    Snapshots moved(Instant now) {
      return new Snapshots(last, live, true, counts() ? coalescing.moved(now) : coalescing);
    }

    /** Whether a change counts. Before the first list is complete, only its completion does. */
    private boolean counts() {
      return live || !noneSent();
    }

    /** The snapshot that was due was sent, or had nothing new. */
    Snapshots passed(OutOfService next, Duration window, Instant now) {
      boolean sent = next.version() > last.version();
      return new Snapshots(next, live, false, coalescing.passed(sent, window, now));
    }
  }

  Optional<Instant> wakeAt() {
    Stream<Instant> patches = paused ? Stream.empty() : preemptions.wakeAt();
    return stopped
        ? Optional.empty()
        : Stream.of(snapshots.coalescing().due().stream(), interfaces.wakeAt().stream(), patches)
            .flatMap(times -> times)
            .min(Instant::compareTo);
  }
}
