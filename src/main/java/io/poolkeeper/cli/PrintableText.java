package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes from texts for a terminal what is no text. Tenants write some of them, such as the
 * message of a check, which must not move the cursor, turn the direction of what follows, or hide.
 * Each control or format character becomes a blank. Line ends stay, and so do format characters
 * where they belong to a script or to an emoji.
 */
final class PrintableText {
  /** Signs that are seen, although Unicode counts them as format characters. */
  private static final String SIGNS =
      "\\x{600}-\\x{605}\\x{6dd}\\x{70f}\\x{890}\\x{891}\\x{8e2}\\x{110bd}\\x{110cd}";

  private static final Pattern NO_TEXT =
      Pattern.compile(
          // A flag such as Scotland's is spelt in tags.
          "(\\x{1f3f4}[\\x{e0030}-\\x{e0039}\\x{e0061}-\\x{e007a}]{1,8}\\x{e007f}"
              // Scripts that join letters need joiners, and joined emoji too; Latin does not.
              + "|[[\\p{L}\\p{M}\\p{IsEmoji}]&&[^\\p{IsLatin}\\x00-\\x7f]][\\x{200c}\\x{200d}])"
              + "|[[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]&&[^\\n"
              + SIGNS
              + "]]");

  /** More marks than any script puts on a letter: they would cover the lines around. */
  private static final Pattern MARKS = Pattern.compile("(\\p{M}{8})\\p{M}+");

  private PrintableText() {}

  static String of(String text) {
    return NO_TEXT
        .matcher(MARKS.matcher(text).replaceAll("$1"))
        .replaceAll(
            found -> found.group(1) == null ? " " : Matcher.quoteReplacement(found.group(1)));
  }

  /** The same JSON, changed in place, names of members too. */
  static JsonNode of(JsonNode node) {
    if (node instanceof TextNode text) {
      return TextNode.valueOf(of(text.textValue()));
    } else if (node instanceof ObjectNode object) {
      Map<String, JsonNode> members = new LinkedHashMap<>();
      object
          .properties()
          .forEach(member -> members.put(of(member.getKey()), of(member.getValue())));
      object.removeAll();
      object.setAll(members);
    } else if (node instanceof ArrayNode list) {
      for (int item = 0; item < list.size(); item++) {
        list.set(item, of(list.get(item)));
      }
    }
    return node;
  }
}
