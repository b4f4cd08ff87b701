package io.poolkeeper.armsim.protocol;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
          "loadBalancingRules/*/health",
          "backendAddressPools/*/queryInboundNatRulePortMapping");

  /** A resource group. */
  record Group(GroupId id) implements ArmPath {}

  /** All load balancers of a resource group. */
  record LoadBalancers(GroupId group) implements ArmPath {}

  /** All load balancers of a subscription. */
  record SubscriptionBalancers(String subscription) implements ArmPath {}

  /** A load balancer. */
  record OneLoadBalancer(LoadBalancerId id) implements ArmPath {}

  /** All pools of a load balancer. */
  record Pools(LoadBalancerId id) implements ArmPath {}

  /** A backend pool. */
  record OnePool(PoolId id) implements ArmPath {}

  /**
   * All parts of one kind, other than pools, that a load balancer has.
   *
   * @param kind the last part of their type, in Azure's spelling
   */
  record Parts(LoadBalancerId id, String kind) implements ArmPath {}

  /** A part of a load balancer: a frontend, a rule, a probe. */
  record OnePart(LoadBalancerId id, String kind, String name) implements ArmPath {}

  /** A POST action of a load balancer. */
  record Action(LoadBalancerId id, String name) implements ArmPath {}

  /** The status of an operation. */
  record OperationStatus(String id) implements ArmPath {}

  /** The result of a deletion. */
  record OperationResult(String id) implements ArmPath {}

  /** A path that is not about load balancers. */
  record General(GeneralPath path) implements ArmPath {}

  /** Anything else. */
  record Unknown(String text) implements ArmPath {}

  /** The load balancer that the path is about, if it is about one. */
  default Optional<LoadBalancerId> loadBalancer() {
    return switch (this) {
      case OneLoadBalancer path -> Optional.of(path.id());
      case Pools path -> Optional.of(path.id());
      case OnePool path -> Optional.of(path.id().loadBalancer());
      case Parts path -> Optional.of(path.id());
      case OnePart path -> Optional.of(path.id());
      case Action path -> Optional.of(path.id());
      case Group path -> Optional.empty();
      case LoadBalancers path -> Optional.empty();
      case SubscriptionBalancers path -> Optional.empty();
      case OperationStatus path -> Optional.empty();
      case OperationResult path -> Optional.empty();
      case General path -> Optional.empty();
      case Unknown path -> Optional.empty();
    };
  }

  /** Reads a percent-encoded path without its query. */
  static ArmPath parse(String path) {
    List<String> segments;
    try {
      segments =
          Arrays.stream(path.split("/", -1))
              .skip(1)
              .map(segment -> URLDecoder.decode(segment, StandardCharsets.UTF_8))
              .toList();
    } catch (IllegalArgumentException wronglyEncoded) {
      return new Unknown(path);
    }
    if (segments.stream().anyMatch(String::isBlank)) {
      return new Unknown(path);
    }
    return groupScope(segments)
        .or(() -> operation(segments))
        .or(() -> GeneralPath.parse(segments).map(General::new))
        .orElseGet(() -> new Unknown(path));
  }

  private static Optional<ArmPath> groupScope(List<String> path) {
    String group = "subscriptions/*/resourcegroups/*";
    String balancers = group + "/providers/microsoft.network/loadbalancers";
    return match(path, group)
        .<ArmPath>map(at -> new Group(new GroupId(at.get(0), at.get(1))))
        .or(
            () ->
                match(path, balancers)
                    .map(at -> new LoadBalancers(new GroupId(at.get(0), at.get(1)))))
        .or(() -> match(path, balancers + "/*").map(at -> new OneLoadBalancer(balancer(at))))
        .or(
            () ->
                match(path, balancers + "/*/backendaddresspools")
                    .map(at -> new Pools(balancer(at))))
        .or(
            () ->
                match(path, balancers + "/*/backendaddresspools/*")
                    .map(at -> new OnePool(balancer(at).pool(at.get(3)))))
        .or(() -> part(path, balancers))
        .or(() -> action(path, balancers))
        .or(
            () ->
                match(path, "subscriptions/*/providers/microsoft.network/loadbalancers")
                    .map(at -> new SubscriptionBalancers(at.get(0))));
  }

  private static Optional<ArmPath> part(List<String> path, String balancers) {
    return PARTS.stream()
        .flatMap(
            kind -> {
              String all = balancers + "/*/" + Names.fold(kind);
              return match(path, all)
                  .<ArmPath>map(at -> new Parts(balancer(at), kind))
                  .or(
                      () ->
                          match(path, all + "/*")
                              .map(at -> new OnePart(balancer(at), kind, at.get(3))))
                  .stream();
            })
        .findFirst();
  }

  private static Optional<ArmPath> action(List<String> path, String balancers) {
    return ACTIONS.stream()
        .flatMap(
            form ->
                match(path, balancers + "/*/" + Names.fold(form))
                    .<ArmPath>map(
                        at -> new Action(balancer(at), form.substring(form.lastIndexOf('/') + 1)))
                    .stream())
        .findFirst();
  }

  private static Optional<ArmPath> operation(List<String> path) {
    String location = "subscriptions/*/providers/microsoft.network/locations/*/";
    return match(path, location + "operations/*")
        .<ArmPath>map(at -> new OperationStatus(Names.fold(at.get(2))))
        .or(
            () ->
                match(path, location + "operationresults/*")
                    .map(at -> new OperationResult(Names.fold(at.get(2)))))
        // The deletion of a group: its id is not a guid and is case-sensitive.
        .or(
            () ->
                match(path, "subscriptions/*/operationresults/*")
                    .map(at -> new OperationResult(at.get(1))));
  }

  private static LoadBalancerId balancer(List<String> at) {
    return new LoadBalancerId(at.get(0), at.get(1), at.get(2));
  }

  /** The segments at the stars; empty if the path has another form. */
  private static Optional<List<String>> match(List<String> path, String form) {
    String[] parts = form.split("/", -1);
    if (parts.length != path.size()) {
      return Optional.empty();
    }
    List<String> stars = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i].equals("*")) {
        stars.add(path.get(i));
      } else if (!parts[i].equals(Names.fold(path.get(i)))) {
        return Optional.empty();
      }
    }
    return Optional.of(stars);
  }
}
