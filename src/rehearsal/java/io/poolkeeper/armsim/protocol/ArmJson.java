package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The simulator's JSON mapper, and the rendering of contents as bytes or trees. Writes compact
 * JSON.
 */
public final class ArmJson {
  public static final JsonMapper MAPPER =
      JsonMapper.builder().enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE).build();

  private static final Pattern PLACE = Pattern.compile("\\$(\\w+)");

  private ArmJson() {}

  /** The part of an answer that is rendered only when it is sent. */
  @FunctionalInterface
  public interface Content {
    void write(JsonGenerator out) throws IOException;
  }

  public static byte[] bytes(Content content) {
    var bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = MAPPER.createGenerator(bytes)) {
      content.write(out);
    } catch (IOException impossibleInMemory) {
      throw new UncheckedIOException(impossibleInMemory);
    }
    return bytes.toByteArray();
  }

  /** The content, which must be an object, as a tree. */
  public static ObjectNode tree(Content content) {
    try (var buffer = new TokenBuffer(MAPPER, false)) {
      content.write(buffer);
      return MAPPER.readTree(buffer.asParser());
    } catch (IOException impossibleInMemory) {
      throw new UncheckedIOException(impossibleInMemory);
    }
  }

  /** A copy of an object's members without the named ones and without nulls. */
  public static ObjectNode without(JsonNode object, Set<String> names) {
    ObjectNode copy = MAPPER.createObjectNode();
    object
        .properties()
        .forEach(
            member -> {
              if (!names.contains(member.getKey()) && !member.getValue().isNull()) {
                copy.set(member.getKey(), member.getValue());
              }
            });
    return copy;
  }

  /** The elements of an array of objects that may be missing; refused if it is something else. */
  public static Iterable<JsonNode> objects(String member, JsonNode array) {
    if (array.isMissingNode() || array.isNull()) {
      return List.of();
    }
    if (!array.isArray()) {
      throw ArmError.WRONG_TYPE.refused(member, "an array", array.getNodeType());
    }
    for (JsonNode item : array) {
      if (!item.isObject()) {
        throw ArmError.WRONG_TYPE.refused(member, "an array of objects", item.getNodeType());
      }
    }
    return array;
  }

  public static ObjectNode object(String json) {
    try {
      return MAPPER.readValue(json, ObjectNode.class);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(json, wrong);
    }
  }

  /** A document in the form of JSON, with values in the places of their {@code $names}. */
  public static ObjectNode object(String template, Map<String, String> values) {
    return object(
        PLACE
            .matcher(template)
            .replaceAll(place -> Matcher.quoteReplacement(quoted(values.get(place.group(1))))));
  }

  private static String quoted(@Nullable String value) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(String.valueOf(value)));
  }

  /** Adds copies of the members that an object lacks. */
  public static void complete(ObjectNode object, ObjectNode defaults) {
    List<String> names = new ArrayList<>();
    defaults.fieldNames().forEachRemaining(names::add);
    names.removeIf(object::has);
    copy(defaults, object, names);
  }

  /** Copies those of the members that an object has into another one. */
  public static void copy(JsonNode from, ObjectNode to, List<String> members) {
    for (String member : members) {
      if (from.has(member)) {
        to.set(member, from.get(member).deepCopy());
      }
    }
  }

  public static void reference(JsonGenerator out, String id) throws IOException {
    out.writeStartObject();
    out.writeStringField("id", id);
    out.writeEndObject();
  }

  /** Writes a member with an array of such objects. */
  public static void references(JsonGenerator out, String member, Collection<String> ids)
      throws IOException {
    out.writeArrayFieldStart(member);
    for (String id : ids) {
      reference(out, id);
    }
    out.writeEndArray();
  }

  /** Writes the members of an object, but the named ones, into the object being written. */
  public static void members(JsonGenerator out, JsonNode object, Set<String> but)
      throws IOException {
    for (var member : object.properties()) {
      if (!but.contains(member.getKey())) {
        field(out, member.getKey(), member.getValue());
      }
    }
  }

  /** Writes a member with a tree; cheaper than the mapper, which prepares itself for each tree. */
  public static void field(JsonGenerator out, String name, JsonNode value) throws IOException {
    out.writeFieldName(name);
    if (value.isTextual()) {
      out.writeString(value.textValue());
    } else if (value.isObject()) {
      out.writeStartObject();
      members(out, value, Set.of());
      out.writeEndObject();
    } else {
      out.writeTree(value);
    }
  }
}
