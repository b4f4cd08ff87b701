package io.poolkeeper.lab.armsim.protocol;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.lab.armsim.protocol.ArmJson.Content;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An answer of Resource Manager. The content is an immutable snapshot that is serialised later, off
 * the thread that owns the model.
 *
 * @param code of the error; empty for a success
 * @param headers those that depend on the answer; constant ones are added when it is sent
 */
public record ArmAnswer(
    int status, String code, Optional<Content> content, Map<String, String> headers) {

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
    return provider(404, "NotFound", "Resource " + id.path() + " not found.");
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

  public static ArmAnswer operationNotFound(String operation) {
    return provider(404, "NotFound", "Operation " + operation + " not found.");
  }

  public static ArmAnswer unknownType(String path) {
    return gateway(404, "InvalidResourceType", "The path '" + path + "' names no resource type.");
  }

  public static ArmAnswer notAllowed(ArmCall call) {
    return gateway(
        405,
        "HttpMethodNotAllowed",
        "The requested resource does not support this http method at '" + call.rawPath() + "'.");
  }

  /** A body that is JSON but not what the provider expects. */
  public static ArmAnswer unparsable(String detail, String message) {
    return provider(400, "InvalidRequestFormat", "Cannot parse the request.", detail, message);
  }

  /** The content as text, for people. */
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
