package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Optional;

/**
 * One request to Resource Manager, parsed but not judged.
 *
 * @param rawPath undecoded, for logs and fault rules
 * @param rawQuery undecoded, without the question mark; may be empty
 * @param origin scheme, host and port under which the caller reached the simulator; links in
 *     answers start with it
 * @param skipToken where the requested page of a list begins
 */
public record ArmCall(
    Method method,
    String rawPath,
    String rawQuery,
    ArmPath path,
    String origin,
    Optional<String> apiVersion,
    Optional<String> ifMatch,
    Optional<String> skipToken,
    Body body) {

  public enum Method {
    GET,
    HEAD,
    PUT,
    PATCH,
    POST,
    DELETE,
    OTHER;

    public static Method of(String name) {
      return Arrays.stream(values())
          .filter(method -> method.name().equals(name))
          .findFirst()
          .orElse(OTHER);
    }
  }

  public sealed interface Body {
    record Absent() implements Body {}

    /** A JSON document of any type. */
    record Json(JsonNode value) implements Body {}

    /** Not JSON; {@code why} is readable. */
    record Malformed(String why) implements Body {}

    /** More bytes than Resource Manager accepts. */
    record TooLarge(long limitBytes) implements Body {}
  }

  public ArmCall as(Method other) {
    return new ArmCall(
        other, rawPath, rawQuery, path, origin, apiVersion, ifMatch, skipToken, body);
  }

  /** Whether the call would change a load balancer. */
  public boolean writes() {
    boolean changes = method == Method.PUT || method == Method.PATCH || method == Method.DELETE;
    return changes && path.loadBalancer().isPresent();
  }

  /** The body as an object; refuses anything else. */
  public JsonNode object() {
    JsonNode value =
        switch (body) {
          case Body.Json json -> json.value();
          case Body.Absent absent -> throw ArmError.BODY_MALFORMED.refused("the body is empty");
          case Body.Malformed malformed -> throw ArmError.BODY_MALFORMED.refused(malformed.why());
          case Body.TooLarge large -> throw ArmError.BODY_TOO_LARGE.refused(large.limitBytes());
        };
    if (!value.isObject()) {
      throw ArmError.BODY_MALFORMED.refused("expected an object but found " + value.getNodeType());
    }
    return value;
  }
}
