package io.poolkeeper.armsim.swagger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks requests and answers against Azure's swagger of load balancers: route, query, status and
 * body. Answers may only have members that are declared or were recorded; requests may have any, as
 * a client sends back what it read. Returns the errors as texts. Thread-safe.
 */
public final class ArmSchema {
  private static final String ERROR = "CloudError";
  private static final String POLL = "AzureAsyncOperationResult";

  /** The undeclared parameter of links to further pages. */
  private static final String PAGE = "$skipToken";

  private static final String LOCATION =
      "(?i)/subscriptions/[^/]+/providers/Microsoft.Network/locations/[^/]+";

  private static final Pattern STATUS = Pattern.compile(LOCATION + "/operations/[^/]+");
  private static final Pattern RESULT = Pattern.compile(LOCATION + "/operationResults/[^/]+");

  private final List<Route> routes = new ArrayList<>();
  private final Map<String, JsonSchema> open = new ConcurrentHashMap<>();
  private final Map<String, JsonSchema> closed = new ConcurrentHashMap<>();
  private final ObjectNode openDefinitions = Definitions.prepared(false);
  private final ObjectNode closedDefinitions = Definitions.prepared(true);

  private record Route(String method, String template, Pattern path, JsonNode operation) {
    String name() {
      return method + " " + template;
    }
  }

  /** Reads the swagger. */
  public ArmSchema() {
    JsonNode swagger = Definitions.read("loadBalancer.json");
    JsonNode shared = Definitions.read("network.json").path("parameters");
    swagger
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        method ->
                            routes.add(
                                route(
                                    method.getKey().toUpperCase(Locale.ROOT),
                                    path.getKey(),
                                    method.getValue(),
                                    shared))));
  }

  /** Resolves references to parameters. */
  private static Route route(String method, String template, JsonNode operation, JsonNode shared) {
    ObjectNode resolved = operation.deepCopy();
    var parameters = JsonNodeFactory.instance.arrayNode();
    for (JsonNode parameter : operation.path("parameters")) {
      String reference = parameter.path("$ref").asText("");
      JsonNode there = shared.path(reference.substring(reference.lastIndexOf('/') + 1));
      parameters.add(reference.isEmpty() ? parameter : there);
    }
    resolved.set("parameters", parameters);
    StringBuilder path = new StringBuilder("(?i)");
    for (String part : template.substring(1).split("/", -1)) {
      path.append('/');
      path.append(part.startsWith("{") ? value(part, parameters) : Pattern.quote(part));
    }
    return new Route(method, template, Pattern.compile(path.toString()), resolved);
  }

  private static String value(String placeholder, JsonNode parameters) {
    for (JsonNode parameter : parameters) {
      if (placeholder.equals("{" + parameter.path("name").asText() + "}")) {
        String pattern = parameter.path("pattern").asText("^[^/]+$");
        return pattern.substring(1, pattern.length() - 1);
      }
    }
    throw new IllegalArgumentException("undeclared " + placeholder);
  }

  /** The names of all routes, such as {@code GET /subscriptions/{subscriptionId}/...}. */
  public Set<String> routes() {
    Set<String> names = new TreeSet<>();
    routes.forEach(route -> names.add(route.name()));
    return names;
  }

  /** The route of a request; empty if it is not about load balancers. */
  public Optional<String> route(String method, String path) {
    return find(method, path).map(Route::name);
  }

  private Optional<Route> find(String method, String path) {
    return routes.stream()
        .filter(route -> route.method().equals(method) && route.path().matcher(path).matches())
        .findFirst();
  }

  /** The errors of a request. */
  public List<String> request(String method, String path, String query, Optional<JsonNode> body) {
    Optional<Route> found = find(method, path);
    if (found.isEmpty()) {
      return List.of("no such route: " + method + " " + path);
    }
    JsonNode parameters = found.get().operation().path("parameters");
    List<String> problems = new ArrayList<>(query(parameters, query));
    Optional<JsonNode> wanted =
        stream(parameters).filter(one -> one.path("in").asText().equals("body")).findFirst();
    if (wanted.isPresent() != body.isPresent()) {
      problems.add(wanted.isPresent() ? "the body is missing" : "an unexpected body");
    } else if (body.isPresent()) {
      problems.addAll(problems(name(wanted.get().path("schema")), body.get(), false));
    }
    return problems;
  }

  private static List<String> query(JsonNode parameters, String query) {
    List<String> given =
        Stream.of(query.split("&", -1))
            .filter(part -> !part.isEmpty())
            .map(
                part ->
                    part.substring(0, part.indexOf('=') < 0 ? part.length() : part.indexOf('=')))
            .toList();
    List<String> problems = new ArrayList<>();
    List<String> known = new ArrayList<>(List.of(PAGE));
    stream(parameters)
        .filter(one -> one.path("in").asText().equals("query"))
        .forEach(
            one -> {
              String name = one.path("name").asText();
              known.add(name);
              if (one.path("required").asBoolean() && !given.contains(name)) {
                problems.add("the query lacks " + name);
              }
            });
    given.stream()
        .filter(name -> !known.contains(name))
        .forEach(name -> problems.add("the query has " + name + ", known are " + known));
    return problems;
  }

  /** The errors of an answer about load balancers or the status of an operation. */
  public List<String> response(String method, String path, int status, Optional<JsonNode> body) {
    if (STATUS.matcher(path).matches()) {
      return answer(Optional.of(status < 400 ? POLL : ERROR), body);
    }
    if (RESULT.matcher(path).matches()) {
      return status < 400 ? answer(Optional.empty(), body) : error(body);
    }
    Optional<Route> found = find(method, path);
    if (found.isEmpty()) {
      // An unknown method or path must be refused.
      return status < 400 ? List.of("no such route: " + method + " " + path) : error(body);
    }
    JsonNode responses = found.get().operation().path("responses");
    JsonNode declared = responses.path(Integer.toString(status));
    if (declared.isMissingNode()) {
      return status < 400
          ? List.of("status %d, declared are %s".formatted(status, responses.properties()))
          : error(body);
    }
    return answer(
        declared.has("schema") ? Optional.of(name(declared.path("schema"))) : Optional.empty(),
        body);
  }

  private List<String> error(Optional<JsonNode> body) {
    return answer(Optional.of(ERROR), body);
  }

  private List<String> answer(Optional<String> definition, Optional<JsonNode> body) {
    if (definition.isPresent() != body.isPresent()) {
      return List.of(definition.isPresent() ? "the body is missing" : "an undeclared body");
    }
    return definition.map(name -> problems(name, body.orElseThrow(), true)).orElse(List.of());
  }

  /** The errors of a document; with {@code only}, undeclared members are errors. */
  public List<String> problems(String definition, JsonNode document, boolean only) {
    JsonSchema schema =
        (only ? closed : open)
            .computeIfAbsent(
                definition, name -> schema(name, only ? closedDefinitions : openDefinitions));
    return schema.validate(document).stream().map(Object::toString).sorted().toList();
  }

  private static JsonSchema schema(String name, ObjectNode definitions) {
    if (!definitions.has(name)) {
      throw new IllegalArgumentException("no definition " + name);
    }
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("$schema", "http://json-schema.org/draft-04/schema#");
    root.set("definitions", definitions);
    root.putArray("allOf").addObject().put("$ref", "#/definitions/" + name);
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V4).getSchema(root);
  }

  private static String name(JsonNode reference) {
    String target = Definitions.target(reference.path("$ref").asText());
    return target.substring(target.lastIndexOf('/') + 1);
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    List<JsonNode> items = new ArrayList<>();
    array.forEach(items::add);
    return items.stream();
  }
}
