package io.poolkeeper.arm.azure;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Truncated;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A JSON object of an answer and where in the answer it is. A member that is null counts as absent;
 * one of another type than asked for fails with {@link ArmFailure.Kind#MALFORMED}.
 */
record Json(ObjectNode node, String path) {
  private static final int EXCERPT = 60;

  /** Keeps numbers exactly as they were written. */
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /** A part of a body: more may follow. */
  private static final ObjectReader PART =
      MAPPER.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** The objects of a page of a collection, and where the next page is. */
  record Page<T>(List<T> objects, Optional<String> next) {}

  @FunctionalInterface
  private interface BodyReader<T> {
    T read(JsonParser body) throws IOException;
  }

  /** The object that is the whole body of an answer. */
  static Json of(Answer answer) {
    JsonNode root = read(answer, MAPPER::readTree);
    if (!(root instanceof ObjectNode object)) {
      throw malformed(answer, "the body is JSON, but no object");
    }
    return new Json(object, "");
  }

  /** Reads the objects of a page one by one, as a whole tree takes many times its bytes. */
  static <T> Page<T> page(Answer answer, Function<Json, T> view) {
    return read(
        answer,
        body -> {
          Optional<List<T>> objects = Optional.empty();
          ObjectNode rest = MAPPER.createObjectNode();
          if (body.nextToken() != JsonToken.START_OBJECT) {
            throw malformed(answer, "the body is JSON, but no object");
          }
          for (String name = body.nextFieldName(); name != null; name = body.nextFieldName()) {
            if (body.nextToken() == JsonToken.START_ARRAY && name.equals("value")) {
              objects = Optional.of(objects(body, view));
            } else {
              rest.set(name, PART.readTree(body));
            }
          }
          if (body.nextToken() != null) {
            throw malformed(answer, "the body has text after its JSON");
          }
          return new Page<>(
              objects.orElseThrow(() -> malformed("value is no array")),
              new Json(rest, "").text("nextLink").filter(link -> !link.isBlank()));
        });
  }

  private static <T> List<T> objects(JsonParser array, Function<Json, T> view) throws IOException {
    List<T> objects = new ArrayList<>();
    while (array.nextToken() != JsonToken.END_ARRAY) {
      JsonNode element = PART.readTree(array);
      objects.add(view.apply(object(element, "value[%d]".formatted(objects.size()))));
    }
    return objects;
  }

  private static <T> T read(Answer answer, BodyReader<T> reader) {
    byte[] body = answer.body().toBytes();
    if (body.length == 0) {
      throw malformed(answer, "the body is empty");
    }
    try (JsonParser parser = MAPPER.createParser(body)) {
      return reader.read(parser);
    } catch (IOException e) {
      throw malformed(
          answer,
          "the body is no complete JSON (%s, %d bytes): %s"
              .formatted(
                  answer.contentType(),
                  body.length,
                  Truncated.to(EXCERPT, answer.body().toString())));
    }
  }

  static byte[] bytes(ObjectNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of JSON can always be written", e);
    }
  }

  private static ArmException malformed(Answer answer, String what) {
    return new ArmException(
        new ArmFailure(
                ArmFailure.Kind.MALFORMED, answer.status(), "", Failures.line("answer: " + what))
            .with(answer.ids()));
  }

  Optional<Json> object(String member) {
    return member(member).map(found -> object(found, path(member)));
  }

  private static Json object(JsonNode node, String path) {
    if (node instanceof ObjectNode object) {
      return new Json(object, path);
    }
    throw wrongType(path, node, "an object");
  }

  /** The objects of an array, empty if there is none. */
  List<Json> objects(String member) {
    List<Json> objects = new ArrayList<>();
    member(member, JsonNode::isArray, "an array")
        .ifPresent(
            array ->
                array.forEach(
                    element ->
                        objects.add(object(element, path(member) + "[" + objects.size() + "]"))));
    return objects;
  }

  Optional<String> text(String member) {
    return member(member, JsonNode::isTextual, "a string").map(JsonNode::textValue);
  }

  String requiredText(String member) {
    return text(member)
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> malformed(path(member) + " is missing"));
  }

  static ArmException malformed(String what) {
    return new ArmException(
        new ArmFailure(ArmFailure.Kind.MALFORMED, 200, "", Failures.line("answer: " + what)));
  }

  private Optional<JsonNode> member(String member) {
    return Optional.ofNullable(node.get(member)).filter(found -> !found.isNull());
  }

  private Optional<JsonNode> member(String member, Predicate<JsonNode> type, String allowed) {
    Optional<JsonNode> found = member(member);
    if (found.isPresent() && !type.test(found.get())) {
      throw wrongType(path(member), found.get(), allowed);
    }
    return found;
  }

  private String path(String member) {
    return path.isEmpty() ? member : path + "." + member;
  }

  private static ArmException wrongType(String path, JsonNode found, String allowed) {
    return malformed("%s is of type %s, must be %s".formatted(path, found.getNodeType(), allowed));
  }
}
