package io.poolkeeper.arm.azure;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/**
 * Lists the load balancers of a resource group. Each page is read once; what is no page of load
 * balancers fails, as an empty one means a resource group without pools.
 *
 * <p>A rule sends to a pool if the rule names the pool of this very load balancer, or the pool the
 * rule.
 */
final class LoadBalancerListing {
  private LoadBalancerListing() {}

  private record Page(int number, Json body) {
    Optional<String> next() {
      return body.text("nextLink").filter(link -> !link.isBlank());
    }
  }

  /**
   * All of them, page after page.
   *
   * @param pages how many pages there may be
   */
  static Mono<List<LoadBalancerView>> of(ArmCalls.Collection from, String group, int pages) {
    return from.first(group)
        .map(answer -> page(1, answer))
        .expand(
            page -> page.next().map(link -> follow(from, page, link, pages)).orElseGet(Mono::empty))
        .concatMapIterable(page -> page.body().objects("value"))
        .map(LoadBalancerListing::view)
        .collectList();
  }

  private static Page page(int number, Answer answer) {
    Json body = Json.of(answer.expect(200, 200));
    if (!body.node().path("value").isArray()) {
      throw Json.malformed("value is no array");
    }
    return new Page(number, body);
  }

  private static Mono<Page> follow(ArmCalls.Collection from, Page page, String link, int pages) {
    if (page.number() == pages) {
      throw Json.malformed("the listing has more than %d pages".formatted(pages));
    }
    return from.next(link).map(answer -> page(page.number() + 1, answer));
  }

  private static LoadBalancerView view(Json found) {
    LoadBalancerId id =
        found
            .text("id")
            .flatMap(ArmIds::loadBalancer)
            .orElseThrow(
                () ->
                    Json.malformed(
                        "id is %s, must be that of a load balancer"
                            .formatted(found.text("id").orElse(null))));
    Json properties = PoolJson.properties(found);
    Map<PoolId, List<String>> rules = rules(properties);
    List<PoolView> pools = new ArrayList<>();
    for (Json pool : properties.objects("backendAddressPools")) {
      PoolId poolId = id.pool(name(pool));
      pools.add(PoolJson.view(poolId, pool, rules.getOrDefault(poolId, List.of())));
    }
    return new LoadBalancerView(id, pools);
  }

  /** The rules' names by the pools they name, which may be pools of other load balancers. */
  private static Map<PoolId, List<String>> rules(Json loadBalancer) {
    Map<PoolId, List<String>> rules = new HashMap<>();
    for (Json rule : loadBalancer.objects("loadBalancingRules")) {
      rule.object("properties").stream()
          .flatMap(LoadBalancerListing::pools)
          .flatMap(pool -> pool.text("id").flatMap(ArmIds::pool).stream())
          .forEach(pool -> rules.computeIfAbsent(pool, any -> new ArrayList<>()).add(name(rule)));
    }
    return rules;
  }

  private static Stream<Json> pools(Json rule) {
    return Stream.concat(
        rule.object("backendAddressPool").stream(), rule.objects("backendAddressPools").stream());
  }

  private static String name(Json part) {
    return part.text("name")
        .filter(name -> !name.isBlank())
        .or(() -> part.text("id").map(ArmIds::name).filter(name -> !name.isBlank()))
        .orElseThrow(() -> Json.malformed("a part of a load balancer has neither name nor id"));
  }
}
