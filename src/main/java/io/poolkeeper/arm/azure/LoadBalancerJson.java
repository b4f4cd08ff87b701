package io.poolkeeper.arm.azure;

import static java.util.function.Predicate.not;

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

/**
 * Reads a page of a listing of load balancers. A rule belongs to a pool if the rule names the pool
 * of this very load balancer, or the pool the rule.
 */
final class LoadBalancerJson {
  private LoadBalancerJson() {}

  /** One page, and where the next one is. */
  record Page(List<LoadBalancerView> loadBalancers, Optional<String> next) {}

  static Page read(Answer answer) {
    Json page = Json.of(answer);
    if (!page.node().path("value").isArray()) {
      throw Json.malformed("value is no array");
    }
    return new Page(
        page.objects("value").stream().map(LoadBalancerJson::view).toList(),
        page.text("nextLink").filter(not(String::isBlank)));
  }

  private static LoadBalancerView view(Json json) {
    String text = json.requiredText("id");
    LoadBalancerId id =
        ResourceIds.loadBalancer(text)
            .orElseThrow(
                () ->
                    Json.malformed(
                        "%s.id is %s, must be that of a load balancer"
                            .formatted(json.path(), text)));
    Json properties = PoolJson.properties(json);
    Map<PoolId, List<String>> rules = rules(properties);
    List<PoolView> pools =
        properties.objects("backendAddressPools").stream()
            .map(
                pool -> {
                  PoolId poolId = id.pool(name(pool));
                  return PoolJson.view(poolId, pool, rules.getOrDefault(poolId, List.of()));
                })
            .toList();
    return new LoadBalancerView(id, pools);
  }

  /** The rules' names by the pools they name, which may be pools of other load balancers. */
  private static Map<PoolId, List<String>> rules(Json loadBalancer) {
    Map<PoolId, List<String>> rules = new HashMap<>();
    for (Json rule : loadBalancer.objects("loadBalancingRules")) {
      rule.object("properties").stream()
          .flatMap(
              it ->
                  Stream.concat(
                      it.object("backendAddressPool").stream(),
                      it.objects("backendAddressPools").stream()))
          .flatMap(pool -> pool.text("id").flatMap(ResourceIds::pool).stream())
          .forEach(pool -> rules.computeIfAbsent(pool, any -> new ArrayList<>()).add(name(rule)));
    }
    return rules;
  }

  private static String name(Json resource) {
    return resource
        .text("name")
        .filter(not(String::isBlank))
        .orElseGet(() -> ResourceIds.name(resource.requiredText("id")));
  }
}
