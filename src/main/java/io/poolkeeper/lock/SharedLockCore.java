package io.poolkeeper.lock;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When the shared Lease is taken and given back (decision 0018; docs/topics/shared-lock.md). It is
 * taken only while a turn would be granted at once, for a session that the turnstile ends, or time;
 * sessions for members leave gaps.
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
    SharedLockStep step = new SharedLockStep(limits, state, now, random);
    switch (event) {
      case SharedLockEvent.Lead lead -> step.lead();
      case SharedLockEvent.Demanded demanded -> step.demand(demanded.demand());
      case SharedLockEvent.Seen seen -> step.seen(seen.view());
      case SharedLockEvent.Answered answered -> step.answered(answered.answer());
      case SharedLockEvent.Complained said -> step.complained(said.service(), said.at());
      case SharedLockEvent.Served served -> step.served(served.service());
      case SharedLockEvent.TimerDue due -> {}
      case SharedLockEvent.Stop stop -> step.stop();
    }
    return step.decision();
  }

  @Override
  public Optional<Instant> wakeAt(SharedLockState state) {
    if (state.phase() instanceof LockPhase.Held held) {
      Instant again = state.courtesy().windows().freeFrom(held.until());
      return Optional.of(again.isBefore(held.tail()) ? again : held.over());
    }
    if (!(state.phase() instanceof LockPhase.Resting resting)) {
      return Optional.empty();
    }
    boolean call = state.stopping() || state.mustLook() || state.left().isPresent();
    if (!call && !state.wanted()) {
      return Optional.empty();
    }
    Instant next = call ? Instant.EPOCH : state.takenFrom();
    Optional<Instant> free = state.busy().filter(any -> !call).map(SharedLockState.Busy::next);
    return Optional.of(
        Collections.max(List.of(resting.notBefore(), next, free.orElse(Instant.EPOCH))));
  }
}
