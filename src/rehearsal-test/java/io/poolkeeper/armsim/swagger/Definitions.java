package io.poolkeeper.armsim.swagger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The definitions of Azure's {@code loadBalancer.json} and {@code network.json} as one document of
 * JSON schemas, draft 4, which is the draft that Swagger 2 is made of. Nothing is loosened; what is
 * vague there is made precise:
 *
 * <ul>
 *   <li>{@code properties} without a type mean an object, and {@code allOf} is merged into it
 *   <li>{@code int32} is a range, {@code arm-id} a pattern; any other format but date-time, and any
 *       keyword that is not known here, is a failure rather than ignored
 *   <li>enumerations are closed although clients must expect more, as the simulator has no reason
 *       to know more; but for the status of an operation, where Azure itself says {@code Canceled}
 *   <li>an error has an {@code error} with a code and a message, as every recorded one has
 *   <li>what other files define (NICs, subnets, public addresses) is an object with an id
 * </ul>
 *
 * <p>A closed document also forbids members that are not declared, less those that real answers
 * have.
 */
final class Definitions {
  private static final String FOLDER = "/arm/swagger/";
  private static final String HERE = "#/definitions/";
  private static final Set<String> OPEN_ENUMS = Set.of("NetworkOperationStatus");
  private static final Set<String> ANNOTATIONS = Set.of("description", "title", "readOnly");

  /** Members that Azure shows and does not declare, as recorded. */
  private static final Map<String, List<String>> RECORDED =
      Map.of(
          "LoadBalancerBackendAddress", List.of("id", "etag", "type"),
          "LoadBalancerBackendAddressPropertiesFormat", List.of("provisioningState"));

  private static final Map<String, List<String>> REQUIRED =
      Map.of("CloudError", List.of("error"), "CloudErrorBody", List.of("code", "message"));

  private final JsonNode sources;
  private final boolean closed;

  private Definitions(JsonNode sources, boolean closed) {
    this.sources = sources;
    this.closed = closed;
  }

  /** A file of the swagger as it is. */
  static JsonNode read(String file) {
    try (InputStream in = Definitions.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + FOLDER + file);
      }
      return new JsonMapper().readTree(in);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** All definitions by name. */
  static ObjectNode prepared(boolean closed) {
    ObjectNode sources = JsonNodeFactory.instance.objectNode();
    for (String file : List.of("network.json", "loadBalancer.json")) {
      sources.setAll((ObjectNode) read(file).path("definitions"));
    }
    var definitions = new Definitions(sources, closed);
    ObjectNode prepared = JsonNodeFactory.instance.objectNode();
    sources
        .properties()
        .forEach(
            member ->
                prepared.set(
                    member.getKey(), definitions.schema(member.getKey(), member.getValue())));
    ObjectNode elsewhere = prepared.putObject("Elsewhere").put("type", "object");
    elsewhere.putObject("properties").putObject("id").put("type", "string");
    return prepared;
  }

  /** Where a reference of the swagger leads among the prepared definitions. */
  static String target(String reference) {
    String name = reference.substring(reference.lastIndexOf('/') + 1);
    boolean present = reference.startsWith("#") || reference.startsWith("./network.json#");
    return HERE + (present ? name : "Elsewhere");
  }

  private ObjectNode schema(String name, JsonNode source) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    if (source.has("$ref")) {
      // Members beside a reference are ignored in this draft.
      return schema.put("$ref", target(source.path("$ref").asText()));
    }
    source.properties().forEach(member -> keyword(schema, member.getKey(), member.getValue()));
    if (!OPEN_ENUMS.contains(source.at("/x-ms-enum/name").asText()) && source.has("enum")) {
      schema.set("enum", source.path("enum"));
    }
    REQUIRED
        .getOrDefault(name, List.of())
        .forEach(member -> schema.withArray("/required").add(member));
    if (schema.has("properties")) {
      schema.put("type", "object");
      RECORDED
          .getOrDefault(name, List.of())
          .forEach(
              member -> schema.withObject("/properties").putObject(member).put("type", "string"));
      if (closed && !schema.has("additionalProperties")) {
        schema.put("additionalProperties", false);
      }
    }
    return schema;
  }

  private void keyword(ObjectNode schema, String keyword, JsonNode value) {
    switch (keyword) {
      case "type", "pattern" -> schema.set(keyword, value);
      case "required" -> value.forEach(schema.withArray("/required")::add);
      case "enum" -> {} // depends on what it enumerates
      case "items" -> schema.set(keyword, schema("", value));
      case "additionalProperties" ->
          schema.set(keyword, value.isObject() ? schema("", value) : value);
      case "format" -> format(schema, value.asText());
      case "properties" -> properties(schema, value);
      case "allOf" -> value.forEach(part -> merge(schema, part));
      default -> {
        if (!keyword.startsWith("x-ms-") && !ANNOTATIONS.contains(keyword)) {
          throw new IllegalArgumentException("an unexpected keyword: " + keyword);
        }
      }
    }
  }

  private void properties(ObjectNode schema, JsonNode properties) {
    ObjectNode prepared = schema.withObject("/properties");
    properties
        .properties()
        .forEach(member -> prepared.set(member.getKey(), schema("", member.getValue())));
  }

  private void merge(ObjectNode schema, JsonNode part) {
    String reference = part.path("$ref").asText();
    JsonNode base = sources.path(reference.substring(reference.lastIndexOf('/') + 1));
    if (!base.isObject()) {
      throw new IllegalArgumentException("allOf something that is not here: " + part);
    }
    properties(schema, base.path("properties"));
    base.path("allOf").forEach(further -> merge(schema, further));
    ArrayNode required = schema.withArray("/required");
    base.path("required").forEach(required::add);
    if (required.isEmpty()) {
      schema.remove("required"); // must not be empty in this draft
    }
  }

  private static void format(ObjectNode schema, String format) {
    switch (format) {
      case "int32" -> schema.put("minimum", Integer.MIN_VALUE).put("maximum", Integer.MAX_VALUE);
      case "arm-id" -> schema.put("pattern", "^/subscriptions/[^/]+(/.+)?$");
      case "date-time" -> schema.put("format", format);
      default -> throw new IllegalArgumentException("an unexpected format: " + format);
    }
  }
}
