package io.poolkeeper.node;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.NetworkInterfaces;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.OutOfService.Leaving;
import io.poolkeeper.pool.EventRecorder;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import io.poolkeeper.ratelimit.Reader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches nodes that are leaving, and sends pools which are. Policy: {@link NodeCore}. */
public final class NodeWatcherActor extends CoreActor<NodeEvent, NodeState, NodeEffect> {
  /**
   * The collaborators of the node watcher.
   *
   * @param leads whether this replica leads from the start
   * @param rateLimiter admits calls to network interfaces
   * @param broadcast sends all pools the nodes that are out of service
   * @param clock monotonic
   */
  public record Deps(
      boolean leads,
      NodeLimits limits,
      NodePatches patches,
      NetworkInterfaces interfaces,
      ActorRef<Command<RateLimiterEvent>> rateLimiter,
      EventRecorder events,
      NodeObserver observer,
      Consumer<OutOfService> broadcast,
      InstantSource clock,
      RandomGenerator random) {}

  private static final Logger log = LoggerFactory.getLogger(NodeWatcherActor.class);

  private final Deps deps;
  private final ActorRef<RateLimiterActor.ReadGranted> granted;

  public static Behavior<Command<NodeEvent>> create(Deps deps) {
    return begin(pekko -> new NodeWatcherActor(pekko, deps));
  }

  private NodeWatcherActor(PekkoContext<NodeEvent> pekko, Deps deps) {
    super(
        pekko,
        new NodeCore(deps.limits()),
        NodeState.initial(deps.leads()),
        deps.clock(),
        new NodeEvent.TimerDue(),
        deps.random());
    this.deps = deps;
    granted =
        getContext()
            .messageAdapter(
                RateLimiterActor.ReadGranted.class,
                granted -> new Event<>(new NodeEvent.ReadGranted()));
  }

  @Override
  protected void run(NodeEffect effect) {
    deps.observer().ran(effect);
    switch (effect) {
      case NodeEffect.Broadcast broadcast -> deps.broadcast().accept(broadcast.outOfService());
      case NodeEffect.Patch patch -> {
        log.info("node={} preemption=\"{}\" taint={}", patch.node(), patch.ids(), patch.taint());
        getContext()
            .pipeToSelf(
                deps.patches().patch(patch), (result, error) -> patched(patch, result, error));
      }
      case NodeEffect.EventIgnored ignored -> {
        if (ignored.log()) {
          NodeEvent.Preempted event = ignored.event();
          log.warn(
              "node={} event=ignored why={} namespace={} source=\"{}\" message=\"{}\"",
              ignored.node(),
              ignored.why().name().toLowerCase(Locale.ROOT),
              event.origin().namespace(),
              event.origin().source(),
              event.message().lines().findFirst().orElse(""));
        }
      }
      case NodeEffect.PreemptionWaits waits ->
          log.warn(
              "node={} preemption=waiting limit={}",
              waits.node(),
              waits.paused() ? "pause" : "spot.max-tainted");
      case NodeEffect.RequestRead request ->
          deps.rateLimiter().tell(new RateLimiterActor.RequestRead(Reader.INTERFACE, granted));
      case NodeEffect.ReadInterface read -> read(read.ipConfiguration());
      case NodeEffect.InterfaceUnknown unknown ->
          log.warn(
              "ip-configuration={} node=unknown error=\"{}\"",
              unknown.ipConfiguration(),
              unknown.failure().inFull());
      case NodeEffect.Emit emit -> deps.events().record(emit.event());
      case NodeEffect.Held held ->
          log.warn("pool={} admin-states=held nodes={}", held.pool(), new TreeSet<>(held.nodes()));
      case NodeEffect.Propagated onlyMeasured -> {}
    }
  }

  private void read(String id) {
    getContext()
        .pipeToSelf(
            deps.interfaces()
                .machineOf(id, Instant.MAX)
                .thenApply(machine -> new NodeEvent.InterfaceRead(id, machine)),
            (read, error) -> read(id, read, error));
  }

  private static Command<NodeEvent> read(
      String id, NodeEvent.@Nullable InterfaceRead read, @Nullable Throwable error) {
    return new Event<>(
        read != null
            ? read
            : new NodeEvent.InterfaceUnread(
                id, ArmException.failureIn(Objects.requireNonNull(error))));
  }

  private static Command<NodeEvent> patched(
      NodeEffect.Patch patch, @Nullable PatchResult result, @Nullable Throwable error) {
    if (result == null) {
      throw new IllegalStateException("a patch that failed instead of saying so", error);
    }
    return new Event<>(new NodeEvent.Patched(patch.node(), patch.uid(), result));
  }

  /** One line for each node whose reasons have changed. */
  @Override
  protected void report(NodeState before, NodeState after) {
    deps.observer().changed(new NodesView(after));
    OutOfService last = before.snapshots().last();
    OutOfService next = after.snapshots().last();
    if (last.version() == next.version()) {
      return;
    }
    TreeSet<NodeKey> nodes = new TreeSet<>(last.leaving().keySet());
    nodes.addAll(next.leaving().keySet());
    for (NodeKey node : nodes) {
      Leaving leaving = next.leaving().get(node);
      if (!Objects.equals(last.leaving().get(node), leaving)) {
        Object reasons = leaving == null ? "none" : leaving.reasons();
        log.info("node={} out-of-service={} version={}", node, reasons, next.version());
      }
    }
  }
}
