package io.poolkeeper.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.verify.CheckRun.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The report of a run: as text of at most 80 columns, and as JSON with all exchanges, in the form
 * of recordings that {@code arm-sim --compare} reads. Both name nobody.
 */
record VerifyReport(
    String version,
    String apiVersion,
    Place place,
    List<Result> results,
    Recorder recorder,
    Pseudonyms names,
    boolean tidy) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int WIDTH = 80;
  private static final Pattern WORDS = Pattern.compile("\\S+");

  /** The same, when it is known whether all that was made is gone. */
  VerifyReport tidied(boolean gone) {
    return new VerifyReport(version, apiVersion, place, results, recorder, names, gone);
  }

  boolean allHold() {
    return tidy
        && results.stream().allMatch(one -> one.finding().verdict() == AssumptionVerdict.HOLDS);
  }

  /** One result. */
  static List<String> lines(Result result, Pseudonyms names) {
    List<String> lines = new ArrayList<>();
    lines.add("%-8s %s".formatted(result.finding().verdict(), result.check().id()));
    wrap(lines, result.check().assumption());
    wrap(lines, "Seen: " + names.of(result.finding().seen()));
    if (result.finding().verdict() == AssumptionVerdict.DIFFERS) {
      wrap(lines, "Then: " + result.check().follows());
    }
    return lines;
  }

  private static void wrap(List<String> lines, String text) {
    String indent = " ".repeat(9);
    StringBuilder line = new StringBuilder(indent);
    Matcher words = WORDS.matcher(text);
    while (words.find()) {
      boolean first = line.length() == indent.length();
      if (!first && line.length() + 1 + words.group().length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(indent.length());
        first = true;
      }
      line.append(first ? "" : " ").append(words.group());
    }
    lines.add(line.toString());
  }

  /** How many hold, and which do not. */
  List<String> summary() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d hold, %d differ, %d unknown."
            .formatted(
                ids(AssumptionVerdict.HOLDS).size(),
                ids(AssumptionVerdict.DIFFERS).size(),
                ids(AssumptionVerdict.UNKNOWN).size()));
    for (AssumptionVerdict verdict :
        List.of(AssumptionVerdict.DIFFERS, AssumptionVerdict.UNKNOWN)) {
      if (!ids(verdict).isEmpty()) {
        wrap(lines, verdict + ": " + String.join(", ", ids(verdict)));
      }
    }
    return lines;
  }

  /** The checks that have come to that. */
  List<String> ids(AssumptionVerdict verdict) {
    return results.stream()
        .filter(one -> one.finding().verdict() == verdict)
        .map(one -> one.check().id())
        .toList();
  }

  String json() {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("kind", "poolkeeper-verify-azure");
    root.put("version", version);
    root.put("apiVersion", apiVersion);
    root.put("location", place.location());
    root.put("run", place.run());
    var checks = root.putArray("checks");
    for (Result result : results) {
      checks
          .addObject()
          .put("id", result.check().id())
          .put("assumption", result.check().assumption())
          .put("verdict", result.finding().verdict().toString())
          .put("seen", result.finding().seen())
          .put("follows", result.check().follows());
    }
    var interactions = root.putArray("interactions");
    for (Recorder.Recorded recorded : recorder.all()) {
      boolean whole = !recorded.check().equals(AnswerChecks.ADAPTER.id());
      if (whole && !ofGroup(recorded.exchange())) {
        int id = interactions.size();
        ObjectNode one = interactions.addObject().put("id", id).put("check", recorded.check());
        interaction(one, recorded.exchange());
      }
    }
    try {
      return names.of(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("JSON that is none", impossible);
    }
  }

  /** Whether it is about the group itself, whose tags and other resources are the user's own. */
  private static boolean ofGroup(ArmExchange exchange) {
    return exchange
        .url()
        .matches("(?i)/subscriptions/[^/?]+/resourceGroups/[^/?]+(/resources)?\\?.*");
  }

  private static void interaction(ObjectNode node, ArmExchange exchange) {
    node.put("t", exchange.at().toString());
    ObjectNode request = node.putObject("request");
    request.put("method", exchange.method()).put("url", exchange.url());
    if (!exchange.sent().isEmpty()) {
      exchange.sent().forEach(request.putObject("headers")::put);
    }
    body(request, exchange.body());
    ObjectNode response = node.putObject("response");
    response.put("status", exchange.status()).put("millis", exchange.millis());
    exchange.headers().forEach(response.putObject("headers")::put);
    body(response, exchange.answer());
  }

  private static void body(ObjectNode of, JsonNode body) {
    if (!body.isMissingNode()) {
      of.set("body", body.deepCopy());
      // A policy may give each resource those of the user.
      if (of.path("body").path("tags") instanceof ObjectNode tags) {
        tags.retain(Place.TAG);
      }
    }
  }
}
