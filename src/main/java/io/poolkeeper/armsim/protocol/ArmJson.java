package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * The simulator's JSON mapper, and the rendering of contents as bytes or trees. Writes compact
 * JSON.
 */
public final class ArmJson {
  public static final JsonMapper MAPPER = JsonMapper.builder().build();

  private ArmJson() {}

  /** The part of an answer that is rendered only when it is sent. */
  @FunctionalInterface
  public interface Content {
    void write(JsonGenerator out) throws IOException;
  }

  /** The content as compact UTF-8. */
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

  /** Writes all members of an object into the object being written. */
  public static void members(JsonGenerator out, ObjectNode object) throws IOException {
    for (var member : object.properties()) {
      out.writeFieldName(member.getKey());
      out.writeTree(member.getValue());
    }
  }
}
