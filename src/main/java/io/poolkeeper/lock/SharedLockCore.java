package io.poolkeeper.lock;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaseView.Holder;
import io.poolkeeper.lock.LeaseView.Whose;
import io.poolkeeper.lock.SharedLockState.Busy;
import io.poolkeeper.lock.SharedLockState.Calls;
import io.poolkeeper.lock.SharedLockState.Failing;
import io.poolkeeper.lock.SharedLockState.Lease;
import io.poolkeeper.lock.SharedLockState.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When the shared Lease is taken and given back (decision 0018; docs/topics/shared-lock.md). The
 * Lease is taken only while a permit would be granted at once. A session ends when the rate limiter
 * says so, or its time is over. Between sessions for members, the Lease is left to others.
 *
 * <p>Invariants: at most one call is in flight; no session outlasts {@link LockPhase.Held#over};
 * the Lease of another client is never written before it expires; nothing that we did not write is
 * given back, but for what a predecessor left; no call follows a failed one sooner than its
 * backoff.
 */
public record SharedLockCore(LockLimits limits)
    implements Core<SharedLockState, SharedLockEvent, SharedLockEffect> {
  @Override
  public Decision<SharedLockState, SharedLockEffect> decide(
      SharedLockState state, SharedLockEvent event, Instant now, RandomGenerator random) {
    Step step = new Step(state, now, random);
    step.take(event);
    step.conclude();
    return new Decision<>(step.state(), step.effects);
  }

  @Override
  public Optional<Instant> wakeAt(SharedLockState state) {
    return state.wakeAt();
  }

  /** One decision: takes one event, and ends with the call that follows. */
  private final class Step {
    private final Instant now;
    private final RandomGenerator random;
    private final List<SharedLockEffect> effects = new ArrayList<>();
    private LockPhase phase;
    private Lease lease;
    private LeaseDemand demand;
    private Optional<Instant> wantedSince;
    private Yielding yielding;
    private long sessions;
    private Calls calls;
    private Role role;
    private boolean stopping;

    Step(SharedLockState state, Instant now, RandomGenerator random) {
      this.now = now;
      this.random = random;
      phase = state.phase();
      lease = state.lease();
      demand = state.demand();
      wantedSince = state.wantedSince();
      yielding = state.yielding();
      sessions = state.sessions();
      calls = state.calls();
      role = state.role();
      stopping = state.stopping();
    }

    SharedLockState state() {
      return new SharedLockState(
          phase, lease, demand, wantedSince, yielding, sessions, calls, role, stopping, now);
    }

    void take(SharedLockEvent event) {
      switch (event) {
        case SharedLockEvent.Lead lead -> {
          role = role == Role.STANDBY ? Role.RECOVERING : role;
          // The watch may have shown an older version than the predecessor's last one.
          lease = lease.unknown();
        }
        case SharedLockEvent.Demanded demanded -> {
          demand = demanded.demand();
          wantedSince = demand.wanted() ? wantedSince.or(() -> Optional.of(now)) : Optional.empty();
        }
        case SharedLockEvent.Seen seen -> {
          learn(seen.view());
          loseUnlessOurs();
        }
        case SharedLockEvent.Answered answered -> {
          if (phase instanceof LockPhase.Calling calling) {
            answered(calling, answered.answer());
          }
        }
        case SharedLockEvent.Complained complained ->
            yielding = yielding.complained(complained.service(), complained.at(), now, limits);
        case SharedLockEvent.Served served ->
            yielding = yielding.served(served.service(), now, limits);
        case SharedLockEvent.TimerDue due -> {}
        case SharedLockEvent.Stop stop -> stopping = true;
      }
    }

    /** Drops a view that is older than the last answer, as the watch may be slow. */
    private void learn(LeaseView view) {
      if (lease.view().map(before -> before.version() <= view.version()).orElse(true)) {
        lease = new Lease(Optional.of(view), now, lease.busy());
        calls = calls.busy(view.busy(now).map(Holder::expires));
      }
    }

    private void loseUnlessOurs() {
      if (phase instanceof LockPhase.Held held && !lease.view().orElseThrow().is(Whose.OURS)) {
        effects.add(new SharedLockEffect.Lost(lease.view().get()));
        yielding = yielding.pause(now, limits);
        phase = held.lose(now);
      }
    }

    private void answered(LockPhase.Calling calling, LeaseAnswer answer) {
      switch (answer) {
        case LeaseAnswer.Is current -> {
          learn(current.view());
          calls = calls.succeeded(calling);
          role = calling instanceof LockPhase.Reading ? role : Role.LEADING;
          succeeded(calling);
        }
        case LeaseAnswer.Conflict conflict -> again(calling, Optional.empty());
        case LeaseAnswer.Failed failed -> again(calling, Optional.of(failing(failed.error())));
      }
    }

    private void succeeded(LockPhase.Calling calling) {
      switch (calling) {
        case LockPhase.Reading reading -> phase = reading.rest(now);
        case LockPhase.Taking taking -> {
          phase = taking.held(++sessions, limits);
          wantedSince
              .map(since -> Duration.between(since, now))
              .map(waited -> new SharedLockEffect.Taken(waited, demand.drain()))
              .ifPresent(effects::add);
          wantedSince = Optional.empty();
          loseUnlessOurs();
        }
        case LockPhase.GivingBack back -> {
          phase = back.rest(now);
          yielding = yielding.pause(now, limits);
        }
      }
    }

    /** Reads the Lease again: at once after a first conflict, as another client wrote it. */
    private void again(LockPhase.Calling calling, Optional<Failing> failing) {
      calls = calls.failed(calling, failing);
      int waits = failing.isPresent() ? calls.failures() : calls.failures() - 1;
      Duration delay = waits > 0 ? LockLimits.BACKOFF.delay(waits, random) : Duration.ZERO;
      lease = lease.unknown();
      phase = calling.rest(now.plus(delay));
    }

    private Failing failing(String error) {
      Optional<Failing> last = calls.failing();
      Instant since = last.map(Failing::since).orElse(now);
      Optional<Instant> busyUntil =
          lease.view().isPresent()
              ? lease.other(now).map(Holder::expires)
              : last.flatMap(Failing::busyUntil)
                  .or(() -> lease.busy().map(busy -> busy.holder().expires()));
      boolean reported = last.map(Failing::reported).orElse(false);
      boolean report = !reported && !now.isBefore(since.plus(LockLimits.REPORT_AFTER));
      if (report) {
        effects.add(new SharedLockEffect.Unreachable(error));
      }
      return new Failing(error, since, busyUntil, reported || report);
    }

    void conclude() {
      if (lease.view().isPresent() && lease.other(now).isEmpty()) {
        lease = lease.busy(Optional.empty());
      }
      if (phase instanceof LockPhase.Held held && ends(held)) {
        yielding = yielding.pause(now, limits);
        giveBack(held.giveBack());
      } else if (phase instanceof LockPhase.Resting resting && !now.isBefore(resting.notBefore())) {
        call(resting);
      }
      if (phase instanceof LockPhase.Held held) {
        phase = held.until(yielding.windows().nextFrom(now));
      }
    }

    private boolean ends(LockPhase.Held held) {
      return stopping || demand.ended() >= held.session() || !now.isBefore(held.over());
    }

    private void call(LockPhase.Resting resting) {
      Optional<LeaseView> leftBehind = state().leftBehind();
      if (leftBehind.isPresent()) {
        effects.add(new SharedLockEffect.LeftBehind(leftBehind.get()));
        giveBack(resting.giveBack());
      } else if (state().mustLook()) {
        read(resting);
      } else if (stopping) {
        phase = resting.end();
      } else if (!state().wanted()) {
        calls = Calls.NONE;
      } else if (!now.isBefore(state().takenFrom())) {
        takeOrWait(resting);
      }
    }

    /** Takes the Lease if it is free; else waits, and reads it again from time to time. */
    private void takeOrWait(LockPhase.Resting resting) {
      Optional<Holder> other = lease.other(now);
      Instant recheckAt =
          lease.busy().map(Busy::recheckAt).orElse(lease.learnt().plus(LockLimits.RECHECK));
      boolean recheck = !now.isBefore(recheckAt);
      if (other.isPresent()) {
        Instant met = lease.busy().map(Busy::met).orElse(now);
        Instant next = recheck ? now.plus(LockLimits.RECHECK) : recheckAt;
        lease = lease.busy(Optional.of(new Busy(other.get(), met, next)));
      }
      if (lease.view().isEmpty() || (other.isPresent() && recheck)) {
        read(resting);
      } else if (other.isEmpty()) {
        effects.add(new SharedLockEffect.Take(lease.view().get()));
        phase = resting.take(now);
      }
    }

    private void read(LockPhase.Resting resting) {
      lease = lease.unknown();
      effects.add(new SharedLockEffect.Read());
      phase = resting.read();
    }

    private void giveBack(LockPhase next) {
      effects.add(new SharedLockEffect.GiveBack(lease.view().orElseThrow()));
      phase = next;
    }
  }
}
