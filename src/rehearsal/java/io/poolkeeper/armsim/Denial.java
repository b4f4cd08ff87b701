package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.Members;
import io.poolkeeper.model.Names;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Actions that are taken from a caller, or from all, over a scope and everything below it.
 *
 * @param identity a client or object id; empty: every caller, with a token or without
 * @param action a pattern in which {@code *} stands for any text, ignoring case
 * @param scope a path, ignoring case; {@code /} is everything
 */
public record Denial(Optional<String> identity, String action, String scope) {
  private static final Pattern ACTION = Pattern.compile("[\\w.*/-]{1,200}");
  private static final Pattern SCOPE = Pattern.compile("/[^\\s?]{0,1000}");
  private static final Pattern IDENTITY = Pattern.compile("\\S{1,100}");

  public static Denial parse(JsonNode json) {
    Members members = Members.of("denial", json);
    var read =
        new Denial(
            members.text("identity"),
            members.text("action").orElse(""),
            members.text("scope").orElse("/"));
    members.require(
        ACTION.matcher(read.action).matches(),
        "action must be like Microsoft.Network/loadBalancers/write, with * for any text, found '%s'"
            .formatted(read.action));
    members.require(
        SCOPE.matcher(read.scope).matches(),
        "scope must be a path such as /subscriptions/s/resourceGroups/rg, found '%s'"
            .formatted(read.scope));
    members.require(
        read.identity.map(id -> IDENTITY.matcher(id).matches()).orElse(true),
        "identity must be a client or object id, 1 to 100 characters without spaces");
    members.done();
    return read;
  }

  /** Whether it concerns a caller at a scope, which may be below its own. */
  boolean concerns(Caller caller, String place) {
    String above = folded(scope);
    return identity.map(caller::is).orElse(true) && (folded(place) + "/").startsWith(above + "/");
  }

  boolean takes(String name) {
    String pattern =
        Arrays.stream(action.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE).matcher(name).matches();
  }

  public ObjectNode json(long id) {
    ObjectNode json = ArmJson.MAPPER.createObjectNode().put("id", Long.toString(id));
    identity.ifPresent(whose -> json.put("identity", whose));
    return json.put("action", action).put("scope", scope);
  }

  private static String folded(String path) {
    String folded = Names.fold(path);
    return folded.endsWith("/") ? folded.substring(0, folded.length() - 1) : folded;
  }
}
