package io.poolkeeper.armsim.model;

/**
 * The circumstances under which one call is handled.
 *
 * @param retrySeconds the seconds to wait in the refusal of a write because of another one
 * @param parentAddresses the fate of addresses in a PUT of a whole load balancer
 * @param updatingShown what shows that a pool is written
 * @param fate of the call if it is a write and is accepted
 */
public record Terms(
    Contention contention,
    int retrySeconds,
    ParentAddresses parentAddresses,
    UpdatingShown updatingShown,
    Fate fate) {
  public Terms with(Fate other) {
    return new Terms(contention, retrySeconds, parentAddresses, updatingShown, other);
  }

  /** Later writes supersede earlier ones, and all are applied. */
  public static final Terms PLAIN =
      new Terms(
          Contention.SUPERSEDE, 0, ParentAddresses.IGNORED, UpdatingShown.SIBLINGS, Fate.APPLIED);
}
