package io.poolkeeper.armsim.model;

import io.poolkeeper.armsim.protocol.ResourceId;
import io.poolkeeper.armsim.resource.BalancerLinks;
import io.poolkeeper.armsim.resource.PoolMembership;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The links between load balancers and other resources, over the documents. */
final class DocumentBalancerLinks implements BalancerLinks {
  private static final String TYPES = "(?i)Microsoft\\.Network/loadBalancers(?:/.*)?";

  private final Documents documents;

  DocumentBalancerLinks(Documents documents) {
    this.documents = documents;
  }

  @Override
  public boolean contains(ResourceId id) {
    if (id.group().isEmpty() || !id.type().matches(TYPES)) {
      return false;
    }
    var balancer = new LoadBalancerId(id.subscription(), id.group().get(), id.names().getFirst());
    return documents.balancer(balancer).filter(known -> contains(known, id)).isPresent();
  }

  private static boolean contains(LoadBalancer balancer, ResourceId id) {
    String kind = id.types().getLast();
    return switch (id.types().size()) {
      case 1 -> true;
      case 2 ->
          kind.equalsIgnoreCase(ChildKind.POOL.member())
              ? balancer.pool(id.name()).isPresent()
              : Arrays.stream(ChildKind.values())
                  .filter(known -> known.member().equalsIgnoreCase(kind))
                  .flatMap(known -> balancer.content().children(known).stream())
                  .anyMatch(child -> child.name().equalsIgnoreCase(id.name()));
      default -> false;
    };
  }

  @Override
  public Map<String, String> frontendsByAddress() {
    Map<String, String> frontends = new HashMap<>();
    for (LoadBalancer balancer : documents.balancers().values()) {
      for (Child frontend : balancer.content().children(ChildKind.FRONTEND)) {
        String address = frontend.properties().path("publicIPAddress").path("id").asText("");
        if (!address.isEmpty()) {
          String id = ChildKind.FRONTEND.path(balancer.id(), frontend.name());
          frontends.put(Names.fold(address), id);
        }
      }
    }
    return frontends;
  }

  @Override
  public void moved(List<PoolMembership> left, List<PoolMembership> joined) {
    each(joined, documents::openToNics);
    each(left, documents::leaveNic);
    each(joined, documents::joinNic);
  }

  private static void each(List<PoolMembership> all, BiConsumer<PoolId, String> change) {
    for (PoolMembership one : all) {
      pool(one).ifPresent(pool -> change.accept(pool, one.ipConfiguration()));
    }
  }

  private static Optional<PoolId> pool(PoolMembership membership) {
    return ResourceId.parse(membership.pool())
        .filter(id -> id.type().matches(TYPES) && id.types().size() == 2 && id.group().isPresent())
        .map(
            id ->
                new LoadBalancerId(
                        id.subscription(), id.group().orElseThrow(), id.names().getFirst())
                    .pool(id.name()));
  }
}
