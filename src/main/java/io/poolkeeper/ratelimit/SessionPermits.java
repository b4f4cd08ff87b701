package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Permit;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * The permits under a session of the shared Lease: how long they keep the session, and which of
 * them were still reading when it ended. Those are recalled and must read again, as another holder
 * of the Lease may write meanwhile. A GET that is slow each time must get through at last.
 *
 * <p>Invariant: a recalled requester is known up to the end of its next permit, unless that permit
 * is recalled, too, and at most as long as the requester lives and wants a permit. A read that has
 * failed was not slow, and does not count.
 *
 * @param out the permits that are out under the session that is held, by their numbers
 */
record SessionPermits(TreePMap<Long, Hold> out, HashPMap<Requester, Recalled> recalled) {
  static final SessionPermits NONE = new SessionPermits(TreePMap.empty(), HashTreePMap.empty());

  /**
   * A permit that is out under the session.
   *
   * @param until until when the permit keeps the session; {@link Instant#MAX}: as long as it is out
   * @param reads whether the permit has not begun its write
   * @param yields whether the session may end at its tail before the permit, if a request waits
   */
  record Hold(Permit permit, Instant until, boolean reads, boolean yields) {
    private Hold writing(Instant most) {
      return new Hold(permit, most.isBefore(until) ? most : until, false, false);
    }
  }

  /**
   * The last permit of a requester that was recalled while it read.
   *
   * @param drainSince when the first of such permits in a row began; empty if the last was no
   *     drain's
   */
  record Recalled(Permit permit, Optional<Instant> drainSince) {}

  /** A permit in the tail extends nothing; before it, only a permit for members yields, once. */
  SessionPermits granted(Permit permit, boolean inTail) {
    boolean yields = !permit.level().drains() && !recalled.containsKey(permit.holder());
    return with(new Hold(permit, inTail ? Instant.EPOCH : Instant.MAX, true, yields));
  }

  /** The permit's write is sent, and extends the session until {@code most} at most. */
  SessionPermits writes(long permit, Instant most) {
    Hold hold = out.get(permit);
    return hold == null ? this : with(hold.writing(most));
  }

  private SessionPermits with(Hold hold) {
    return new SessionPermits(out.plus(hold.permit().number(), hold), recalled);
  }

  /**
   * When the session may end if nothing else happens. A drain's read is never recalled.
   *
   * @param wanted whether a request waits for the next session
   */
  Instant endAt(boolean wanted, Instant tail) {
    boolean drainReads =
        out.values().stream().anyMatch(hold -> hold.reads() && hold.permit().level().drains());
    return out.values().stream()
        .map(hold -> wanted && !drainReads && hold.yields() ? tail : hold.until())
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  /** The session has ended: what was still reading is recalled. */
  SessionPermits ended() {
    HashPMap<Requester, Recalled> next = recalled;
    for (Hold hold : out.values()) {
      Permit permit = hold.permit();
      if (hold.reads()) {
        Optional<Instant> since =
            permit.level().drains()
                ? drainSince(permit.holder()).or(() -> Optional.of(permit.since()))
                : Optional.empty();
        next = next.plus(permit.holder(), new Recalled(permit, since));
      }
    }
    return new SessionPermits(TreePMap.empty(), next);
  }

  /** The permits that end because the next state ends the session. */
  List<Permit> endedIn(SessionPermits next) {
    return next.out.isEmpty() ? out.values().stream().map(Hold::permit).toList() : List.of();
  }

  /** Since when a drain has read in vain. */
  Optional<Instant> drainSince(Requester requester) {
    return Optional.ofNullable(recalled.get(requester)).flatMap(Recalled::drainSince);
  }

  /** The requests of a load balancer's line that were recalled before. */
  Stream<Request> inVain(LoadBalancerId id, Line line) {
    return recalled.keySet().stream()
        .filter(requester -> requester.loadBalancer().equals(id))
        .flatMap(requester -> line.requestOf(requester).stream());
  }

  /** A permit ended; {@code onlyRead} if it has read, and done nothing else. */
  SessionPermits returned(Permit permit, boolean onlyRead) {
    SessionPermits left = new SessionPermits(out.minus(permit.number()), recalled);
    Recalled last = recalled.get(permit.holder());
    boolean counts = onlyRead && last != null && last.permit().equals(permit);
    return counts ? left : left.without(permit.holder());
  }

  /** A permit was requested; a recalled one whose deadline is over does not count any more. */
  SessionPermits asked(Request request, Duration longest) {
    Recalled last = recalled.get(request.requester());
    boolean old = last != null && last.permit().since().plus(longest).isBefore(request.since());
    return old ? without(request.requester()) : this;
  }

  /** The requester wants no permit any more. */
  SessionPermits without(Requester requester) {
    return new SessionPermits(out, recalled.minus(requester));
  }
}
