package io.poolkeeper.armsim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The rights of all callers: everything, less what at most {@value #LIMIT} denials take. So the
 * permissions of a caller at a scope are {@code *} without {@link #denied}. Confined to one thread.
 */
public final class Rights {
  private static final int LIMIT = 1_000;

  private static final List<String> PERMISSIONS =
      List.of("providers", "Microsoft.Authorization", "permissions");

  /** The most linked scopes that a refusal names. */
  private static final int NAMED = 10;

  private final TreeMap<Long, Denial> denials = new TreeMap<>();
  private long lastId;

  /**
   * Takes rights away and returns the denial's id; empty, and none taken, if there are too many.
   */
  public Optional<Long> take(Denial denial) {
    if (denials.size() >= LIMIT) {
      return Optional.empty();
    }
    denials.put(++lastId, denial);
    return Optional.of(lastId);
  }

  public boolean giveBack(long id) {
    return denials.remove(id) != null;
  }

  public void clear() {
    denials.clear();
  }

  public SortedMap<Long, Denial> denials() {
    return Collections.unmodifiableSortedMap(denials);
  }

  public List<Denial> denied(Caller caller, String scope) {
    return denials.values().stream().filter(one -> one.concerns(caller, scope)).toList();
  }

  public Optional<ArmAnswer> refusal(Caller caller, ArmCall call) {
    if (denials.isEmpty()) {
      return Optional.empty();
    }
    return Action.of(call)
        .flatMap(
            action ->
                lacks(caller, action) ? refused(caller, action) : linked(caller, action, call));
  }

  /**
   * The answer to {@code GET {scope}/providers/Microsoft.Authorization/permissions}, which asks
   * what the caller may do at a scope. It is a subscription, a resource group or a resource, and
   * need not exist.
   */
  public Optional<ArmAnswer> permissions(Caller caller, ArmCall call) {
    return scope(call)
        .map(scope -> call.versionRefusal().orElseGet(() -> answer(denied(caller, scope))));
  }

  private boolean lacks(Caller caller, Action action) {
    return denied(caller, action.scope()).stream().anyMatch(one -> one.takes(action.name()));
  }

  private static Optional<ArmAnswer> refused(Caller caller, Action action) {
    return Optional.of(
        ArmError.NO_RIGHT.answer(caller.client(), caller.object(), action.name(), action.scope()));
  }

  private Optional<ArmAnswer> linked(Caller caller, Action action, ArmCall call) {
    List<Action> lacking =
        Action.linked(call).stream().filter(link -> lacks(caller, link)).limit(NAMED).toList();
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ArmError.NO_LINKED_RIGHT.answer(
                caller.client(),
                caller.object(),
                action.name(),
                action.scope(),
                joined(lacking, Action::name),
                joined(lacking, Action::scope)));
  }

  private static String joined(List<Action> actions, Function<Action, String> part) {
    return actions.stream().map(part).collect(Collectors.joining(","));
  }

  /** The scope whose permissions a call asks for; empty if it asks for something else. */
  private static Optional<String> scope(ArmCall call) {
    return ArmPath.segments(call.rawPath())
        .filter(path -> call.method() == Method.GET && asksForPermissions(path))
        .map(path -> "/" + String.join("/", path.subList(0, path.size() - PERMISSIONS.size())));
  }

  private static boolean asksForPermissions(List<String> path) {
    int begin = path.size() - PERMISSIONS.size();
    return begin >= 2
        && begin % 2 == 0
        && path.getFirst().equalsIgnoreCase("subscriptions")
        && String.join("/", path.subList(begin, path.size()))
            .equalsIgnoreCase(String.join("/", PERMISSIONS));
  }

  /** Everything, without what the denials take. */
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
