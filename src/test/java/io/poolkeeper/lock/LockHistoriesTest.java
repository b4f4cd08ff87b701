package io.poolkeeper.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaseView.Holder;
import io.poolkeeper.lock.LeaseView.Whose;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** All histories of seven steps of the lock, beside a model of the API server. */
class LockHistoriesTest {
  private static final SharedLockCore CORE = new SharedLockCore(LockDriver.LIMITS);
  private static final int STEPS = 7;

  /** The version that the predecessor has read. */
  private static final long FIRST = 10;

  private final Map<Step, Integer> met = new EnumMap<>(Step.class);
  private int histories;

  private enum Step {
    DEMAND,
    ANSWER,
    LOSE_THE_ANSWER,
    LOSE_THE_CALL,
    PEER,
    LATE_TAKE_OF_THE_PREDECESSOR,
    THEFT,
    WATCH,
    TIMER,
    STOP
  }

  /** The Lease at the API server. */
  private record Server(long version, Optional<Whose> holder) {
    Server with(Optional<Whose> next) {
      return new Server(version + 1, next);
    }

    LeaseView view() {
      return new LeaseView(
          version,
          holder.map(
              whose ->
                  new Holder(
                      whose.toString(), whose, Optional.empty(), LockDriver.T0.plusSeconds(900))));
    }
  }

  /** Where a history is. Immutable, so that histories share their beginnings. */
  private record World(
      SharedLockState state,
      Server server,
      Optional<SharedLockEffect.Call> call,
      List<LeaseView> watch,
      Instant now) {
    World send(SharedLockEvent event) {
      Decision<SharedLockState, SharedLockEffect> decision =
          CORE.decide(state, event, now, () -> 0);
      Optional<SharedLockEffect.Call> next =
          event instanceof SharedLockEvent.Answered ? Optional.empty() : call;
      for (SharedLockEffect effect : decision.effects()) {
        if (effect instanceof SharedLockEffect.Call begun) {
          assertThat(next).as("calls in flight").isEmpty();
          next = Optional.of(begun);
        }
      }
      World world = new World(decision.state(), server, next, watch, now);
      boolean held = world.state.standing() instanceof LeaseStanding.Held;
      assertThat(!held || server.holder.equals(Optional.of(Whose.OURS)) || !watch.isEmpty())
          .as("held, though the watch has shown that it is not")
          .isTrue();
      return world;
    }

    private World changed(Server next) {
      List<LeaseView> events = new ArrayList<>(watch);
      events.add(next.view());
      return new World(state, next, call, List.copyOf(events), now);
    }

    /** The call arrives; the answer is what it gets. */
    private World arrived(List<LeaseAnswer> answer) {
      SharedLockEffect.Call arrives = call.orElseThrow();
      long version =
          switch (arrives) {
            case SharedLockEffect.Read read -> server.version;
            case SharedLockEffect.Take take -> take.read().version();
            case SharedLockEffect.GiveBack back -> back.read().version();
          };
      if (version != server.version) {
        answer.add(new LeaseAnswer.Conflict());
        return this;
      }
      World after =
          switch (arrives) {
            case SharedLockEffect.Read read -> this;
            case SharedLockEffect.Take take -> {
              assertThat(server.holder).isNotEqualTo(Optional.of(Whose.OTHER));
              yield changed(server.with(Optional.of(Whose.OURS)));
            }
            case SharedLockEffect.GiveBack back -> {
              assertThat(server.holder).isIn(Optional.of(Whose.OURS), Optional.of(Whose.NAMESAKE));
              yield changed(server.with(Optional.empty()));
            }
          };
      answer.add(new LeaseAnswer.Is(after.server.view()));
      return after;
    }

    private World answered(boolean arrives, boolean comes) {
      List<LeaseAnswer> answer = new ArrayList<>();
      World after = arrives ? arrived(answer) : this;
      return after.send(
          new SharedLockEvent.Answered(comes ? answer.getFirst() : new LeaseAnswer.Failed("lost")));
    }

    private World demanding(boolean wanted) {
      return send(
          new SharedLockEvent.Demanded(
              new LeaseDemand(wanted, false, wanted ? 0 : state.sessions())));
    }

    /** Empty if the step cannot be taken. */
    Optional<World> after(Step step) {
      boolean peers = server.holder.equals(Optional.of(Whose.OTHER));
      return switch (step) {
        case DEMAND -> Optional.of(demanding(!state.demand().wanted()));
        case ANSWER -> call.map(any -> answered(true, true));
        case LOSE_THE_ANSWER -> call.map(any -> answered(true, false));
        case LOSE_THE_CALL -> call.map(any -> answered(false, false));
        case PEER ->
            peers || server.holder.isEmpty()
                ? Optional.of(
                    changed(server.with(peers ? Optional.empty() : Optional.of(Whose.OTHER))))
                : Optional.empty();
        case LATE_TAKE_OF_THE_PREDECESSOR ->
            server.version == FIRST && server.holder.isEmpty()
                ? Optional.of(changed(server.with(Optional.of(Whose.NAMESAKE))))
                : Optional.empty();
        case THEFT ->
            server.holder.equals(Optional.of(Whose.OURS))
                ? Optional.of(changed(server.with(Optional.of(Whose.OTHER))))
                : Optional.empty();
        case WATCH -> watch.isEmpty() ? Optional.empty() : Optional.of(watched());
        case TIMER -> CORE.wakeAt(state).map(this::woken);
        case STOP ->
            state.stopping() ? Optional.empty() : Optional.of(send(new SharedLockEvent.Stop()));
      };
    }

    private World watched() {
      World rest = new World(state, server, call, watch.subList(1, watch.size()), now);
      return rest.send(new SharedLockEvent.Seen(watch.getFirst()));
    }

    private World woken(Instant at) {
      World later = new World(state, server, call, watch, at.isAfter(now) ? at : now);
      return later.send(new SharedLockEvent.TimerDue());
    }

    /** Nobody wants it any more, and nothing fails. */
    World quiet() {
      World world = demanding(false);
      for (int i = 0; i < 40; i++) {
        Optional<World> next = world.after(Step.ANSWER);
        next = next.isPresent() ? next : world.after(Step.WATCH);
        next = next.isPresent() ? next : world.after(Step.TIMER);
        if (next.isEmpty()) {
          return world;
        }
        world = next.get().demanding(false);
      }
      throw new AssertionError("it does not come to rest: " + world);
    }
  }

  private void explore(World world, int steps) {
    if (steps == 0) {
      histories++;
      World end = world.quiet();
      assertThat(end.server().holder()).isNotEqualTo(Optional.of(Whose.OURS));
      boolean left = end.server().holder().equals(Optional.of(Whose.NAMESAKE));
      assertThat(left && !end.state().stopping())
          .as("left to a predecessor that is gone")
          .isFalse();
      assertThat(end.state().phase() instanceof LockPhase.Ended).isEqualTo(end.state().stopping());
      return;
    }
    for (Step step : Step.values()) {
      if (!(world.state().phase() instanceof LockPhase.Ended)) {
        world
            .after(step)
            .ifPresent(
                next -> {
                  met.merge(step, 1, Integer::sum);
                  explore(next, steps - 1);
                });
      }
    }
  }

  private static World begin(Optional<Whose> holder) {
    Server server = new Server(FIRST, holder);
    World world =
        new World(SharedLockState.INITIAL, server, Optional.empty(), List.of(), LockDriver.T0);
    return world.send(new SharedLockEvent.Lead());
  }

  @Test
  void allHistories_ofAFreshLeader_endWithoutTheLease() {
    explore(begin(Optional.empty()).demanding(true), STEPS);
    explore(begin(Optional.of(Whose.NAMESAKE)), STEPS);
    explore(begin(Optional.of(Whose.OTHER)).demanding(true), STEPS);

    assertThat(met).containsOnlyKeys(Step.values());
    assertThat(histories).isGreaterThan(100_000);
  }
}
