package io.poolkeeper.status;

import io.poolkeeper.admission.BindingsView;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.Activity;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolPicture;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.Membership;
import io.poolkeeper.pool.PoolStatus.PastAttempts;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.pool.WouldWrite;
import io.poolkeeper.ratelimit.Obstacle;
import io.poolkeeper.ratelimit.Priority;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.RateLimiterView.Waiting;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.MissingPool;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.service.UnknownPools;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Pools and what surrounds them, for tests. */
final class Pools {
  static final Instant T0 = Instant.parse("2026-11-25T02:13:24Z");
  static final LoadBalancerId EDGE = new LoadBalancerId("s", "rg", "lb-edge");
  static final Installation SELF =
      new Installation(
          "prod",
          false,
          "pk-1",
          "poolkeeper",
          true,
          "poolkeeper-leader",
          8558,
          T0,
          "1",
          "c",
          Optional.empty());
  static final Knowledge KNOWN =
      new Knowledge(Set.of(CacheKind.values()), Set.of(), true, true, Map.of(), Optional.empty());

  /** A leader that knows all but these. */
  static Knowledge known(
      Map<String, ArmFailure> unread,
      Map<LoadBalancerId, UnknownPools> unreadable,
      Map<ServiceKey, MissingPool> missing) {
    return new Knowledge(
        KNOWN.synced(),
        Set.of(),
        true,
        true,
        false,
        Map.of(),
        Optional.empty(),
        new TreeMap<>(unread),
        unreadable,
        missing);
  }

  static final Surroundings CALM =
      new Surroundings(
          T0, Optional.empty(), Map.of(), Optional.empty(), Set.of(), Recent.View.NONE);

  /** One node is missing. */
  static final Difference ONE_MISSING =
      new Difference(1, 0, 0, 0, Set.of(), true, false, Optional.empty());

  private Pools() {}

  static PoolStatus pool(String name, State state) {
    return pool(name, state, "", Difference.NONE, Optional.empty(), 4, 4, WouldWrite.NOTHING);
  }

  static PoolStatus failing(String name, State state, ArmFailure failure) {
    return pool(name, state, "", ONE_MISSING, Optional.of(failure), 3, 4, WouldWrite.NOTHING);
  }

  /** A pool that has so many of the nodes that it should have. */
  static PoolStatus pool(
      String name,
      State state,
      String why,
      Difference difference,
      Optional<ArmFailure> error,
      int right,
      int wanted,
      WouldWrite wouldWrite) {
    PoolId id = EDGE.pool(name);
    return new PoolStatus(
        id,
        Map.of(new ServiceKey("shop", name), addresses(wanted)),
        new Activity(
            state,
            why,
            Optional.of(T0.plusSeconds(18)),
            List.of(),
            state == State.IDLE ? Optional.empty() : Optional.of(T0.minusSeconds(40)),
            wouldWrite),
        new Membership(addresses(wanted), addresses(right), Set.of(), Set.of(), false, difference),
        new PastAttempts(Optional.empty(), error, 0, 0, Optional.empty()),
        PoolPicture.UNKNOWN);
  }

  static Set<Address> addresses(int count) {
    Set<Address> all = new TreeSet<>();
    for (int i = 1; i <= count; i++) {
      all.add(Address.of("10.0.0." + i));
    }
    return all;
  }

  /** The pool waits for that. */
  static Surroundings waits(String name, Obstacle why) {
    Waiting waiting =
        new Waiting(
            EDGE.pool(name),
            Priority.of(PriorityLevel.UPDATE),
            T0,
            why,
            "",
            Optional.of(T0.plusSeconds(5)));
    return new Surroundings(
        T0,
        Optional.empty(),
        Map.of(EDGE.pool(name), new Surroundings.InLine(waiting, 2, 11)),
        Optional.empty(),
        Set.of(),
        Recent.View.NONE);
  }

  static ArmFailure forbidden() {
    return new ArmFailure(
        ArmFailure.Kind.RESPONSE,
        403,
        "AuthorizationFailed",
        "The client 'app-1' with object id 'oid-1' does not have authorization to perform action '"
            + MissingRight.WRITE
            + "' over scope '"
            + EDGE.path()
            + "/backendAddressPools/web' or the scope is invalid.");
  }

  static Snapshot snapshot(Knowledge knowledge, PoolStatus... pools) {
    return snapshot(knowledge, NodesView.UNKNOWN, PauseView.NONE, pools);
  }

  static Snapshot snapshot(
      Knowledge knowledge, NodesView nodes, PauseView pause, PoolStatus... pools) {
    return new Snapshot(
        List.of(pools),
        knowledge,
        Snapshot.optedOut(knowledge),
        Optional.empty(),
        nodes,
        BindingsView.NONE,
        pause,
        Optional.empty(),
        Recent.View.NONE,
        CallsLeft.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        0);
  }
}
