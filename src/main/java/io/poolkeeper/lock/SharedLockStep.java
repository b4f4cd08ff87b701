package io.poolkeeper.lock;

import io.poolkeeper.core.Decision;
import io.poolkeeper.lock.LeaseView.Holder;
import io.poolkeeper.lock.LeaseView.Whose;
import io.poolkeeper.lock.SharedLockState.Busy;
import io.poolkeeper.lock.SharedLockState.Failing;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One step of the shared lock: a working copy of its state, which takes one event and ends with the
 * call that follows, if any.
 */
final class SharedLockStep {
  private final LockLimits limits;
  private final Instant now;
  private final RandomGenerator random;
  private final List<SharedLockEffect> effects = new ArrayList<>();
  private LockPhase phase;
  private Optional<LeaseView> known;
  private Instant learnt;
  private LeaseDemand demand;
  private Optional<Instant> waiting;
  private Optional<Busy> busy;
  private Courtesy courtesy;
  private long sessions;
  private int failures;
  private Optional<Failing> failing;
  private boolean unsure;
  private boolean leads;
  private boolean recovered;
  private boolean stopping;

  SharedLockStep(LockLimits limits, SharedLockState state, Instant now, RandomGenerator random) {
    this.limits = limits;
    this.now = now;
    this.random = random;
    phase = state.phase();
    known = state.known();
    learnt = state.learnt();
    demand = state.demand();
    waiting = state.wantedSince();
    busy = state.busy();
    courtesy = state.courtesy();
    sessions = state.sessions();
    failures = state.failures();
    failing = state.failing();
    unsure = state.unsure();
    leads = state.leads();
    recovered = state.recovered();
    stopping = state.stopping();
  }

  /** What the watch has shown before may be older than what the predecessor has left. */
  void lead() {
    leads = true;
    known = Optional.empty();
  }

  void stop() {
    stopping = true;
  }

  void demand(LeaseDemand next) {
    demand = next;
    waiting = next.wanted() ? waiting.or(() -> Optional.of(now)) : Optional.empty();
  }

  void complained(ServiceKey service, Instant at) {
    courtesy = courtesy.complained(service, at, now, limits);
  }

  void served(ServiceKey service) {
    courtesy = courtesy.served(service, now, limits);
  }

  /** The watch is late at times: what is older than the last answer is dropped. */
  void seen(LeaseView view) {
    learn(view);
    if (phase instanceof LockPhase.Held held) {
      loseUnlessOurs(held);
    }
  }

  private void learn(LeaseView view) {
    if (known.map(before -> before.version() <= view.version()).orElse(true)) {
      known = Optional.of(view);
      learnt = now;
      Optional<Instant> busyUntil = view.busy(now).map(Holder::expires);
      failing = failing.map(one -> one.busy(busyUntil));
    }
  }

  private void loseUnlessOurs(LockPhase.Held held) {
    LeaseView view = known.orElseThrow();
    if (!view.is(Whose.OURS)) {
      effects.add(new SharedLockEffect.Lost(view));
      courtesy = courtesy.pause(now, limits);
      phase = held.lose(now);
    }
  }

  void answered(LeaseAnswer answer) {
    if (!(phase instanceof LockPhase.Calling calling)) {
      return;
    }
    switch (answer) {
      case LeaseAnswer.Is is -> done(calling, is.view());
      case LeaseAnswer.Conflict conflict -> again(calling, Optional.empty());
      case LeaseAnswer.Failed failed -> again(calling, Optional.of(failed.error()));
    }
  }

  private void done(LockPhase.Calling calling, LeaseView view) {
    learn(view);
    // What can be read may still not be written.
    if (!unsure || !(calling instanceof LockPhase.Reading)) {
      calm();
    }
    unsure = false;
    switch (calling) {
      case LockPhase.Reading reading -> phase = reading.rest(now);
      case LockPhase.Taking taking -> begin(taking.held(++sessions, limits));
      case LockPhase.GivingBack back -> {
        phase = back.rest(now);
        courtesy = courtesy.pause(now, limits);
      }
    }
  }

  private void calm() {
    failures = 0;
    failing = Optional.empty();
  }

  private void begin(LockPhase.Held held) {
    phase = held;
    waiting.ifPresent(
        since ->
            effects.add(new SharedLockEffect.Taken(Duration.between(since, now), demand.drain())));
    waiting = Optional.empty();
    loseUnlessOurs(held);
  }

  /** It must be read afresh. One conflict costs no time, as somebody else has got on. */
  private void again(LockPhase.Calling calling, Optional<String> why) {
    why.ifPresent(this::fail);
    known = Optional.empty();
    unsure |= !(calling instanceof LockPhase.Reading);
    failures++;
    int waits = why.isPresent() ? failures : failures - 1;
    Duration delay = waits > 0 ? LockLimits.BACKOFF.delay(waits, random) : Duration.ZERO;
    phase = calling.rest(now.plus(delay));
  }

  private void fail(String why) {
    Instant since = failing.map(Failing::since).orElse(now);
    Optional<Instant> busyUntil =
        known.isPresent()
            ? known.flatMap(view -> view.busy(now)).map(Holder::expires)
            : failing.flatMap(Failing::busyUntil).or(() -> busy.map(one -> one.holder().expires()));
    boolean reported = failing.map(Failing::reported).orElse(false);
    boolean tell = !reported && !now.isBefore(since.plus(LockLimits.REPORTED));
    if (tell) {
      effects.add(new SharedLockEffect.Unreachable(why));
    }
    failing = Optional.of(new Failing(why, since, busyUntil, reported || tell));
  }

  Decision<SharedLockState, SharedLockEffect> decision() {
    if (known.isPresent() && known.get().busy(now).isEmpty()) {
      busy = Optional.empty();
    }
    if (phase instanceof LockPhase.Held held
        && (stopping || demand.ended() >= held.session() || !now.isBefore(held.over()))) {
      courtesy = courtesy.pause(now, limits);
      giveBack(held.giveBack());
    } else if (phase instanceof LockPhase.Resting resting && !now.isBefore(resting.notBefore())) {
      goOn(resting);
    }
    if (phase instanceof LockPhase.Held held) {
      phase = held.until(courtesy.windows().nextFrom(now));
    }
    return new Decision<>(state(), effects);
  }

  private SharedLockState state() {
    return new SharedLockState(
        phase, known, learnt, demand, waiting, busy, courtesy, sessions, failures, failing, unsure,
        leads, recovered, stopping, now);
  }

  private void goOn(LockPhase.Resting resting) {
    Optional<LeaseView> left = state().left();
    if (left.isPresent()) {
      effects.add(new SharedLockEffect.LeftBehind(left.get()));
      giveBack(resting.giveBack());
    } else if (state().mustLook()) {
      read(resting);
    } else if (stopping) {
      phase = resting.end();
    } else {
      recovered |= leads;
      if (!state().wanted()) {
        calm();
      } else if (!now.isBefore(state().takenFrom())) {
        take(resting);
      }
    }
  }

  private void take(LockPhase.Resting resting) {
    Optional<Holder> other = known.flatMap(view -> view.busy(now));
    Instant recheckAt = busy.map(Busy::recheckAt).orElse(learnt.plus(LockLimits.RECHECK));
    boolean recheck = !now.isBefore(recheckAt);
    if (other.isPresent()) {
      Instant met = busy.map(Busy::met).orElse(now);
      Instant next = recheck ? now.plus(LockLimits.RECHECK) : recheckAt;
      busy = Optional.of(new Busy(other.get(), met, next));
    }
    if (known.isEmpty() || (other.isPresent() && recheck)) {
      read(resting);
    } else if (other.isEmpty()) {
      effects.add(new SharedLockEffect.Take(known.get()));
      phase = resting.take(now);
    }
  }

  private void read(LockPhase.Resting resting) {
    known = Optional.empty();
    effects.add(new SharedLockEffect.Read());
    phase = resting.read();
  }

  private void giveBack(LockPhase next) {
    effects.add(new SharedLockEffect.GiveBack(known.orElseThrow()));
    phase = next;
  }
}
