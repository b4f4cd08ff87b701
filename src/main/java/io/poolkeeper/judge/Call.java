package io.poolkeeper.judge;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request on the wire.
 *
 * @param number unique
 * @param pool whose it is; of a poll, the pool whose write is followed; empty for a listing
 * @param members whether it is a PUT that adds or removes entries
 * @param states whether it is a PUT that changes admin states
 * @param body the entries of a PUT, each with whether it is Down
 */
public record Call(
    long number,
    Kind kind,
    Optional<PoolId> pool,
    boolean members,
    boolean states,
    Map<String, Boolean> body) {
  /** What is asked for. */
  public enum Kind {
    GET,
    PUT,
    POLL,
    LIST
  }

  boolean write() {
    return kind == Kind.PUT;
  }

  Optional<LoadBalancerId> balancer() {
    return pool.map(PoolId::loadBalancer);
  }

  /**
   * What came back.
   *
   * @param retryAfter as asked, not yet bounded; empty if nothing or nonsense was asked
   * @param lock whether a 429 is about one load balancer
   */
  public record Answer(int status, Optional<Duration> retryAfter, boolean lock, Shows shows) {
    private static final Set<Integer> REPEATED = Set.of(408, 500, 502, 503, 504);

    boolean good() {
      return status / 100 == 2 && shows != Shows.NONSENSE;
    }

    /** Whether the call may repeat itself, and a PUT may have been taken. */
    boolean repeated() {
      return REPEATED.contains(status);
    }

    /** Whether the same attempt may succeed soon. */
    boolean retriable() {
      return status == 429 || status == 409 || status == 412;
    }
  }

  /** What an answer of success says about a write. */
  public enum Shows {
    /** None is under way, or it has been made. */
    ENDED,
    /** One is under way. */
    RUNS,
    /** It was cancelled, or another operation was in the way. */
    SUPERSEDED,
    FAILED,
    /** It cannot be read. */
    NONSENSE
  }
}
