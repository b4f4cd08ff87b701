package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.RESYNC;
import static io.poolkeeper.service.ServiceFixtures.VERIFY_AFTER;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.nodes;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.services;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.slices;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.InMemoryArm;
import io.poolkeeper.pool.PoolActor;
import io.poolkeeper.pool.PoolFixtures;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.pool.PoolObserver;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.SilentObserver;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import io.poolkeeper.service.ServiceMapEvent.CacheSynced;
import io.poolkeeper.service.ServiceMapEvent.NodesChanged;
import io.poolkeeper.service.ServiceMapEvent.ServicesChanged;
import io.poolkeeper.service.ServiceMapEvent.SlicesChanged;
import io.poolkeeper.simulation.SeededActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;

/** The map's actor with real pools and a real rate limiter, on one thread, and ARM in memory. */
abstract class ServiceMapRig {
  static final PoolId POOL = webPoolId("lb-1");

  final SeededActors actors = new SeededActors();
  final InMemoryArm arm = new InMemoryArm();
  final List<ObjectEvent> events = new ArrayList<>();
  final List<ServiceMapObserver.Knowledge> knowledge = new ArrayList<>();
  final List<ListingCause> causes = new ArrayList<>();
  final Map<PoolId, PoolStatus> statuses = new HashMap<>();
  final TestInbox<CoreActor.Ack> acks = TestInbox.create();
  Runnable beforeNextSend = () -> {};
  ActorRef<CoreActor.Command<ServiceMapEvent>> map =
      TestInbox.<CoreActor.Command<ServiceMapEvent>>create().getRef();

  ActorRef<CoreActor.Command<ServiceMapEvent>> spawn(boolean enabled) {
    return spawn(enabled, true);
  }

  ActorRef<CoreActor.Command<ServiceMapEvent>> spawn(boolean enabled, boolean leads) {
    PoolObserver pools =
        new SilentObserver() {
          @Override
          public void changed(PoolStatus status) {
            statuses.put(status.id(), status);
          }

          @Override
          public void forgotten(PoolId pool) {
            statuses.remove(pool);
          }
        };
    Duration tenth = Duration.ofMillis(100);
    PoolLimits limits =
        PoolFixtures.limits(Duration.ofSeconds(1), tenth, true, tenth, Duration.ZERO, RESYNC, 3);
    PoolNames names = PoolNames.of("kubernetes", List.of("lb-1", "lb-2"));
    ServiceMapActor.Deps deps =
        new ServiceMapActor.Deps(
            new ServiceMapCore(names, enabled, false, RESYNC, VERIFY_AFTER),
            leads,
            Set.of(),
            arm,
            new Listener(),
            event -> {},
            listed -> {},
            waits -> {});
    PoolActor.Deps poolDeps =
        new PoolActor.Deps(
            arm,
            actors.spawn(
                RateLimiterActor.create(
                    RateLimiterFixtures.WIDE,
                    actors,
                    RateLimiterFixtures.UNSEEN,
                    RateLimiterFixtures::quiet)),
            events::add,
            pools,
            (pool, report) -> {},
            actors,
            SplittableRandom::new,
            limits);
    return actors.spawn(ServiceMapActor.create(deps, poolDeps));
  }

  @AfterEach
  void shutDown() {
    actors.close();
  }

  void tell(ServiceMapEvent event) {
    map.tell(new CoreActor.Acknowledged<>(event, acks.getRef()));
  }

  /** Nodes n4 and n5, the Service default/web on n4, all caches complete, its pool on lb-1. */
  void start() {
    arm.show(webPool("lb-1", "n4=10.0.0.4"));
    map = spawn(true);
    tell(new NodesChanged(nodes(node("n4=10.0.0.4"), node("n5=10.0.0.5"))));
    tell(new SlicesChanged(slices(slice("s1", "default/web", "n4"))));
    tell(new ServicesChanged(services(local("default/web"))));
    for (CacheKind kind : CacheKind.values()) {
      tell(new CacheSynced(kind));
    }
    expectAcks(3 + CacheKind.values().length);
    actors.passUntil(() -> statuses.containsKey(POOL));
  }

  void expectAcks(int count) {
    actors.settle();
    assertThat(acks.getAllReceived()).hasSize(count);
  }

  void endpointsMoveTo(String node) {
    tell(new SlicesChanged(slices(slice("s1", "default/web", node))));
    expectAcks(1);
  }

  void passUntilPoolHolds(String address) {
    actors.passUntil(() -> arm.addresses(POOL).equals(Set.of(Address.of(address))));
  }

  private final class Listener implements ServiceMapObserver {
    @Override
    public void changed(Knowledge now) {
      knowledge.add(now);
    }

    @Override
    public void ran(ServiceMapEffect effect) {
      if (effect instanceof ServiceMapEffect.RequestListing request) {
        causes.add(request.cause());
      } else if (effect instanceof ServiceMapEffect.Send) {
        beforeNextSend.run();
      }
    }
  }
}
