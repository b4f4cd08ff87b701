package io.poolkeeper.armsim.protocol;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Absolute links in answers. Links to operations end in a long query that looks signed, like real
 * ones; it is derived from the operation's guid, so it is not stored.
 */
public final class Links {
  private static final int CERTIFICATE_BYTES = 1_440;
  private static final int SIGNATURE_BYTES = 256;
  private static final int HASH_BYTES = 32;
  private static final long TICKS = 639_000_000_000_000_000L;

  private Links() {}

  /** A link to an operation; the collection is operations or operationResults. */
  public static String operation(
      ArmCall call, String subscription, String location, String collection, String id) {
    return signed(
        call,
        subscription,
        "providers/Microsoft.Network/locations/%s/%s/%s"
            .formatted(encode(place(location)), collection, id),
        UUID.fromString(id));
  }

  public static String groupDeletion(ArmCall call, String subscription, String job) {
    return signed(call, subscription, "operationresults/" + job, DerivedGuid.of(job));
  }

  private static String signed(ArmCall call, String subscription, String path, UUID guid) {
    return "%s/subscriptions/%s/%s?api-version=%s&%s"
        .formatted(
            call.origin(), subscription, path, call.apiVersion().orElse(""), signature(guid));
  }

  /** The normal form of a location: "East US" is eastus. */
  public static String place(String location) {
    return location.replace(" ", "").toLowerCase(Locale.ROOT);
  }

  /** The id of the deletion of a group in links, as recorded. */
  public static String deletionJob(GroupId group, String location) {
    String place = place(location);
    String name = (group.name().replace("-", ":2D") + "-" + place).toUpperCase(Locale.ROOT);
    String job =
        "{\"jobId\":\"RESOURCEGROUPDELETIONJOB-%s\",\"jobLocation\":\"%s\"}".formatted(name, place);
    return base64(job.getBytes(StandardCharsets.UTF_8));
  }

  /** The link to the page of the same list that follows the named item. */
  public static String nextPage(ArmCall call, String last) {
    return "%s%s?api-version=%s&$skipToken=%s"
        .formatted(call.origin(), call.rawPath(), call.apiVersion().orElse(""), encode(last));
  }

  private static String signature(UUID guid) {
    var bits = new SplittableRandom(guid.getMostSignificantBits() ^ guid.getLeastSignificantBits());
    return "t=%d&c=%s&s=%s&h=%s"
        .formatted(
            TICKS + bits.nextInt(Integer.MAX_VALUE),
            text(bits, CERTIFICATE_BYTES),
            text(bits, SIGNATURE_BYTES),
            text(bits, HASH_BYTES));
  }

  private static String text(SplittableRandom bits, int length) {
    byte[] bytes = new byte[length];
    bits.nextBytes(bytes);
    return base64(bytes);
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
