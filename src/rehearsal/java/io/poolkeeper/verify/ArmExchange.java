package io.poolkeeper.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A call to Resource Manager and its answer, as both were on the wire.
 *
 * @param at when the call began
 * @param url path and query
 * @param sent the headers that matter: {@code If-Match}
 * @param body that was sent; missing if none
 * @param status 0 if no answer came
 * @param millis from the call to the end of its answer
 * @param headers of the answer, names in lower case
 * @param answer its body as JSON; missing if it has none, a text if that is no JSON or none came
 */
public record ArmExchange(
    Instant at,
    String method,
    String url,
    Map<String, String> sent,
    JsonNode body,
    int status,
    long millis,
    Map<String, String> headers,
    JsonNode answer) {
  public ArmExchange {
    sent = Map.copyOf(sent);
    TreeMap<String, String> folded = new TreeMap<>();
    headers.forEach((name, value) -> folded.put(name.toLowerCase(Locale.ROOT), value));
    headers = Collections.unmodifiableSortedMap(folded);
  }

  public boolean accepted() {
    return status >= 200 && status < 300;
  }

  /** Refused for what was asked; not for a right, a lock, another write or a quota. */
  boolean refused() {
    return status == 400;
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** The code of its error; empty if it has none. */
  public String code() {
    return answer.at("/error/code").asText();
  }

  /** Status and codes, for people. */
  public String outcome() {
    if (status == 0) {
      return "no answer: " + answer.asText();
    }
    return (status + " " + codes()).strip();
  }

  /** The codes of its error and of the details, for people; empty if it has none. */
  String codes() {
    List<String> details = new ArrayList<>();
    for (JsonNode detail : answer.at("/error/details")) {
      details.add(detail.path("code").asText());
    }
    details.removeIf(code -> code.isEmpty() || code.equals(code()));
    return code() + (details.isEmpty() ? "" : " (" + String.join(", ", details) + ")");
  }

  public String etag() {
    return answer.path("etag").asText();
  }

  String state() {
    return answer.at("/properties/provisioningState").asText();
  }

  /** The entry of a pool by its name; missing if there is none. */
  JsonNode entry(String name) {
    for (JsonNode entry : entries()) {
      if (entry.path("name").asText().equals(name)) {
        return entry;
      }
    }
    return MissingNode.getInstance();
  }

  JsonNode entries() {
    return answer.at("/properties/loadBalancerBackendAddresses");
  }

  /** What an entry shows as its admin state; {@code absent} if it shows none. */
  String adminState(String name) {
    return entry(name).at("/properties/adminState").asText("absent");
  }
}
