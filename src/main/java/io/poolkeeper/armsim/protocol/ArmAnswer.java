package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson.Content;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
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

  /** A success without content. */
  public static ArmAnswer empty(int status) {
    return new ArmAnswer(status, "", Optional.empty(), Map.of());
  }

  public static ArmAnswer of(int status, Content content) {
    return new ArmAnswer(status, "", Optional.of(content), Map.of());
  }

  public ArmAnswer with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new ArmAnswer(status, code, content, more);
  }

  /** An error of the network provider, which always lists details. */
  public static ArmAnswer provider(int status, String code, String message) {
    return error(status, code, message, ArmJson.MAPPER.createArrayNode());
  }

  /** An error of the network provider with one detail. */
  public static ArmAnswer provider(
      int status, String code, String message, String detail, String detailMessage) {
    ArrayNode details = ArmJson.MAPPER.createArrayNode();
    details.addObject().put("code", detail).put("message", detailMessage);
    return error(status, code, message, details);
  }

  /** An error of Resource Manager itself, in front of all providers. */
  public static ArmAnswer gateway(int status, String code, String message) {
    ObjectNode error = body(code, message);
    return new ArmAnswer(status, code, Optional.of(out -> out.writeTree(error)), Map.of())
        .with("x-ms-failure-cause", "gateway");
  }

  public static ArmAnswer groupNotFound(String group) {
    return gateway(
        404, "ResourceGroupNotFound", "Resource group '" + group + "' could not be found.");
  }

  public static ArmAnswer notFound(LoadBalancerId id) {
    return gateway(
        404,
        "ResourceNotFound",
        "The Resource 'Microsoft.Network/loadBalancers/%s' under resource group '%s' was not found."
                .formatted(id.name(), id.resourceGroup())
            + " For more details please go to https://aka.ms/ARMResourceNotFoundFix");
  }

  public static ArmAnswer notFound(PoolId id) {
    return partNotFound(id.path());
  }

  /** Recorded for pools; assumed for other kinds of parts. */
  public static ArmAnswer partNotFound(String path) {
    return provider(404, "NotFound", "Resource " + path + " not found.");
  }

  /** The refusal of an id in a body that does not exist. */
  public static ArmAnswer invalidReference(String referenced, String by) {
    return provider(
        400,
        "InvalidResourceReference",
        "Resource %s referenced by resource %s was not found. Please make sure that the referenced"
                .formatted(referenced, by)
            + " resource exists, and that both resources are in the same region.");
  }

  public static ArmAnswer etagMismatch(String given, String stored, String resource) {
    return provider(
        412,
        "PreconditionFailed",
        "Precondition failed.",
        "PreconditionFailedEtagMismatch",
        "Etag provided in if-match header %s does not match etag %s of resource %s in NRP data store."
            .formatted(given, stored, resource));
  }

  public static ArmAnswer nothingToMatch(String given) {
    return provider(
        412,
        "PreconditionFailed",
        "Precondition failed.",
        "PreconditionFailedEtagMismatch",
        "Etag provided in if-match header " + given + " but the resource does not exist.");
  }

  /** The answer for an unknown operation; not recorded. */
  public static ArmAnswer operationNotFound(String operation) {
    return provider(404, "NotFound", "Operation " + operation + " not found.");
  }

  /** The answer for a path under a provider is from users' reports; the others are not recorded. */
  public static ArmAnswer unknownType(ArmCall call) {
    Matcher provider = PROVIDER.matcher(call.rawPath());
    return gateway(
        404,
        "InvalidResourceType",
        provider.find()
            ? "The resource type could not be found in the namespace '%s' for api version '%s'."
                .formatted(provider.group(1), call.apiVersion().orElse(""))
            : "The path '" + call.rawPath() + "' names no resource type.");
  }

  /** Code and text are not recorded; clients use the status. */
  public static ArmAnswer notAllowed(ArmCall call) {
    return gateway(
        405,
        "HttpMethodNotAllowed",
        "The requested resource does not support this http method at '" + call.rawPath() + "'.");
  }

  /** For features that the simulator lacks; Azure's clients do not retry a 501. */
  public static ArmAnswer notImplemented(String what) {
    return gateway(501, "NotImplemented", "The simulator does not implement '" + what + "'.");
  }

  /** A body that is JSON but not what the provider expects. */
  public static ArmAnswer unparsable(String detail, String message) {
    return provider(400, "InvalidRequestFormat", "Cannot parse the request.", detail, message);
  }

  /** The content as readable text. */
  public static String text(ArmAnswer answer) {
    return answer
        .content()
        .map(content -> new String(ArmJson.bytes(content), StandardCharsets.UTF_8))
        .orElse("");
  }

  private static ArmAnswer error(int status, String code, String message, ArrayNode details) {
    ObjectNode body = body(code, message);
    body.withObject("/error").set("details", details);
    return new ArmAnswer(status, code, Optional.of(out -> out.writeTree(body)), Map.of());
  }

  private static ObjectNode body(String code, String message) {
    ObjectNode body = ArmJson.MAPPER.createObjectNode();
    body.putObject("error").put("code", code).put("message", message);
    return body;
  }
}
