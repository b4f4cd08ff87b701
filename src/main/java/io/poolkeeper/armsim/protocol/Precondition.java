package io.poolkeeper.armsim.protocol;

import java.util.Optional;

/** The check of {@code If-Match} against the one etag that a document has at that moment. */
public final class Precondition {
  private Precondition() {}

  /**
   * Refuses a call with another etag than the stored one; {@code *} matches any.
   *
   * @param wanted the header of the call
   * @param stored empty if there is no such document
   */
  public static void check(Optional<String> wanted, Optional<String> stored, String path) {
    if (wanted.isEmpty()) {
      return;
    }
    String given = wanted.get();
    String etag = stored.orElseThrow(() -> ArmError.NOTHING_TO_MATCH.refused(given));
    if (!given.equals("*") && !given.equals(etag)) {
      throw ArmError.ETAG_MISMATCH.refused(given, etag, path);
    }
  }
}
