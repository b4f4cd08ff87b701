package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.annotation.JsonValue;
import io.poolkeeper.armsim.protocol.Members;

/**
 * One way in which Azure may answer otherwise than is assumed. None is in force by default. Each is
 * about a pool, unless it says something else. What is stored already stays as it is.
 */
public enum Deviation {
  /** A PUT or DELETE with a stale {@code If-Match} is accepted. */
  IF_MATCH_IGNORED,
  /** The admin state None is taken, but neither kept nor shown. */
  NONE_OMITTED,
  /** The admin state Down is taken, but neither kept nor shown. */
  DOWN_LOST,
  /** The etag of any resource moves when a write is accepted, and not when its operation ends. */
  ETAG_ONCE,
  /** A PUT with a member that only the server sets is refused. */
  READ_ONLY_REFUSED,
  /** Members that the provider does not know are not kept. */
  UNKNOWN_DROPPED,
  DUPLICATE_ADDRESS_ACCEPTED,
  DUPLICATE_NAME_ACCEPTED,
  /** A PUT with an address that is in no prefix of its virtual network is refused. */
  OUTSIDE_REFUSED,
  /** A pool that rules use is deleted, and their references to it with it. */
  USED_POOL_DELETED,
  /** A GET shows the ids of the pool and its entries as the request spells them. */
  CASE_ECHOED,
  /** No answer to any call says how many calls remain. */
  QUOTA_HEADERS_ABSENT,
  /** An accepted PUT names the result of its operation only, and not its status. */
  POLL_BY_LOCATION;

  /** The name in settings. */
  @JsonValue
  public String word() {
    return Members.word(this);
  }
}
