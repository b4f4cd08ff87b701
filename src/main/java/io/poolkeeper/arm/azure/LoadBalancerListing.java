package io.poolkeeper.arm.azure;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Lists the load balancers of resource groups, with their pools. A rule belongs to a pool if one
 * names the other and both are of one load balancer; an outbound rule likewise.
 */
final class LoadBalancerListing {
  /** What the rules of a load balancer say about pools. */
  private record Uses(Map<PoolId, List<String>> rules, Set<PoolId> outbound) {}

  private static final int MAX_CONCURRENT_GROUPS = 16;

  /** A group's load balancers, or why they are unknown. */
  private record Group(
      String name, List<LoadBalancerView> loadBalancers, Optional<ArmFailure> failure) {}

  private LoadBalancerListing() {}

  /** Lists the configured group and others, side by side. */
  static Mono<Listing> of(
      Function<String, Mono<List<LoadBalancerView>>> list,
      String configured,
      Collection<String> others) {
    String own = Names.fold(configured);
    return Flux.concat(
            Flux.just(configured), Flux.fromIterable(others).filter(group -> !group.equals(own)))
        .flatMapSequential(
            group -> group(list.apply(group), Names.fold(group), own), MAX_CONCURRENT_GROUPS)
        .collectList()
        .map(groups -> listing(own, groups));
  }

  /** Another group that does not exist is empty. Any other 404 says nothing of it. */
  private static Mono<Group> group(Mono<List<LoadBalancerView>> list, String name, String own) {
    return list.map(loadBalancers -> new Group(name, loadBalancers, Optional.empty()))
        .onErrorResume(
            ArmException.class,
            failed -> {
              boolean absent =
                  failed.failure().code().equalsIgnoreCase("ResourceGroupNotFound")
                      && !name.equals(own);
              Optional<ArmFailure> failure =
                  absent ? Optional.empty() : Optional.of(failed.failure());
              return Mono.just(new Group(name, List.of(), failure));
            });
  }

  private static Listing listing(String own, List<Group> groups) {
    Map<String, ArmFailure> unread = new HashMap<>();
    groups.forEach(
        group -> group.failure().ifPresent(failure -> unread.put(group.name(), failure)));
    Set<String> listed = groups.stream().map(Group::name).collect(Collectors.toSet());
    listed.removeAll(unread.keySet());
    return new Listing(
        own,
        groups.getFirst().loadBalancers(),
        groups.stream().skip(1).flatMap(group -> group.loadBalancers().stream()).toList(),
        listed,
        unread);
  }

  /**
   * All load balancers of one group, page after page. One that cannot be read does not hide the
   * others; but the listing fails if not even its name can be read, as then it is not known whose
   * pools are unknown.
   *
   * @param unreadable makes the entry of one that cannot be read
   */
  static <T> Mono<List<T>> of(
      ArmClient arm,
      String subscription,
      String group,
      Function<Json, T> view,
      BiFunction<LoadBalancerId, ArmFailure, T> unreadable) {
    String path =
        "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers"
            .formatted(subscription, group);
    String url = arm.endpoint().url(path);
    return ArmCalls.pages(
        page -> arm.calls().get(ArmCalls.LIST, page),
        url,
        arm.limits().pages(),
        json -> {
          try {
            return view.apply(json);
          } catch (ArmException | IllegalArgumentException malformed) {
            ArmException failed =
                malformed instanceof ArmException known
                    ? known
                    : Json.malformed(malformed.toString());
            return unreadable.apply(
                id(json, subscription, group).orElseThrow(() -> failed), failed.failure());
          }
        });
  }

  /** The id as it is given, or else by the name. */
  private static Optional<LoadBalancerId> id(Json json, String subscription, String group) {
    return ArmIds.loadBalancer(json.node().path("id").asText())
        .or(
            () ->
                Optional.ofNullable(json.node().path("name").textValue())
                    .filter(name -> !name.isBlank())
                    .map(name -> new LoadBalancerId(subscription, group, name)));
  }

  /** The view of a load balancer; {@code networked} if the settings name a network. */
  static LoadBalancerView view(Json loadBalancer, boolean networked) {
    String text = loadBalancer.text("id").orElse("");
    LoadBalancerId id =
        ArmIds.loadBalancer(text)
            .orElseThrow(
                () -> Json.malformed("id is %s, must be that of a load balancer".formatted(text)));
    Json properties = PoolBody.properties(loadBalancer);
    Uses uses = new Uses(rules(properties), outbound(properties));
    return new LoadBalancerView(
        id,
        properties.objects("backendAddressPools").stream()
            .map(pool -> view(id.pool(name(pool)), pool, uses, networked))
            .toList());
  }

  private static PoolView view(PoolId id, Json pool, Uses uses, boolean networked) {
    PoolView own = PoolBody.view(id, pool, "", networked);
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(uses.rules().getOrDefault(id, List.of()));
    names.addAll(own.rules());
    return new PoolView(
        id,
        own.etag(),
        own.updating(),
        own.entries(),
        names,
        own.networked(),
        own.outbound() || uses.outbound().contains(id));
  }

  /** The rules' names by their pools, which may belong to other load balancers. */
  private static Map<PoolId, List<String>> rules(Json loadBalancer) {
    Map<PoolId, List<String>> rules = new HashMap<>();
    for (Json rule : loadBalancer.objects("loadBalancingRules")) {
      pools(rule)
          .forEach(
              pool -> rules.computeIfAbsent(pool, absent -> new ArrayList<>()).add(name(rule)));
    }
    return rules;
  }

  private static Set<PoolId> outbound(Json loadBalancer) {
    return loadBalancer.objects("outboundRules").stream()
        .flatMap(LoadBalancerListing::pools)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Stream<PoolId> pools(Json rule) {
    return rule.object("properties").stream()
        .flatMap(
            properties ->
                Stream.concat(
                    properties.object("backendAddressPool").stream(),
                    properties.objects("backendAddressPools").stream()))
        .flatMap(pool -> pool.text("id").stream())
        .flatMap(id -> ArmIds.pool(id).stream());
  }

  private static String name(Json part) {
    return part.text("name")
        .filter(text -> !text.isBlank())
        .or(() -> part.text("id").filter(text -> !text.isBlank()).map(ArmIds::name))
        .orElseThrow(() -> Json.malformed("a part of a load balancer has neither name nor id"));
  }
}
