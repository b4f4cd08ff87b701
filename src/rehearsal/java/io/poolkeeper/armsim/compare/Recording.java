package io.poolkeeper.armsim.compare;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.compare.Interaction.Recorded;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.Truncated;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Recorded exchanges with Azure, in the order in which they were sent: a report of {@code
 * verify-azure}, or the list of its interactions alone. At least one.
 */
record Recording(List<Interaction> interactions) {
  /** Of links in the simulator's answers. */
  static final String ORIGIN = "https://management.azure.com";

  private static final int MAX_BYTES = 64 << 20;
  private static final int MAX_SHOWN = 320; // characters
  private static final String ALLOWED = "a report of verify-azure of at most 64 MiB";
  private static final Pattern HOST = Pattern.compile("https?://[^/?]+(?=/)");
  private static final Pattern STATUS = Pattern.compile("[1-5]\\d\\d");

  /** Reads a file; empty if there is a problem with it. */
  static Optional<Recording> read(Path file, List<String> problems) {
    var reader = new Reader(file.toString(), problems);
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        reader.wrong("", "a longer file", ALLOWED);
        return Optional.empty();
      }
      return parse(file.toString(), ArmJson.MAPPER.readTree(bytes), problems);
    } catch (JsonProcessingException wrong) {
      // Without the text in question: the file may be another one, with a secret in it.
      JsonLocation at = wrong.getLocation();
      String where = at == null ? "" : "line %d".formatted(at.getLineNr());
      reader.wrong(where, "text that is not JSON", ALLOWED);
    } catch (NoSuchFileException missing) {
      reader.wrong("", "no such file", ALLOWED);
    } catch (IOException unreadable) {
      reader.wrong("", "a file that cannot be read", ALLOWED);
    }
    return Optional.empty();
  }

  /** Empty if there is a problem. */
  static Optional<Recording> parse(String file, JsonNode root, List<String> problems) {
    var reader = new Reader(file, problems);
    String name = root.isArray() ? "" : "interactions";
    JsonNode list = root.isArray() ? root : root.path(name);
    if (!list.isArray() || list.isEmpty()) {
      String found = list.isArray() ? "an empty list" : kind(list);
      reader.wrong(name, found, "a list of at least one exchange with Azure");
      return Optional.empty();
    }
    List<Interaction> interactions = new ArrayList<>();
    for (int at = 0; at < list.size(); at++) {
      reader
          .interaction(list.get(at), "%s[%d]".formatted(name, at), at)
          .ifPresent(interactions::add);
    }
    return problems.isEmpty() ? Optional.of(new Recording(interactions)) : Optional.empty();
  }

  /** The path of a URL: without its host and its query. */
  static String path(String url) {
    return target(url).replaceFirst("\\?.*", "");
  }

  private static String target(String url) {
    return HOST.matcher(url).replaceFirst("");
  }

  private static String kind(JsonNode node) {
    return node.isMissingNode()
        ? "nothing"
        : "a JSON " + node.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  /** Reads interactions. What is wrong is added to the problems, and read as if it was absent. */
  private record Reader(String file, List<String> problems) {
    Optional<Interaction> interaction(JsonNode node, String at, int number) {
      if (!object(node, at).isObject()) {
        return Optional.empty();
      }
      JsonNode request = object(node.path("request"), at + ".request");
      JsonNode response = node.path("response");
      if (!response.isMissingNode() && !response.isNull()) {
        object(response, at + ".response");
      }
      String method = text(request.path("method"), at + ".request.method");
      String url = text(request.path("url"), at + ".request.url");
      boolean known = url.equals(Interaction.LAST_OPERATION) || target(url).startsWith("/");
      if (!known && !url.isEmpty()) {
        wrong(
            at + ".request.url",
            "'" + Truncated.middle(MAX_SHOWN, url) + "'",
            "a path or an https URL");
      }
      Map<String, String> headers =
          headers(request.path("headers"), at + ".request.headers").orElse(Map.of());
      ArmCall call =
          ArmCall.to(
              Method.of(method.toUpperCase(Locale.ROOT)),
              ORIGIN,
              target(url),
              Optional.ofNullable(headers.get("if-match")),
              body(request.path("body")));
      Recorded recorded =
          new Recorded(
              status(response.path("status"), at + ".response.status"),
              headers(response.path("headers"), at + ".response.headers"),
              Optional.of(response.path("body")).filter(body -> !body.isMissingNode()));
      JsonNode id = node.path("id");
      JsonNode check = node.path("check");
      return Optional.of(
          new Interaction(
              id.isValueNode() && !id.isNull() ? id.asText() : Integer.toString(number),
              check.asText(""),
              call,
              recorded));
    }

    private JsonNode object(JsonNode node, String at) {
      if (!node.isObject()) {
        wrong(at, kind(node), "a JSON object");
      }
      return node;
    }

    private String text(JsonNode node, String at) {
      if (!node.isTextual() || node.textValue().isBlank()) {
        wrong(at, node.isTextual() ? "an empty text" : kind(node), "a text");
        return "";
      }
      return node.textValue();
    }

    /** A status in words, as in what was typed from a page, does not count. */
    private OptionalInt status(JsonNode node, String at) {
      if (STATUS.matcher(node.asText()).matches()) {
        return OptionalInt.of(Integer.parseInt(node.asText()));
      }
      if (node.isNumber() || node.isContainerNode()) {
        wrong(at, node.isNumber() ? node.asText() : kind(node), "100 to 599, or a text");
      }
      return OptionalInt.empty();
    }

    private Optional<Map<String, String>> headers(JsonNode node, String at) {
      if (node.isMissingNode() || node.isNull()) {
        return Optional.empty();
      }
      Map<String, String> headers = new HashMap<>();
      for (var header : object(node, at).properties()) {
        headers.put(Names.fold(header.getKey()), header.getValue().asText(""));
      }
      return Optional.of(headers);
    }

    private static Body body(JsonNode node) {
      return node.isMissingNode() || node.isNull() ? new Body.Absent() : new Body.Json(node);
    }

    void wrong(String at, String found, String allowed) {
      String place = at.isEmpty() ? file : file + ": " + at;
      problems.add("%s: found %s; allowed: %s".formatted(place, found, allowed));
    }
  }
}
