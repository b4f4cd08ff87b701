package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  /** The first version of the network provider whose pools have today's admin state. */
  private static final String FIRST_VERSION = "2022-11-01";

  private static final Pattern VERSION = Pattern.compile("\\d{4}-\\d{2}-\\d{2}(?:-preview)?");

  private static final Pattern PARAMETER =
      Pattern.compile("(?:^|&)(api-version|(?:\\$|%24)skipToken)=([^&]*)");

  /** A call without HTTP: the target is a path and, after a question mark, a query. */
  public static ArmCall to(
      Method method, String origin, String target, Optional<String> ifMatch, Body body) {
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    String query = question < 0 ? "" : target.substring(question + 1);
    Map<String, String> parameters = new TreeMap<>();
    for (Matcher found = PARAMETER.matcher(query); found.find(); ) {
      parameters.put(found.group(1).replace("%24", "$"), decoded(found.group(2)));
    }
    return new ArmCall(
        method,
        path,
        query,
        ArmPath.parse(path),
        origin,
        Optional.ofNullable(parameters.get("api-version")),
        ifMatch,
        Optional.ofNullable(parameters.get("$skipToken")),
        body);
  }

  private static String decoded(String parameter) {
    try {
      return URLDecoder.decode(parameter, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException wronglyEncoded) {
      return parameter;
    }
  }

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

    record Json(JsonNode value) implements Body {}

    /** Not JSON; {@code why} is readable. */
    record Malformed(String why) implements Body {}

    record TooLarge(long limitBytes) implements Body {}
  }

  public ArmCall as(Method other) {
    return new ArmCall(
        other, rawPath, rawQuery, path, origin, apiVersion, ifMatch, skipToken, body);
  }

  /**
   * The refusal of an {@code api-version} that is missing, malformed or, at the provider, too old.
   * All versions that are served share one model; other providers have other versions.
   */
  public Optional<ArmAnswer> versionRefusal() {
    if (apiVersion.isEmpty()) {
      return Optional.of(ArmError.MISSING_API_VERSION.answer());
    }
    String given = apiVersion.get();
    if (!VERSION.matcher(given).matches()) {
      return Optional.of(ArmError.INVALID_API_VERSION.answer(given));
    }
    return path.ofBalancers() && given.compareTo(FIRST_VERSION) < 0
        ? Optional.of(ArmError.UNSUPPORTED_API_VERSION.answer(given, FIRST_VERSION))
        : Optional.empty();
  }

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
