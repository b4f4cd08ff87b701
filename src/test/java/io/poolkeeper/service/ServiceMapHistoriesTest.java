package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.listing;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.rule;
import static io.poolkeeper.service.ServiceFixtures.sent;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Manage;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.Ownership;
import io.poolkeeper.pool.PoolEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Long random histories: whatever the order of news, listings and crashes, every pool was told
 * exactly what an onlooker derives from the newest objects and the last listing; no Service is
 * assigned to a pool before it is released from another; and nobody is told anything too early.
 */
class ServiceMapHistoriesTest {
  private static final List<String> SERVICES = List.of("a/b-c", "a-b/c", "default/web");
  private static final List<String> NODES = List.of("n1", "n2", "n3");

  /** One history: the map, the world it looks at, and what its pools were told. */
  private static final class History {
    private final SplittableRandom random;
    private final ServiceMapDriver map = new ServiceMapDriver();
    private final Map<ServiceKey, String> uids = new TreeMap<>();
    private final Map<String, SliceView> slices = new TreeMap<>();
    private final Map<String, Optional<Address>> nodes = new TreeMap<>();
    private final Set<String> refusing = new HashSet<>();
    private final Set<CacheKind> synced = new HashSet<>();
    private List<PoolView> listed = List.of();
    private boolean everListed;
    private final Map<PoolId, Map<ServiceKey, PoolEvent.Desire>> told = new HashMap<>();
    private final Set<PoolId> crashed = new HashSet<>();
    private int desires;
    private int looks;
    private int sideBySide;

    History(long seed) {
      random = new SplittableRandom(seed);
    }

    void run(int steps) {
      for (int step = 0; step < steps; step++) {
        map.after(Duration.ofMillis(random.nextInt(3_000)));
        switch (random.nextInt(12)) {
          case 0, 1 -> serviceChanges();
          case 10 -> cloudProviderWrites();
          case 2, 3, 4 -> sliceChanges();
          case 5 -> nodeChanges();
          case 6 -> {
            CacheKind kind = List.of(CacheKind.values()).get(random.nextInt(4));
            synced.add(kind);
            hear(map.send(new ServiceMapEvent.CacheSynced(kind)));
          }
          case 7 -> poolCrashes();
          case 11 -> labelChanges();
          default -> timerOrListing();
        }
        assertTold();
        assertKeeping();
      }
    }

    private void serviceChanges() {
      String name = SERVICES.get(random.nextInt(SERVICES.size()));
      ServiceKey key = ServiceFixtures.key(name);
      String uid = "uid" + SERVICES.indexOf(name) + random.nextInt(2);
      switch (random.nextInt(5)) {
        case 0 -> {
          uids.remove(key);
          hear(map.send(new ServiceMapEvent.ServicesChanged(Map.of(key, Optional.empty()))));
        }
        case 1 -> {
          uids.remove(key);
          hear(map.change(ServiceFixtures.cluster(name)));
        }
        default -> {
          uids.put(key, uid);
          hear(map.change(local(name, uid, IpFamily.IPV4)));
        }
      }
    }

    private void labelChanges() {
      String namespace = ServiceFixtures.key(SERVICES.get(random.nextInt(3))).namespace();
      Optional<NamespaceView> view =
          random.nextInt(4) > 0
              ? Optional.empty()
              : Optional.of(new NamespaceView(namespace, "uid", new Manage(Optional.of("false"))));
      if (view.isPresent()) {
        refusing.add(namespace);
      } else {
        refusing.remove(namespace);
      }
      hear(map.send(new ServiceMapEvent.NamespacesChanged(Map.of(namespace, view))));
    }

    private boolean refused(PoolView pool) {
      List<ServiceKey> owners =
          uids.entrySet().stream()
              .filter(service -> pool.rules().contains(rule(service.getValue())))
              .map(Map.Entry::getKey)
              .toList();
      return !owners.isEmpty()
          && owners.stream().allMatch(owner -> refusing.contains(owner.namespace()));
    }

    private void sliceChanges() {
      String name = "s" + random.nextInt(3);
      String service = SERVICES.get(random.nextInt(SERVICES.size()));
      String[] of = NODES.stream().filter(n -> random.nextBoolean()).toArray(String[]::new);
      SliceView view =
          new SliceView(
              new SliceView.Key("any", name),
              ServiceFixtures.key(service),
              slice(name, service, of).nodes());
      boolean gone = random.nextInt(4) == 0;
      if (gone) {
        slices.remove(name);
      } else {
        slices.put(name, view);
      }
      hear(
          map.send(
              new ServiceMapEvent.SlicesChanged(
                  Map.of(view.key(), gone ? Optional.empty() : Optional.of(view)))));
    }

    private void nodeChanges() {
      String name = NODES.get(random.nextInt(NODES.size()));
      switch (random.nextInt(4)) {
        case 0 -> {
          nodes.remove(name);
          hear(map.send(new ServiceMapEvent.NodesChanged(ServiceFixtures.nodeGone(name))));
        }
        case 1 -> {
          nodes.put(name, Optional.empty());
          hear(map.change(node(name + "=")));
        }
        default -> {
          String address = "10.0.0." + (10 * NODES.indexOf(name) + random.nextInt(1, 4));
          nodes.put(name, Optional.of(Address.of(address)));
          hear(map.change(node(name + "=" + address)));
        }
      }
    }

    private void poolCrashes() {
      Optional<PoolId> pool = told.keySet().stream().filter(p -> !crashed.contains(p)).findFirst();
      if (pool.isPresent() && random.nextInt(3) == 0) {
        told.put(pool.get(), new HashMap<>());
        crashed.add(pool.get());
        hear(map.send(new ServiceMapEvent.PoolCrashed(pool.get())));
      }
    }

    private void cloudProviderWrites() {
      String name = SERVICES.get(random.nextInt(SERVICES.size()));
      hear(map.send(new ServiceMapEvent.CloudProviderWrote(ServiceFixtures.key(name))));
    }

    private void lookEnds(List<PoolId> pools) {
      looks++;
      List<PoolView> views = somePools();
      views.removeIf(view -> !pools.contains(view.id()));
      views.forEach(view -> hear(map.send(new ServiceMapEvent.PoolShown(view, map.now()))));
      hear(
          map.send(
              random.nextInt(5) == 0
                  ? new ServiceMapEvent.VerificationFailed()
                  : new ServiceMapEvent.Verified(views)));
    }

    private void timerOrListing() {
      List<PoolId> gets = map.state().schedule().cloudProvider().gets();
      boolean lists = map.state().schedule().inFlight();
      sideBySide += lists && !gets.isEmpty() ? 1 : 0;
      if (!gets.isEmpty() && random.nextBoolean()) {
        lookEnds(gets);
        return;
      }
      if (lists && random.nextInt(4) > 0) {
        if (random.nextInt(5) == 0) {
          hear(map.listed(ServiceFixtures.UNLISTED));
        } else {
          listed = somePools();
          everListed = true;
          hear(map.listed(listing(listed.toArray(PoolView[]::new))));
        }
        return;
      }
      map.state()
          .wakeAt()
          .filter(at -> at.isAfter(map.now()))
          .ifPresent(at -> map.after(Duration.between(map.now(), at)));
      crashed.removeIf(
          pool ->
              map.state().pools().all().get(pool).respawnAt().stream()
                  .anyMatch(at -> !at.isAfter(map.now())));
      hear(map.send(new ServiceMapEvent.TimerDue()));
    }

    private List<PoolView> somePools() {
      List<PoolView> pools = new ArrayList<>();
      for (String lb : List.of("lb-1", "lb-2", "foreign")) {
        for (String name : List.of("a-b-c", "default-web")) {
          Set<String> rules = new HashSet<>();
          for (int service = 0; service < SERVICES.size(); service++) {
            if (random.nextInt(3) == 0) {
              rules.add(rule("uid" + service + random.nextInt(2)));
            }
          }
          pools.add(pool(lb, name, rules));
        }
      }
      return pools;
    }

    private void hear(List<ServiceMapEffect> effects) {
      boolean ready = everListed && synced.size() == CacheKind.values().length;
      for (ServiceMapEffect effect : effects) {
        if (effect instanceof ServiceMapEffect.ToPool to) {
          check(ready, "told too early", effect);
          check(
              !crashed.contains(to.pool()) || effect instanceof ServiceMapEffect.Forget,
              "told the dead",
              effect);
        }
        switch (effect) {
          case ServiceMapEffect.Send send -> onSend(send, effects);
          case ServiceMapEffect.Forget forget -> {
            Map<ServiceKey, PoolEvent.Desire> of = told.remove(forget.pool());
            check(of == null || of.isEmpty(), "forgot an owned pool", effect);
            crashed.remove(forget.pool());
          }
          case ServiceMapEffect.RequestListing r -> {}
          case ServiceMapEffect.ToNodes n -> {}
          case ServiceMapEffect.ToBindings b -> {}
          case ServiceMapEffect.Emit e -> {}
          case ServiceMapEffect.CloudProviderWaits w -> {}
          case ServiceMapEffect.StartListing s -> {}
          case ServiceMapEffect.RequestVerification r -> {}
          case ServiceMapEffect.StartVerification s -> {}
        }
      }
    }

    private void onSend(ServiceMapEffect.Send send, List<ServiceMapEffect> effects) {
      if (send.event() instanceof PoolEvent.Desire desire) {
        onDesire(send, desire, effects);
      } else if (send.event() instanceof PoolEvent.Release release) {
        check(
            told.getOrDefault(send.pool(), Map.of()).remove(release.service()) != null,
            "released twice",
            send);
      } else if (send.event() instanceof PoolEvent.OtherRecovered) {
        check(told.containsKey(send.pool()), "told a pool that nobody knows", send);
      } else {
        check(send.event() instanceof PoolEvent.Observed, "an event of somebody else", send);
      }
    }

    private void onDesire(
        ServiceMapEffect.Send send, PoolEvent.Desire desire, List<ServiceMapEffect> effects) {
      Ownership now = desire.ownership();
      PoolEvent.Desire before =
          told.computeIfAbsent(send.pool(), p -> new HashMap<>()).put(now.service(), desire);
      desires++;
      check(
          before == null || before.ownership().wanting(now.level()).equals(now),
          "assigned anew without a release",
          send);
      int at = effects.indexOf(send);
      check(
          sent(effects.subList(at, effects.size()), PoolEvent.Release.class).stream()
              .noneMatch(later -> later.event().equals(new PoolEvent.Release(now.service()))),
          "released after it was assigned elsewhere",
          send);
    }

    /** The Services that the state lists are those that a search would find. */
    private void assertKeeping() {
      for (var of : map.state().sent().owned().entrySet()) {
        boolean keeps = of.getValue().values().stream().anyMatch(Ownerships::keepsUnknown);
        check(keeps == map.state().sent().keepingUnknown().contains(of.getKey()), "not listed", of);
      }
    }

    /** What an onlooker would have told every pool by now. */
    private void assertTold() {
      if (!everListed || synced.size() < CacheKind.values().length) {
        return;
      }
      Map<PoolId, Map<ServiceKey, Set<Address>>> expected = new HashMap<>();
      Map<PoolId, Map<ServiceKey, Set<Address>>> actual = new HashMap<>();
      for (PoolView pool : listed) {
        uids.forEach(
            (service, uid) -> {
              boolean named = pool.id().name().equals(service.namespace() + "-" + service.name());
              boolean foreign = pool.id().loadBalancer().name().equals("foreign");
              if (named
                  && !foreign
                  && !refused(pool)
                  && pool.rules().contains(rule(uid))
                  && !crashed.contains(pool.id())) {
                expected
                    .computeIfAbsent(pool.id(), p -> new HashMap<>())
                    .put(service, addressesOf(service));
              }
            });
      }
      told.forEach(
          (pool, of) ->
              of.forEach(
                  (service, desire) ->
                      actual
                          .computeIfAbsent(pool, p -> new HashMap<>())
                          .put(service, addressesOf(desire.ownership().level()))));
      if (!expected.equals(actual)) {
        throw new AssertionError("told " + actual + " instead of " + expected);
      }
    }

    /** Without a slice there is no level; such a one has the address of nobody. */
    private Set<Address> addressesOf(ServiceKey service) {
      List<SliceView> of =
          slices.values().stream().filter(s -> s.service().equals(service)).toList();
      Set<Address> addresses = new HashSet<>();
      of.forEach(
          s ->
              s.nodes().stream()
                  .map(NodeKey::name)
                  .map(nodes::get)
                  .filter(Objects::nonNull)
                  .forEach(address -> address.ifPresent(addresses::add)));
      return of.isEmpty() ? NOBODY : addresses;
    }

    private static final Set<Address> NOBODY = Set.of(Address.of("::"));

    private static Set<Address> addressesOf(Level level) {
      return switch (level) {
        case Level.Unknown u -> NOBODY;
        case Level.Exactly exactly -> exactly.members().keySet();
      };
    }

    private static void check(boolean holds, String rule, Object what) {
      if (!holds) {
        throw new AssertionError(rule + ": " + what);
      }
    }
  }

  @Test
  void longRandomHistories_tellEveryPoolWhatTheNewestObjectsSay() {
    int desires = 0;
    int looks = 0;
    int sideBySide = 0;
    for (long seed = 0; seed < 500; seed++) {
      History history = new History(seed);
      try {
        history.run(250);
      } catch (AssertionError violation) {
        throw new AssertionError("seed " + seed, violation);
      }
      desires += history.desires;
      looks += history.looks;
      sideBySide += history.sideBySide;
    }
    assertThat(desires).isGreaterThan(5_000);
    assertThat(looks).isGreaterThan(20);
    assertThat(sideBySide).isGreaterThan(20);
  }
}
