package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * Takes control characters out of what a terminal is to show. Some of it is written by tenants,
 * such as the message of a check: it must not move the cursor. Line ends stay.
 */
final class PrintableText {
  private static final String CONTROL = "[\\p{Cntrl}\\x{80}-\\x{9f}&&[^\n]]";

  private PrintableText() {}

  /** The same JSON, changed in place. */
  static JsonNode of(JsonNode node) {
    switch (node) {
      case ObjectNode object ->
          object.properties().forEach(member -> member.setValue(of(member.getValue())));
      case ArrayNode list -> {
        for (int item = 0; item < list.size(); item++) {
          list.set(item, of(list.get(item)));
        }
      }
      case TextNode text -> {
        return TextNode.valueOf(text.textValue().replaceAll(CONTROL, " "));
      }
      default -> {
        return node;
      }
    }
    return node;
  }
}
