package io.poolkeeper.verify;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Replaces in a text what names people and what they own: ids, the resource group, the identity,
 * and the signatures of operation URLs. The same is replaced alike throughout a report.
 */
final class Pseudonyms {
  private static final Pattern ID =
      Pattern.compile("(?i)\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b");

  private static final Pattern CLIENT = Pattern.compile("(?i)(\\bclient ')[^']*'");
  private static final Pattern MANAGEMENT_GROUP =
      Pattern.compile("(?i)(/managementGroups/)[^/'\" ]+");
  private static final Pattern SIGNATURE =
      Pattern.compile("(\\?api-version=[^&\"]*)&[^\"\\\\\\s]*");

  /** A policy may name what is elsewhere, such as a security group. */
  private static final Pattern OTHER_GROUP =
      Pattern.compile("(?i)(/resourceGroups/)(?!scratch(?:[/'\"?\\\\]|$))[^/'\"?\\\\\\s]+");

  private static final Pattern OTHER_NAME =
      Pattern.compile(
          "(?i)(/resourceGroups/[^/]+/providers/[^/]+/[^/'\"?\\\\\\s]+/)(?!poolkeeper-verify-)[^/'\"?\\\\\\s]+");

  private final Pattern group;
  private final Map<String, String> ids = new HashMap<>();

  Pseudonyms(String group) {
    this.group =
        Pattern.compile(
            "(?i)(/resourceGroups/|resource group '|\"name\" : \")(%s|%s)(?=[/'\"?\\\\]|$)"
                .formatted(Pattern.quote(group), Pattern.quote(escaped(group))),
            Pattern.UNICODE_CASE);
  }

  /** As a URL has it. */
  private static String escaped(String group) {
    try {
      return new URI(null, null, "/" + group, null).toASCIIString().substring(1);
    } catch (URISyntaxException impossible) {
      throw new IllegalArgumentException(group, impossible);
    }
  }

  String of(String text) {
    String without = SIGNATURE.matcher(text).replaceAll("$1");
    without = group.matcher(without).replaceAll("$1scratch");
    without = OTHER_GROUP.matcher(without).replaceAll("$1other");
    without = OTHER_NAME.matcher(without).replaceAll("$1other");
    without = CLIENT.matcher(without).replaceAll("$1somebody'");
    without = MANAGEMENT_GROUP.matcher(without).replaceAll("$1somewhere");
    return ID.matcher(without).replaceAll(this::id);
  }

  private String id(MatchResult found) {
    return ids.computeIfAbsent(
        found.group().toLowerCase(Locale.ROOT),
        any -> "00000000-0000-0000-0000-%012d".formatted(ids.size() + 1));
  }
}
