package io.poolkeeper.node;

import static io.poolkeeper.node.NodeDriver.OUT;
import static io.poolkeeper.node.NodeDriver.announced;
import static io.poolkeeper.node.NodeDriver.key;
import static io.poolkeeper.node.NodeDriver.node;
import static io.poolkeeper.node.NodeDriver.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.pool.AdminReport;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import io.poolkeeper.simulation.SeededActors;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The node watcher's actor with its ports. */
class NodeWatcherActorTest {
  private static final String MACHINE =
      "/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachines/vm";
  private static final String INTERFACE = "/x/ipconfigurations/c";

  private final SeededActors actors = new SeededActors();
  private final List<OutOfService> broadcasts = new ArrayList<>();
  private final List<Long> observed = new ArrayList<>();
  private final List<NodeEffect> ran = new ArrayList<>();
  private final List<ObjectEvent> events = new ArrayList<>();
  private final List<NodeEffect.Patch> patches = new ArrayList<>();
  private final Queue<PatchResult> results = new ArrayDeque<>();
  private final List<String> interfaces = new ArrayList<>();
  private final TestInbox<CoreActor.Command<RateLimiterEvent>> rateLimiter = TestInbox.create();
  private final ActorRef<CoreActor.Command<NodeEvent>> watcher =
      actors.spawn(
          NodeWatcherActor.create(
              new NodeWatcherActor.Deps(
                  true,
                  NodeDriver.SHIPPED,
                  patch -> {
                    patches.add(patch);
                    return CompletableFuture.completedFuture(
                        Optional.ofNullable(results.poll()).orElse(PatchResult.DONE));
                  },
                  (id, deadline) -> {
                    interfaces.add(id);
                    return CompletableFuture.completedFuture(Optional.of(MACHINE));
                  },
                  rateLimiter.getRef(),
                  events::add,
                  new NodeObserver() {
                    @Override
                    public void changed(NodesView nodes) {
                      observed.add(nodes.outOfService().version());
                    }

                    @Override
                    public void ran(NodeEffect effect) {
                      ran.add(effect);
                    }
                  },
                  broadcasts::add,
                  actors,
                  new SplittableRandom(1))));

  @AfterEach
  void shutDown() {
    actors.close();
  }

  private long ran(Class<? extends NodeEffect> effect) {
    return ran.stream().filter(effect::isInstance).count();
  }

  private void send(NodeEvent event) {
    watcher.tell(new CoreActor.Event<>(event));
  }

  /** The node is all there is, and there is one pool. */
  private void synced(NodeView node) {
    changed(node);
    send(new NodeEvent.Synced());
    send(new NodeEvent.PoolAppeared(pool("a")));
  }

  private void changed(NodeView node) {
    send(new NodeEvent.NodesChanged(Map.of(node.key(), Optional.of(node))));
  }

  private void reported(long version, Set<NodeKey> held) {
    send(
        new NodeEvent.PoolReported(
            pool("a"), new AdminReport(version, Set.of(), held, Optional.empty())));
  }

  @Test
  void aNodeThatLeaves_isBroadcastAndReportedWhenItsPoolIsDone() {
    synced(node("n4"));
    actors.passUntil(() -> broadcasts.size() == 1);

    changed(node("n4", OUT));
    actors.passUntil(() -> broadcasts.size() == 2);
    send(new NodeEvent.Listed(2, Map.of(), Set.of()));
    reported(2, Set.of());
    actors.passUntil(() -> !events.isEmpty());

    assertThat(observed).contains(1L, 2L);
    assertThat(broadcasts.getLast().leaving()).containsOnlyKeys(key("n4"));
    assertThat(events)
        .extracting(ObjectEvent::reason)
        .containsExactly("LoadBalancerAdminStateDown");
    actors.passUntil(() -> ran(NodeEffect.Propagated.class) == 1);
  }

  @Test
  void aPoolThatHoldsANode_isCounted() {
    synced(node("n4", OUT));

    reported(1, Set.of(key("n4")));

    actors.passUntil(() -> ran(NodeEffect.Held.class) == 1);
    assertThat(ran).last().isEqualTo(new NodeEffect.Held(pool("a"), Set.of(key("n4"))));
  }

  @Test
  void anEventInOtherWords_isCountedEachTime() {
    synced(node("n4"));

    for (int i = 0; i < 2; i++) {
      send(
          new NodeEvent.Preempted(
              key("n4"), "n4", "429", NodeDriver.T0, Duration.ZERO, NodeDriver.DETECTOR));
    }

    actors.passUntil(() -> ran(NodeEffect.EventIgnored.class) == 2);
    assertThat(ran(NodeEffect.EventIgnored.class)).isEqualTo(2);
  }

  @Test
  void aPing_isAnswered() {
    TestInbox<String> answers = TestInbox.create();

    watcher.tell(new CoreActor.Ping<>(() -> answers.getRef().tell("nodes")));

    actors.settle();
    answers.expectMessage("nodes");
  }

  @Test
  void anInterfaceInAPool_isReadWithLeaveOfTheRateLimiterAndKnownToThePools() {
    synced(NodeDriver.on(node("n4", OUT), "azure://" + MACHINE));
    send(new NodeEvent.InterfacesSeen(Set.of(INTERFACE)));
    actors.settle();
    CoreActor.Command<RateLimiterEvent> request = rateLimiter.receiveMessage();
    assertThat(interfaces).isEmpty();

    assertThat(request)
        .isInstanceOfSatisfying(
            RateLimiterActor.RequestRead.class,
            read -> read.replyTo().tell(new RateLimiterActor.ReadGranted(read.reader())));

    actors.passUntil(
        () ->
            broadcasts.stream()
                .anyMatch(set -> set.nodes().machines().equals(Map.of(INTERFACE, MACHINE))));
    assertThat(interfaces).containsExactly(INTERFACE);
  }

  @Test
  void aPatchThatFails_isMadeAgain() {
    results.add(PatchResult.CONFLICT);
    results.add(PatchResult.FAILED);
    synced(announced(node("n4"), SpotTest.SCHEDULED));

    actors.passUntil(() -> patches.size() == 3);
    actors.pass(Duration.ofMinutes(1));

    assertThat(patches).hasSize(3);
    assertThat(patches).allMatch(NodeEffect.Patch::taint);
  }
}
