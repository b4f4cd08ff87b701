package io.poolkeeper.lab.cluster;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Makes the UIDs of the embedded API server differ from the start: it counts them, and names in
 * Azure contain only the beginning of a UID. The same count always gives the same UID.
 */
final class Uids {
  private static final Pattern COUNTED =
      Pattern.compile("(?<=\"uid\":\")00000000-0000-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private Uids() {}

  /** The text with every counted UID replaced. */
  static String spread(String json) {
    return COUNTED
        .matcher(json)
        .replaceAll(
            counted ->
                UUID.nameUUIDFromBytes(counted.group().getBytes(StandardCharsets.UTF_8))
                    .toString());
  }
}
