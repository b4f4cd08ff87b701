package io.poolkeeper.admission;

import java.time.Instant;
import java.util.Optional;

/** Whether the members of a binding's pool may be written: all answers of its checks together. */
public sealed interface Admission {
  /** Every check is Ready, or none is asked. */
  record Admitted() implements Admission {}

  /**
   * Membership waits.
   *
   * @param until when the checks are asked again, if a check has said a time; by the API server's
   *     clock
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
