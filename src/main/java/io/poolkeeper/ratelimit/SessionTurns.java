package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Request;
import io.poolkeeper.ratelimit.LoadBalancerQueue.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/**
 * The turns under a session of the shared Lease: how long they keep the session, and which of them
 * were still reading when it ended. Those are recalled and must read again, as another holder of
 * the Lease may write meanwhile. A GET that is slow each time must get through at last.
 *
 * <p>Invariant: a recalled requester is known up to the end of its next turn, unless that turn is
 * recalled, too, and at most as long as the requester lives and wants a turn. A read that has
 * failed was not slow, and does not count.
 *
 * @param out the turns that are out under the session that is held, by their numbers
 */
record SessionTurns(TreePMap<Long, Hold> out, HashPMap<Requester, Recalled> recalled) {
  static final SessionTurns NONE = new SessionTurns(TreePMap.empty(), HashTreePMap.empty());

  /**
   * A turn that is out under the session.
   *
   * @param until until when the turn keeps the session; {@link Instant#MAX}: as long as it is out
   * @param reads whether the turn has not begun its write
   * @param yields whether the session may end at its tail before the turn, if a request waits
   */
  record Hold(Turn turn, Instant until, boolean reads, boolean yields) {
    private boolean drainReads() {
      return reads && turn.lane().drains();
    }
  }

  /**
   * The last turn of a requester that was recalled while it read.
   *
   * @param drainSince when the first of such turns in a row began; empty if the last was no drain's
   */
  record Recalled(Turn turn, Optional<Instant> drainSince) {}

  /** A turn in the tail extends nothing; before it, only a turn for members yields, once. */
  SessionTurns granted(Turn turn, boolean tail) {
    boolean yields = !turn.lane().drains() && !recalled.containsKey(turn.holder());
    return with(new Hold(turn, tail ? Instant.EPOCH : Instant.MAX, true, yields));
  }

  /** The turn's write is sent, and extends the session until {@code most} at most. */
  SessionTurns writes(long turn, Instant most) {
    Hold hold = out.get(turn);
    return hold == null
        ? this
        : with(
            new Hold(hold.turn(), most.isBefore(hold.until()) ? most : hold.until(), false, false));
  }

  private SessionTurns with(Hold hold) {
    return new SessionTurns(out.plus(hold.turn().number(), hold), recalled);
  }

  /**
   * When the session may end if nothing else happens. A drain's read is never recalled.
   *
   * @param wanted whether a request waits for the next session
   */
  Instant endAt(boolean wanted, Instant tail) {
    boolean recall = wanted && out.values().stream().noneMatch(Hold::drainReads);
    return out.values().stream()
        .map(hold -> recall && hold.yields() ? tail : hold.until())
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  SessionTurns over() {
    HashPMap<Requester, Recalled> next = recalled;
    for (Hold hold : out.values()) {
      Turn turn = hold.turn();
      if (hold.reads()) {
        Optional<Instant> since =
            drainSince(turn.holder())
                .or(() -> Optional.of(turn.since()))
                .filter(any -> turn.lane().drains());
        next = next.plus(turn.holder(), new Recalled(turn, since));
      }
    }
    return new SessionTurns(TreePMap.empty(), next);
  }

  /** The turns that end because the next state ends the session. */
  List<Turn> endedIn(SessionTurns next) {
    return next.out.isEmpty() ? out.values().stream().map(Hold::turn).toList() : List.of();
  }

  /** Since when a drain has read in vain. */
  Optional<Instant> drainSince(Requester requester) {
    return Optional.ofNullable(recalled.get(requester)).flatMap(Recalled::drainSince);
  }

  /** The requests of a load balancer's line that were recalled before. */
  Stream<Request> inVain(LoadBalancerId at, Line line) {
    return recalled.keySet().stream()
        .filter(one -> one.loadBalancer().equals(at))
        .flatMap(one -> line.of(one).stream());
  }

  /** A turn ended; {@code read} if it has read, and done nothing else. */
  SessionTurns returned(Turn turn, boolean read) {
    SessionTurns left = new SessionTurns(out.minus(turn.number()), recalled);
    Recalled last = recalled.get(turn.holder());
    boolean counts = read && last != null && last.turn().equals(turn);
    return counts ? left : left.without(turn.holder());
  }

  /** A turn was requested; a recalled one whose deadline is over does not count any more. */
  SessionTurns asked(Request request, Duration longest) {
    Recalled last = recalled.get(request.requester());
    boolean old = last != null && last.turn().since().plus(longest).isBefore(request.since());
    return old ? without(request.requester()) : this;
  }

  /** The requester wants no turn any more. */
  SessionTurns without(Requester requester) {
    return new SessionTurns(out, recalled.minus(requester));
  }
}
