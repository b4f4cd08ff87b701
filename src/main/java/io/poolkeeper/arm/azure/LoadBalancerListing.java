package io.poolkeeper.arm.azure;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.net.HttpURLConnection;
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
 * The load balancers of a resource group. A rule belongs to a pool if the rule names the pool of
 * this very load balancer, or the pool the rule; an outbound rule likewise.
 */
final class LoadBalancerListing {
  /** What the rules of a load balancer say about pools. */
  private record Uses(Map<PoolId, List<String>> rules, Set<PoolId> outbound) {}

  private LoadBalancerListing() {}

  /** Lists the configured group and then the others; fails if none can be listed. */
  static Mono<Listing> of(
      Function<String, Mono<List<LoadBalancerView>>> list,
      String configured,
      Collection<String> others) {
    Map<String, ArmFailure> unread = new HashMap<>();
    Set<String> groups = new TreeSet<>();
    List<ArmException> failures = new ArrayList<>();
    Function<String, Mono<List<LoadBalancerView>>> tried =
        group ->
            list.apply(group)
                .doOnSuccess(listed -> groups.add(Names.fold(group)))
                .onErrorResume(
                    ArmException.class,
                    failed -> {
                      failures.add(failed);
                      unread.put(Names.fold(group), failed.failure());
                      return Mono.just(List.of());
                    });
    Mono<List<LoadBalancerView>> elsewhere =
        Flux.fromIterable(others)
            .concatMap(
                group -> tried.apply(group).doOnSuccess(listed -> absent(group, groups, unread)))
            .concatMapIterable(views -> views)
            .collectList();
    return tried
        .apply(configured)
        .zipWhen(listed -> elsewhere)
        .map(
            all -> {
              Optional<ArmFailure> failure =
                  Optional.ofNullable(unread.get(Names.fold(configured)));
              if (groups.isEmpty() && failure.isPresent()) {
                throw failures.getFirst();
              }
              return new Listing(all.getT1(), all.getT2(), groups, unread, failure);
            });
  }

  /** Another group that does not exist is empty. */
  private static void absent(String group, Set<String> groups, Map<String, ArmFailure> unread) {
    ArmFailure failure = unread.get(group);
    if (failure != null && failure.status() == HttpURLConnection.HTTP_NOT_FOUND) {
      unread.remove(group);
      groups.add(group);
    }
  }

  /**
   * All load balancers of one group, page after page. One that cannot be read keeps nobody from the
   * others; but the listing fails if not even its name can be read, as then nobody knows whose
   * pools are unknown.
   *
   * @param unreadable what stands for one that cannot be read
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
        arm.calls()::list,
        url,
        arm.limits().pages(),
        found -> {
          try {
            return view.apply(found);
          } catch (ArmException | IllegalArgumentException wrong) {
            ArmException known =
                wrong instanceof ArmException arms ? arms : Json.malformed(wrong.toString());
            return unreadable.apply(
                id(found, subscription, group).orElseThrow(() -> known), known.failure());
          }
        });
  }

  /** The id as it is given, or else by the name. */
  private static Optional<LoadBalancerId> id(Json found, String subscription, String group) {
    return ArmIds.loadBalancer(found.node().path("id").asText())
        .or(
            () ->
                Optional.ofNullable(found.node().path("name").textValue())
                    .filter(name -> !name.isBlank())
                    .map(name -> new LoadBalancerId(subscription, group, name)));
  }

  /** The view of a load balancer; {@code networked} if the settings name a network. */
  static LoadBalancerView view(Json found, boolean networked) {
    String text = found.text("id").orElse("");
    LoadBalancerId id =
        ArmIds.loadBalancer(text)
            .orElseThrow(
                () -> Json.malformed("id is %s, must be that of a load balancer".formatted(text)));
    Json properties = PoolBody.properties(found);
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
          .forEach(pool -> rules.computeIfAbsent(pool, any -> new ArrayList<>()).add(name(rule)));
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
            of ->
                Stream.concat(
                    of.object("backendAddressPool").stream(),
                    of.objects("backendAddressPools").stream()))
        .flatMap(named -> named.text("id").stream())
        .flatMap(id -> ArmIds.pool(id).stream());
  }

  private static String name(Json part) {
    return part.text("name")
        .filter(text -> !text.isBlank())
        .or(() -> part.text("id").filter(text -> !text.isBlank()).map(ArmIds::name))
        .orElseThrow(() -> Json.malformed("a part of a load balancer has neither name nor id"));
  }
}
