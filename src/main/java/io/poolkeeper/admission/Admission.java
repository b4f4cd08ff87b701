package io.poolkeeper.admission;

import java.time.Instant;
import java.util.Optional;

/** The answers of a binding's checks together, for the writes of its pool. */
public sealed interface Admission {
  /** Every check is Ready, or none is asked. */
  record Admitted() implements Admission {}

  /**
   * Membership waits.
   *
   * @param until not before then, if a check has said a time; the checks are asked again then. By
   *     the API server's clock
   * @param why for people, bounded
   */
  record Held(Optional<Instant> until, String why) implements Admission {}

  /**
   * Membership waits until a check or the spec changes; nothing is asked again.
   *
   * @param why for people, bounded
   */
  record Rejected(String why) implements Admission {}

  /** The binding wants nothing and holds nothing. */
  record Inactive() implements Admission {}
}
