package io.poolkeeper.armsim.model;

/**
 * The circumstances under which one call is handled.
 *
 * @param retrySeconds in how many seconds a write that is refused because of another one may be
 *     retried, as its answer says
 * @param fate of the call if it is a write and is accepted
 */
public record Terms(Contention contention, int retrySeconds, Fate fate) {
  /** Later writes supersede earlier ones and all do what they say. */
  public static final Terms PLAIN = new Terms(Contention.SUPERSEDE, 0, Fate.APPLIED);
}
