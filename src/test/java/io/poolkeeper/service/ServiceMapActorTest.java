package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.lb;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.nodes;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.serviceGone;
import static io.poolkeeper.service.ServiceFixtures.services;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.slices;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.InMemoryArm;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.ServiceMapEvent.CacheSynced;
import io.poolkeeper.service.ServiceMapEvent.NamespacesChanged;
import io.poolkeeper.service.ServiceMapEvent.NodesChanged;
import io.poolkeeper.service.ServiceMapEvent.ServicesChanged;
import io.poolkeeper.service.ServiceMapEvent.SlicesChanged;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** From the caches to ARM and back: the map's actor with real pools and a real rate limiter. */
class ServiceMapActorTest extends ServiceMapRig {
  @Test
  void everyBatchOfACacheIsAcknowledged() {
    map = spawn(true);
    tell(new ServicesChanged(Map.of()));
    tell(new SlicesChanged(Map.of()));
    tell(new NodesChanged(Map.of()));
    tell(new NamespacesChanged(Map.of()));
    tell(new CacheSynced(CacheKind.NODES));
    expectAcks(5);
  }

  @Test
  void aPingIsAnswered() {
    map = spawn(true);

    map.tell(new CoreActor.Ping<>(() -> acks.getRef().tell(CoreActor.Ack.INSTANCE)));

    expectAcks(1);
  }

  @Test
  void aPoolThatIsRightAtTheStartIsNotTouched() {
    start();
    tell(new NodesChanged(Map.of()));
    expectAcks(1);

    actors.pass(Duration.ofSeconds(5));

    assertThat(arm.gets()).isZero();
    assertThat(statuses.get(POOL).members().desired()).containsExactly(Address.of("10.0.0.4"));
  }

  @Test
  void aChangeOfEndpointsReachesThePoolAndIsTold() {
    start();

    endpointsMoveTo("n5");

    passUntilPoolHolds("10.0.0.5");
    actors.passUntil(() -> !events.isEmpty());
    assertThat(events)
        .extracting(ObjectEvent::reason, event -> event.about().uid())
        .containsExactly(tuple("LoadBalancerBackendPoolUpdated", "uid-web"));
    assertThat(arm.gets()).isEqualTo(1);
    assertThat(arm.puts()).isEqualTo(1);
  }

  @Test
  void aPoolWhoseActorFailsBeginsAgainWithItsLevel() {
    start();
    arm.breakGet();

    endpointsMoveTo("n5");

    passUntilPoolHolds("10.0.0.5");
    assertThat(arm.gets()).isGreaterThan(1);
  }

  @Test
  void aPoolWhoseWriteFailedRepairsItself() {
    start();
    arm.refusePut(InMemoryArm.refusal(403, "AuthorizationFailed"));
    Instant before = actors.instant();

    endpointsMoveTo("n5");

    passUntilPoolHolds("10.0.0.5");
    assertThat(Duration.between(before, actors.instant())).isLessThan(Duration.ofSeconds(60));
    actors.passUntil(() -> events.size() == 2);
    assertThat(events)
        .extracting(ObjectEvent::reason)
        .containsExactly("LoadBalancerBackendPoolUpdateFailed", "LoadBalancerBackendPoolUpdated");
  }

  @Test
  void aListingThatFailsIsRepeatedAndKnown() {
    arm.refuseListing(InMemoryArm.refusal(403, "AuthorizationFailed"));

    start();

    actors.passUntil(() -> knowledge.stream().anyMatch(ServiceMapObserver.Knowledge::listed));
    assertThat(arm.listings()).isGreaterThan(1);
    assertThat(knowledge)
        .anyMatch(known -> !known.listed() && known.listingFailure().isPresent())
        .last()
        .isEqualTo(
            new ServiceMapObserver.Knowledge(
                Set.of(CacheKind.values()), Set.of(), true, true, Map.of(), Optional.empty()));
  }

  @Test
  void aReplicaThatLeadsStartsUntilAListingOfItsOwnThoughItWasReady() {
    map = spawn(true, false);
    for (CacheKind kind : CacheKind.values()) {
      tell(new ServiceMapEvent.CacheSynced(kind));
    }
    actors.passUntil(() -> knowledge.stream().anyMatch(ServiceMapObserver.Knowledge::listed));
    assertThat(knowledge).noneMatch(ServiceMapObserver.Knowledge::starts);

    actors.pass(Duration.ofSeconds(1));
    tell(new ServiceMapEvent.Lead());
    actors.pass(Duration.ofSeconds(1));

    assertThat(knowledge.stream().filter(ServiceMapObserver.Knowledge::leads))
        .extracting(ServiceMapObserver.Knowledge::listed, ServiceMapObserver.Knowledge::starts)
        .containsExactly(tuple(true, true), tuple(true, false));
  }

  @Test
  void aServiceThatMovesIsWrittenOnItsNewLoadBalancer() {
    start();
    arm.delete(POOL);
    arm.show(webPool("lb-2"));

    endpointsMoveTo("n5");

    PoolId moved = webPoolId("lb-2");
    actors.passUntil(() -> arm.addresses(moved).equals(Set.of(Address.of("10.0.0.5"))));
    actors.passUntil(() -> !statuses.containsKey(POOL));
  }

  @Test
  void aServiceDeletedWhileItsPoolIsWrittenIsToldNothing() {
    start();
    CompletableFuture<Void> end = arm.holdPuts();
    endpointsMoveTo("n5");
    actors.passUntil(() -> arm.puts() == 1);
    tell(new ServicesChanged(serviceGone("default/web")));
    expectAcks(1);
    actors.passUntil(() -> statuses.get(POOL).services().isEmpty());

    end.complete(null);

    // It may be forgotten before anybody has looked.
    actors.passUntil(
        () ->
            Optional.ofNullable(statuses.get(POOL))
                .map(status -> status.state() == PoolStatus.State.IDLE)
                .orElse(true));
    assertThat(events).isEmpty();
  }

  @Test
  void stopWithoutPoolsEndsAtOnce() {
    map = spawn(true);

    map.tell(new CoreActor.Event<>(new ServiceMapEvent.Stop()));

    assertThat(actors.hasStopped(map)).isTrue();
  }

  @Test
  void stopWaitsForTheWriteInFlightAndTellsNobody() {
    start();
    CompletableFuture<Void> end = arm.holdPuts();
    endpointsMoveTo("n5");
    actors.passUntil(() -> arm.puts() == 1);

    map.tell(new CoreActor.Event<>(new ServiceMapEvent.Stop()));
    tell(new SlicesChanged(slices(slice("s1", "default/web", "n4"))));
    expectAcks(1);
    end.complete(null);

    assertThat(actors.hasStopped(map)).isTrue();
    assertThat(arm.addresses(POOL)).containsExactly(Address.of("10.0.0.5"));
    assertThat(arm.puts()).isEqualTo(1);
    assertThat(events).isEmpty();
  }

  @Test
  void anAnswerToAListingThatIsNoArmExceptionEndsTheMap() {
    arm.refuseListing(new IllegalStateException("a defect"));

    map = spawn(true);

    assertThat(actors.hasStopped(map)).isTrue();
  }

  @Test
  void poolsOfOtherLoadBalancersAreNeverTouched() {
    arm.show(pool("foreign", "default-web", Set.of(ServiceFixtures.rule("uid-web")), "x=10.0.0.9"));
    start();

    endpointsMoveTo("n5");

    passUntilPoolHolds("10.0.0.5");
    assertThat(arm.addresses(lb("foreign").pool("default-web")))
        .containsExactly(Address.of("10.0.0.9"));
  }

  /** The pool of default/web is being written when a listing shows it nowhere any more. */
  private CompletableFuture<Void> forgetWhileWriting() {
    start();
    CompletableFuture<Void> end = arm.holdPuts();
    endpointsMoveTo("n5");
    actors.passUntil(() -> arm.puts() == 1);
    arm.delete(POOL);
    tell(new ServicesChanged(services(ServiceFixtures.digest(local("default/web"), 2))));
    expectAcks(1);
    int before = arm.listings();
    actors.passUntil(() -> arm.listings() > before);
    actors.passUntil(() -> !statuses.containsKey(POOL) || statuses.get(POOL).services().isEmpty());
    return end;
  }

  @Test
  void aPoolForgottenWhileItIsWrittenIsNotShownAfterItsEnd() {
    CompletableFuture<Void> end = forgetWhileWriting();

    end.complete(null);

    actors.passUntil(() -> !statuses.containsKey(POOL));
    assertThat(events).isEmpty();
  }

  @Test
  void stopWaitsForTheWriteOfAPoolThatIsForgottenToo() {
    CompletableFuture<Void> end = forgetWhileWriting();

    map.tell(new CoreActor.Event<>(new ServiceMapEvent.Stop()));

    tell(new SlicesChanged(Map.of()));
    expectAcks(1);
    end.complete(null);
    assertThat(actors.hasStopped(map)).isTrue();
  }

  @Test
  void anUpdaterThatIsSwitchedOffTouchesNothing() {
    arm.show(webPool("lb-1", "stale=10.0.0.9"));
    map = spawn(false);
    tell(new NodesChanged(nodes(node("n4=10.0.0.4"))));
    tell(new SlicesChanged(slices(slice("s1", "default/web", "n4"))));
    tell(new ServicesChanged(services(local("default/web"))));
    for (CacheKind kind : CacheKind.values()) {
      tell(new CacheSynced(kind));
    }
    actors.passUntil(() -> arm.listings() > 0);
    // A listing that is asked for begins only when the first has been dealt with.
    tell(new ServicesChanged(services(local("default/api"))));
    actors.passUntil(() -> arm.listings() > 1);
    assertThat(causes).startsWith(ListingCause.START, ListingCause.ASKED);

    tell(new SlicesChanged(slices(slice("s1", "default/web"))));

    expectAcks(5 + CacheKind.values().length);
    assertThat(statuses).isEmpty();
    assertThat(arm.gets()).isZero();
  }
}
