package io.poolkeeper.armsim;

import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmPath;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An action over a scope, as a right allows it, in the spelling of the call's path.
 *
 * @param name such as {@code Microsoft.Network/loadBalancers/read}
 * @param scope a path without a slash at its end
 */
public record Action(String name, String scope) {
  /** What Microsoft's table of actions demands for pools by address. */
  static final String JOIN = "Microsoft.Network/virtualNetworks/joinLoadBalancer/action";

  private static final String OF_NO_PROVIDER = "Microsoft.Resources";

  /** The action of a call; empty if it needs none, as the list of all subscriptions. */
  static Optional<Action> of(ArmCall call) {
    String verb =
        switch (call.method()) {
          case GET, HEAD -> "read";
          case PUT, PATCH -> "write";
          case DELETE -> "delete";
          case POST -> "action";
          case OTHER -> "";
        };
    return ArmPath.segments(call.rawPath())
        .filter(path -> path.size() > 1 && !verb.isEmpty())
        .map(path -> of(path, verb));
  }

  /** The scope of a list is what it is a list of, its provider included, as reported by users. */
  private static Action of(List<String> path, String verb) {
    int provider =
        IntStream.iterate(0, at -> at + 2 < path.size(), at -> at + 2)
            .filter(at -> path.get(at).equalsIgnoreCase("providers"))
            .reduce(-1, (first, second) -> second);
    String namespace = provider < 0 ? OF_NO_PROVIDER : path.get(provider + 1);
    String types =
        IntStream.iterate(provider < 0 ? 0 : provider + 2, at -> at < path.size(), at -> at + 2)
            .mapToObj(path::get)
            .collect(Collectors.joining("/"));
    List<String> scope = path.subList(0, path.size() - path.size() % 2);
    return new Action("%s/%s/%s".formatted(namespace, types, verb), "/" + String.join("/", scope));
  }

  /** What the call needs besides: to join the virtual networks that its pools name. */
  static List<Action> linked(ArmCall call) {
    boolean writes = call.method() == Method.PUT && call.path().loadBalancer().isPresent();
    return writes && call.body() instanceof Body.Json json
        ? json.value().findValues("virtualNetwork").stream()
            .map(network -> network.path("id").asText())
            .filter(id -> !id.isBlank())
            .distinct()
            .map(id -> new Action(JOIN, id))
            .toList()
        : List.of();
  }
}
