package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.armsim.protocol.Links;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The circumstances under which one call is handled.
 *
 * @param retrySeconds the seconds to wait in the refusal of a write because of another one
 * @param parentAddresses the fate of addresses in a PUT of a whole load balancer
 * @param updatingShown what shows that a pool is written
 * @param deviations what Azure does otherwise than is assumed
 * @param fate of the call if it is a write and is accepted
 */
public record Terms(
    Contention contention,
    int retrySeconds,
    ParentAddresses parentAddresses,
    UpdatingShown updatingShown,
    Set<Deviation> deviations,
    Fate fate) {
  public Terms with(Fate other) {
    return new Terms(contention, retrySeconds, parentAddresses, updatingShown, deviations, other);
  }

  /** Later writes supersede earlier ones, and all are applied. */
  public static final Terms PLAIN =
      new Terms(
          Contention.SUPERSEDE,
          0,
          ParentAddresses.IGNORED,
          UpdatingShown.SIBLINGS,
          Set.of(),
          Fate.APPLIED);

  boolean deviates(Deviation how) {
    return deviations.contains(how);
  }

  /**
   * The fate of an accepted write. The answer to it is the same in each case, as with failures at
   * Azure.
   */
  public enum Fate {
    APPLIED,
    /** Done as asked, and even a creation has a running operation. */
    FOLLOWED,
    /** Its operation will fail. A PUT is written nevertheless; a DELETE removes nothing. */
    DOOMED,
    /**
     * Its operation succeeds, but nothing is changed. State and etag of an existing document change
     * as for any write; a new resource never exists.
     */
    LOST;

    boolean deletes() {
      return switch (this) {
        case APPLIED, FOLLOWED -> true;
        case DOOMED, LOST -> false;
      };
    }
  }

  /**
   * The fate of a write that arrives while an operation runs on the same load balancer. A refused
   * write changes nothing.
   */
  public enum Contention {
    /** The write is accepted and cancels the running operation, whose own write stays. */
    SUPERSEDE,
    /** Refused with 429 {@code RetryableError}, as long as the resource is locked. */
    RETRYABLE,
    /** Refused with 409 {@code AnotherOperationInProgress}, which names the running operation. */
    CONFLICT,
    /** The write is accepted at once, and its operation ends after the running one. */
    QUEUE;

    /** What Azure was seen to do. */
    public static final List<Contention> SEEN = List.of(SUPERSEDE, RETRYABLE, CONFLICT);

    /** The refusal of a call because of an operation; empty if the call is accepted. */
    Optional<ArmAnswer> refusal(
        ArmCall call, Resource balancer, Operation running, int retrySeconds) {
      return switch (this) {
        case SUPERSEDE, QUEUE -> Optional.empty();
        case RETRYABLE ->
            Optional.of(
                ArmError.RETRY_AFTER_OPERATION
                    .answer(running.reference(), balancer.id().path(), retrySeconds)
                    .with("Retry-After", Integer.toString(retrySeconds)));
        case CONFLICT ->
            Optional.of(
                ArmError.ANOTHER_OPERATION.answer(
                    Links.operation(
                        call,
                        balancer.id().subscription(),
                        balancer.location(),
                        "operations",
                        running.id())));
      };
    }
  }

  /**
   * What a PUT of a whole load balancer does to the addresses in its pools. Azure answers success
   * and changes none; templates that list them leave a new pool empty.
   */
  public enum ParentAddresses {
    /** Existing pools keep their addresses, and new pools are empty. */
    IGNORED,
    REPLACED
  }

  /**
   * What shows {@code Updating} while a pool is written or deleted. Azure's way was not recorded.
   */
  public enum UpdatingShown {
    /** The load balancer with everything in it. */
    SIBLINGS,
    WRITTEN;

    /** The name of the pool that alone shows a write; empty if everything does. */
    Optional<String> alone(ArmPath written) {
      return this == WRITTEN ? written.pool().map(PoolId::name) : Optional.empty();
    }
  }
}
