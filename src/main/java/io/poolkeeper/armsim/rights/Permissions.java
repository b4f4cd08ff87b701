package io.poolkeeper.armsim.rights;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ApiVersion;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.util.List;
import java.util.Optional;

/**
 * What a caller may do at a scope, as {@code GET {scope}/providers/Microsoft.Authorization/
 * permissions} says it. The scope is a subscription, a resource group or a resource, and need not
 * exist.
 */
final class Permissions {
  private static final List<String> TAIL =
      List.of("providers", "Microsoft.Authorization", "permissions");

  private Permissions() {}

  /** The scope whose permissions a call asks for; empty if it asks for something else. */
  static Optional<String> scope(ArmCall call) {
    return ArmPath.segments(call.rawPath())
        .filter(path -> call.method() == Method.GET && ends(path))
        .map(path -> "/" + String.join("/", path.subList(0, path.size() - TAIL.size())));
  }

  private static boolean ends(List<String> path) {
    int begin = path.size() - TAIL.size();
    return begin >= 2
        && begin % 2 == 0
        && path.getFirst().equalsIgnoreCase("subscriptions")
        && String.join("/", path.subList(begin, path.size()))
            .equalsIgnoreCase(String.join("/", TAIL));
  }

  /** Everything, without what the denials take. */
  static ArmAnswer answer(ArmCall call, List<Denial> denied) {
    return ApiVersion.refusal(call.apiVersion(), call.path()).orElseGet(() -> answer(denied));
  }

  private static ArmAnswer answer(List<Denial> denied) {
    ObjectNode answer = ArmJson.MAPPER.createObjectNode();
    ObjectNode only = answer.putArray("value").addObject();
    only.putArray("actions").add("*");
    ArrayNode without = only.putArray("notActions");
    denied.stream().map(Denial::action).distinct().forEach(without::add);
    only.putArray("dataActions");
    only.putArray("notDataActions");
    return ArmAnswer.of(200, answer);
  }
}
