package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a path names. The fixed parts of a path are compared ignoring case. */
public sealed interface ArmPath {
  /** The parts of a load balancer, besides its pools, that have routes of their own. */
  List<String> PARTS =
      List.of(
          "frontendIPConfigurations",
          "loadBalancingRules",
          "probes",
          "inboundNatRules",
          "outboundRules");

  /** The POST actions of a load balancer and its parts. */
  List<String> ACTIONS =
      List.of(
          "migrateToIpBased",
          "loadBalancingRules/health",
          "backendAddressPools/queryInboundNatRulePortMapping");

  /** A path that concerns no single load balancer. */
  sealed interface Other extends ArmPath {}

  record Group(GroupId id) implements Other {}

  record LoadBalancers(GroupId group) implements Other {}

  record SubscriptionBalancers(String subscription) implements Other {}

  record OneLoadBalancer(LoadBalancerId id) implements ArmPath {}

  record Pools(LoadBalancerId id) implements ArmPath {}

  record OnePool(PoolId id) implements ArmPath {}

  /** All parts of one kind but pools: the last part of their type, in Azure's spelling. */
  record Parts(LoadBalancerId id, String kind) implements ArmPath {}

  /** A part of a load balancer: a frontend, a rule, a probe. */
  record OnePart(LoadBalancerId id, String kind, String name) implements ArmPath {}

  /** A POST action of a load balancer. */
  record Action(LoadBalancerId id, String name) implements ArmPath {}

  record OperationStatus(String id) implements Other {}

  /** The result of a deletion. */
  record OperationResult(String id) implements Other {}

  /** A path that is not about load balancers. */
  record General(GeneralPath path) implements Other {}

  record Unknown(String text) implements Other {}

  default Optional<LoadBalancerId> loadBalancer() {
    return switch (this) {
      case OneLoadBalancer path -> Optional.of(path.id());
      case Pools path -> Optional.of(path.id());
      case OnePool path -> Optional.of(path.id().loadBalancer());
      case Parts path -> Optional.of(path.id());
      case OnePart path -> Optional.of(path.id());
      case Action path -> Optional.of(path.id());
      case Other path -> Optional.empty();
    };
  }

  default Optional<GroupId> resourceGroup() {
    if (this instanceof Group path) {
      return Optional.of(path.id());
    }
    if (this instanceof LoadBalancers path) {
      return Optional.of(path.group());
    }
    return this instanceof General general
        ? general.path().group()
        : loadBalancer().map(GroupId::of);
  }

  /** The operation that is polled, if it is the path of one. */
  default Optional<String> operation() {
    if (this instanceof OperationStatus status) {
      return Optional.of(status.id());
    }
    return this instanceof OperationResult result ? Optional.of(result.id()) : Optional.empty();
  }

  /** Reads a percent-encoded path without its query. */
  static ArmPath parse(String path) {
    return segments(path)
        .flatMap(
            segments ->
                inSubscription(segments)
                    .or(() -> ResourceScope.parse(segments).flatMap(ArmPath::ofNetwork))
                    .or(() -> GeneralPath.parse(segments).map(General::new)))
        .orElseGet(() -> new Unknown(path));
  }

  /** The decoded parts of a path; empty if it is wrongly encoded or a part is blank. */
  static Optional<List<String>> segments(String path) {
    try {
      return Optional.of(
              Arrays.stream(path.split("/", -1))
                  .skip(1)
                  .map(segment -> URLDecoder.decode(segment, StandardCharsets.UTF_8))
                  .toList())
          .filter(segments -> segments.stream().noneMatch(String::isBlank));
    } catch (IllegalArgumentException wronglyEncoded) {
      return Optional.empty();
    }
  }

  private static Optional<ArmPath> inSubscription(List<String> path) {
    if (path.size() != 4 || !path.getFirst().equalsIgnoreCase("subscriptions")) {
      return Optional.empty();
    }
    return switch (Names.fold(path.get(2))) {
      case "resourcegroups" -> Optional.of(new Group(new GroupId(path.get(1), path.get(3))));
      // The deletion of a group: its id is not a guid and is case-sensitive.
      case "operationresults" -> Optional.of(new OperationResult(path.get(3)));
      default -> Optional.empty();
    };
  }

  private static Optional<ArmPath> ofNetwork(ResourceScope scope) {
    if (scope.isOfBalancer()) {
      if (scope.group().isPresent()) {
        return ofBalancers(new GroupId(scope.subscription(), scope.group().get()), scope);
      }
      return scope.types().size() == 1 && scope.names().isEmpty()
          ? Optional.of(new SubscriptionBalancers(scope.subscription()))
          : Optional.empty();
    }
    boolean located = scope.group().isEmpty() && scope.isOfNetwork() && scope.names().size() == 2;
    return switch (located ? Names.fold(String.join("/", scope.types())) : "") {
      case "locations/operations" ->
          Optional.of(new OperationStatus(Names.fold(scope.names().getLast())));
      case "locations/operationresults" ->
          Optional.of(new OperationResult(Names.fold(scope.names().getLast())));
      default -> Optional.empty();
    };
  }

  private static Optional<ArmPath> ofBalancers(GroupId group, ResourceScope scope) {
    List<String> names = scope.names();
    if (names.isEmpty()) {
      return Optional.of(new LoadBalancers(group));
    }
    var id = new LoadBalancerId(group.subscription(), group.name(), names.getFirst());
    boolean list = names.size() < scope.types().size();
    String tail = String.join("/", scope.types().subList(1, scope.types().size()));
    return switch (Names.fold(tail)) {
      case "" -> Optional.of(new OneLoadBalancer(id));
      case "backendaddresspools" ->
          Optional.of(list ? new Pools(id) : new OnePool(id.pool(names.getLast())));
      default ->
          PARTS.stream()
              .filter(tail::equalsIgnoreCase)
              .findFirst()
              .<ArmPath>map(
                  kind -> list ? new Parts(id, kind) : new OnePart(id, kind, names.getLast()))
              .or(() -> action(id, tail).filter(action -> list));
    };
  }

  private static Optional<ArmPath> action(LoadBalancerId id, String tail) {
    return ACTIONS.stream()
        .filter(tail::equalsIgnoreCase)
        .<ArmPath>map(action -> new Action(id, action.substring(action.lastIndexOf('/') + 1)))
        .findFirst();
  }
}
