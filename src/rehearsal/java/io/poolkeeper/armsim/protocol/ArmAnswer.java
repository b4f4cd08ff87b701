package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson.Content;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An answer of Resource Manager. The content is an immutable snapshot that is serialised later, off
 * the thread that owns the model.
 *
 * @param code of the error; empty for a success
 * @param headers those that depend on the answer; constant ones are added when it is sent
 */
public record ArmAnswer(
    int status, String code, Optional<Content> content, Map<String, String> headers) {
  private static final Pattern PROVIDER = Pattern.compile("(?i)/providers/([^/]+)/[^/]");

  public static ArmAnswer empty(int status) {
    return new ArmAnswer(status, "", Optional.empty(), Map.of());
  }

  public static ArmAnswer of(int status, Content content) {
    return new ArmAnswer(status, "", Optional.of(content), Map.of());
  }

  public static ArmAnswer of(int status, JsonNode document) {
    return of(status, out -> out.writeTree(document));
  }

  public ArmAnswer with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new ArmAnswer(status, code, content, more);
  }

  public ArmAnswer without(String header) {
    var fewer = new LinkedHashMap<>(headers);
    fewer.remove(header);
    return new ArmAnswer(status, code, content, fewer);
  }

  /** An error of the network provider, which always lists details. */
  public static ArmAnswer provider(int status, String code, String message) {
    return error(status, code, message, Optional.of(ArmJson.MAPPER.createArrayNode()));
  }

  /** An error of the network provider with one detail. */
  public static ArmAnswer provider(
      int status, String code, String message, String detail, String detailMessage) {
    ArrayNode details = ArmJson.MAPPER.createArrayNode();
    details.addObject().put("code", detail).put("message", detailMessage);
    return error(status, code, message, Optional.of(details));
  }

  /** An error of Resource Manager itself, in front of all providers. */
  public static ArmAnswer gateway(int status, String code, String message) {
    return error(status, code, message, Optional.empty()).with("x-ms-failure-cause", "gateway");
  }

  /** The refusal of a path that names nothing that is known. */
  public static ArmAnswer unknownType(ArmCall call) {
    Matcher provider = PROVIDER.matcher(call.rawPath());
    return provider.find()
        ? ArmError.UNKNOWN_TYPE.answer(provider.group(1), call.apiVersion().orElse(""))
        : ArmError.UNKNOWN_PATH.answer(call.rawPath());
  }

  public String text() {
    return content
        .map(known -> new String(ArmJson.bytes(known), StandardCharsets.UTF_8))
        .orElse("");
  }

  private static ArmAnswer error(
      int status, String code, String message, Optional<ArrayNode> details) {
    ObjectNode body = ArmJson.MAPPER.createObjectNode();
    ObjectNode error = body.putObject("error").put("code", code).put("message", message);
    details.ifPresent(some -> error.set("details", some));
    return new ArmAnswer(status, code, Optional.of(out -> out.writeTree(body)), Map.of());
  }
}
