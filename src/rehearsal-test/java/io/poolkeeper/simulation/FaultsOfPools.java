package io.poolkeeper.simulation;

import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.Phase;
import io.poolkeeper.pool.PoolCore;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolState;
import io.poolkeeper.ratelimit.PermitAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Faults of pools: what waits, attempts, and drains. */
final class FaultsOfPools {
  static final List<SeededFault> QUEUES =
      List.of(
          new SeededFault(
              "append retried operations instead of prepending them",
              new Mutation("pool.UpdateQueue", "prepend", AddFirst.ID).number(2, 2)),
          new SeededFault(
              "forget relevance before requeue",
              new Mutation("pool.AttemptEnd", "<init>", "EXPERIMENTAL_NAKED_RECEIVER")
                  .on("Stream::filter")
                  .number(1, 2)),
          new SeededFault(
              "consume a retry while parked", Around.core(PoolCore.class, ConsumedRetry::new)),
          new SeededFault(
              "lose the operation when a permit ends without a write",
              new Mutation("pool.AttemptEnd", "queuedAgain", "EXPERIMENTAL_NAKED_RECEIVER")
                  .on("UpdateQueue::prepend")),
          new SeededFault(
              "use the desired members of the oldest operation",
              Around.without(PoolCore.class, FaultsOfPools::isYounger)),
          new SeededFault(
              "add what no Service wants",
              Around.event(PoolCore.class, PoolEvent.Desire.class, FaultsOfPools::withStranger)));

  static final List<SeededFault> ATTEMPTS =
      List.of(
          new SeededFault("skip the fresh GET", Around.core(PoolCore.class, KeptRead::new)),
          new SeededFault("no repair after giving up", Around.core(PoolCore.class, NoRepair::new)),
          new SeededFault(
              "one retry more than allowed",
              new Mutation("pool.AttemptEnd", "mayRetry", "CONDITIONALS_BOUNDARY")),
          new SeededFault(
              "write although others are writing",
              Around.event(
                  PoolCore.class, PoolEvent.PermitAnswered.class, FaultsOfPools::evenIfUpdating)),
          new SeededFault(
              "keep the permit of a failed read",
              Around.effects(
                  PoolCore.class,
                  (event, effect) ->
                      Optional.of(effect)
                          .filter(
                              any ->
                                  !(event instanceof PoolEvent.AttemptFailed
                                      && any instanceof PoolEffect.ReturnPermit back
                                      && back.result() == PermitResult.UNREAD)))),
          new SeededFault(
              "report a failed repair as given up",
              new Mutation("pool.AttemptEnd", "retriable", "REMOVE_CONDITIONALS_EQUAL_ELSE")
                  .number(1, 4)));

  static final List<SeededFault> DRAINS =
      List.of(
          new SeededFault("leave a node Down that came back", watchOfNodes(false)),
          new SeededFault("set back to None while the watch of nodes is lost", watchOfNodes(true)),
          new SeededFault(
              "let a drain wait for the end of a parked change",
              Around.core(PoolCore.class, ParkedDrain::new)),
          new SeededFault(
              "take a drain for done when it is written",
              Around.core(PoolCore.class, BelievedWrite::new)),
          new SeededFault(
              "add a node that leaves as if it stayed",
              Around.effect(
                  PoolCore.class, PoolEffect.Write.class, FaultsOfPools::withoutStatesOfAdded)));

  private FaultsOfPools() {}

  private static PoolEvent evenIfUpdating(PoolEvent.PermitAnswered permit) {
    return permit.answer() instanceof PermitAnswer.Granted granted
        ? new PoolEvent.PermitAnswered(
            new PermitAnswer.Granted(granted.permit(), granted.deadline(), true))
        : permit;
  }

  /** Wants the address of no node, too. */
  private static PoolEvent withStranger(PoolEvent.Desire desire) {
    if (!(desire.ownership().level() instanceof Level.Exactly exactly)) {
      return desire;
    }
    NavigableMap<Address, NodeKey> members = new TreeMap<>(exactly.members());
    members.put(Address.of("10.0.250.1"), new NodeKey("stranger"));
    Level.Exactly more = new Level.Exactly(members, exactly.keepUnknown());
    return new PoolEvent.Desire(desire.ownership().wanting(more), desire.fresh());
  }

  /** A change of a Service whose change before waits: the older level counts. */
  private static boolean isYounger(PoolState state, PoolEvent event) {
    return event instanceof PoolEvent.Desire desire
        && state.queue().operations().stream()
            .anyMatch(one -> one.service().equals(desire.ownership().service()));
  }

  private static Parts watchOfNodes(boolean live) {
    return Around.event(
        PoolCore.class,
        PoolEvent.NodesOutOfService.class,
        nodes -> {
          OutOfService set = nodes.set();
          return new PoolEvent.NodesOutOfService(
              new OutOfService(set.version(), set.nodes(), set.leaving(), live, set.minActive()),
              nodes.at());
        });
  }

  private static PoolEffect withoutStatesOfAdded(PoolEffect.Write write) {
    var states = new TreeMap<>(write.edit().adminStates());
    states.keySet().removeAll(write.edit().add().values());
    return new PoolEffect.Write(write.read(), write.edit().with(states), write.deadline());
  }

  /** Writes what it read the last time, if that needs a write. */
  private static final class KeptRead extends Faulty<PoolState, PoolEvent, PoolEffect> {
    private Optional<PoolDocument> kept = Optional.empty();

    KeptRead(Core<PoolState, PoolEvent, PoolEffect> own) {
      super(own);
    }

    @Override
    public Decision<PoolState, PoolEffect> decide(
        PoolState state, PoolEvent event, Instant now, RandomGenerator random) {
      kept = event instanceof PoolEvent.ReadDone read ? Optional.of(read.document()) : kept;
      Decision<PoolState, PoolEffect> decision = own.decide(state, event, now, random);
      boolean reads = decision.effects().stream().anyMatch(PoolEffect.Read.class::isInstance);
      return kept.filter(any -> reads)
          .map(PoolEvent.ReadDone::new)
          .map(read -> own.decide(decision.state(), read, now, random))
          .filter(next -> next.effects().stream().anyMatch(PoolEffect.Write.class::isInstance))
          .map(next -> without(decision, PoolEffect.Read.class).then(next))
          .orElse(decision);
    }
  }

  private static Decision<PoolState, PoolEffect> without(
      Decision<PoolState, PoolEffect> decision, Class<? extends PoolEffect> dropped) {
    return new Decision<>(
        decision.state(),
        decision.effects().stream().filter(effect -> !dropped.isInstance(effect)).toList());
  }

  /** At the end of its wait a parked change fails once more, which nobody hears of. */
  private static final class ConsumedRetry extends Faulty<PoolState, PoolEvent, PoolEffect> {
    ConsumedRetry(Core<PoolState, PoolEvent, PoolEffect> own) {
      super(own);
    }

    @Override
    public Decision<PoolState, PoolEffect> decide(
        PoolState state, PoolEvent event, Instant now, RandomGenerator random) {
      Decision<PoolState, PoolEffect> decision = own.decide(state, event, now, random);
      boolean ends =
          event instanceof PoolEvent.TimerDue
              && state.phase() instanceof Phase.Parked parked
              && !parked.until().isAfter(now)
              && state.queue().operations().size() == 1;
      if (!ends || !(decision.state().phase() instanceof Phase.Waiting)) {
        return decision;
      }
      PoolState reading =
          own.decide(
                  decision.state(),
                  new PoolEvent.PermitAnswered(
                      new PermitAnswer.Granted(0, now.plus(Duration.ofMinutes(1)), false)),
                  now,
                  random)
              .state();
      Decision<PoolState, PoolEffect> failed =
          own.decide(
              reading,
              new PoolEvent.AttemptFailed(ArmFailure.throttled("", "nobody asked", now)),
              now,
              random);
      return failed.state().queue().operations().size() == 1
          ? Decision.of(failed.state())
          : decision;
    }
  }

  /** Neither its own timer nor a listing repairs a pool. */
  private static final class NoRepair extends Faulty<PoolState, PoolEvent, PoolEffect> {
    NoRepair(Core<PoolState, PoolEvent, PoolEffect> own) {
      super(own);
    }

    @Override
    public Optional<Instant> wakeAt(PoolState state) {
      return own.wakeAt(state).filter(at -> repairAt(state).filter(at::equals).isEmpty());
    }

    @Override
    public Decision<PoolState, PoolEffect> decide(
        PoolState state, PoolEvent event, Instant now, RandomGenerator random) {
      boolean repairs =
          event instanceof PoolEvent.TimerDue
              && repairAt(state).filter(at -> !at.isAfter(now)).isPresent();
      Decision<PoolState, PoolEffect> decision = own.decide(state, event, now, random);
      boolean shows =
          event instanceof PoolEvent.Observed
              && decision.state().queue().repair()
              && !state.queue().repair();
      return repairs || shows ? Decision.of(state) : decision;
    }

    private static Optional<Instant> repairAt(PoolState state) {
      return state.phase() instanceof Phase.Failed failed
          ? Optional.of(failed.repairAt())
          : Optional.empty();
    }
  }

  /** What would drain in spite of a parked change is heard at its end, with a timer that is due. */
  private static final class ParkedDrain extends Delayed<PoolState, PoolEvent, PoolEffect> {
    ParkedDrain(Core<PoolState, PoolEvent, PoolEffect> own) {
      super(
          own,
          (state, event, would) ->
              state.phase() instanceof Phase.Parked
                  && would.state().phase() instanceof Phase.Waiting waiting
                  && waiting.interrupted().filter(Phase.Parked.class::isInstance).isPresent());
    }

    @Override
    public Optional<Instant> wakeAt(PoolState state) {
      return holdsAny() ? Optional.of(Instant.EPOCH) : own.wakeAt(state);
    }
  }

  /** Takes what it has written for what a listing has shown. */
  private static final class BelievedWrite extends Faulty<PoolState, PoolEvent, PoolEffect> {
    BelievedWrite(Core<PoolState, PoolEvent, PoolEffect> own) {
      super(own);
    }

    @Override
    public Decision<PoolState, PoolEffect> decide(
        PoolState state, PoolEvent event, Instant now, RandomGenerator random) {
      Decision<PoolState, PoolEffect> decision = own.decide(state, event, now, random);
      boolean drained = decision.effects().stream().anyMatch(PoolEffect.Drained.class::isInstance);
      return decision
          .state()
          .observed()
          .filter(any -> drained)
          .map(seen -> new PoolEvent.Observed(seen, now))
          .map(seen -> decision.then(own.decide(decision.state(), seen, now, random)))
          .orElse(decision);
    }
  }
}
