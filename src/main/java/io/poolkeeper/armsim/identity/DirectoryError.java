package io.poolkeeper.armsim.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.UUID;

/** A refusal of the directory (RFC 6749, section 5.2, with Azure's additions). */
final class DirectoryError extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

  private final int status;
  private final String error;
  private final int number;

  /** With the number of Azure's error, without the prefix AADSTS. */
  DirectoryError(int status, String error, int number, String message) {
    super(message, null, false, false);
    this.status = status;
    this.error = error;
    this.number = number;
  }

  static DirectoryError missing(String parameter) {
    return new DirectoryError(
        400,
        "invalid_request",
        900144,
        "The request body must contain the following parameter: '" + parameter + "'.");
  }

  IdentityAnswer answer(IdentityCall call, Instant now) {
    String correlation = call.header("client-request-id").orElseGet(() -> guid(call + " " + now));
    String trace = guid(correlation + " " + now);
    String time = TIME.format(now);
    ObjectNode node = ArmJson.MAPPER.createObjectNode();
    node.put("error", error);
    node.put(
        "error_description",
        "AADSTS%d: %s Trace ID: %s Correlation ID: %s Timestamp: %s"
            .formatted(number, getMessage(), trace, correlation, time));
    node.putArray("error_codes").add(number);
    node.put("timestamp", time).put("trace_id", trace).put("correlation_id", correlation);
    node.put("error_uri", call.origin() + "/error?code=" + number);
    return new IdentityAnswer(status, node);
  }

  private static String guid(String of) {
    return UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
