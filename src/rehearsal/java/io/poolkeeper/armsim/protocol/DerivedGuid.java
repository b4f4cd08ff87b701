package io.poolkeeper.armsim.protocol;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A guid that follows from a text: always the same one, and of no resource. */
public final class DerivedGuid {
  private DerivedGuid() {}

  public static UUID of(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
