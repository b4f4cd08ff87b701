package io.poolkeeper.service;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.pool.PoolEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words that the tests of this room speak: Services are written {@code "namespace/name"}, nodes
 * {@code "name=address,address"}. A Service's UID is {@code uid-name} unless said otherwise.
 */
final class ServiceFixtures {
  static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  static final Duration RESYNC = Duration.ofMinutes(10);
  static final Duration VERIFY_AFTER = Duration.ofSeconds(35);
  static final PoolNames NAMES = PoolNames.of("Kubernetes", List.of("kubernetes", "lb-1", "LB-2"));
  static final ArmFailure FORBIDDEN =
      new ArmFailure(ArmFailure.Kind.RESPONSE, 403, "AuthorizationFailed", "no");

  /** A listing in which no group can be listed. */
  static final Listing UNLISTED =
      new Listing("rg", List.of(), List.of(), Set.of(), Map.of("rg", FORBIDDEN));

  private ServiceFixtures() {}

  static ServiceKey key(String text) {
    String[] parts = text.split("/", -1);
    return new ServiceKey(parts[0], parts[1]);
  }

  /** An external local Service of IPv4. */
  static ServiceView local(String service) {
    return local(service, "uid-" + key(service).name(), IpFamily.IPV4);
  }

  static ServiceView local(String service, String uid, IpFamily... families) {
    return new ServiceView(key(service), uid, true, true, false, Set.of(families), 1);
  }

  /** A load balancer Service whose traffic policy is Cluster. */
  static ServiceView cluster(String service) {
    String uid = "uid-" + key(service).name();
    return new ServiceView(key(service), uid, true, false, false, Set.of(IpFamily.IPV4), 1);
  }

  static ServiceView digest(ServiceView view, long digest) {
    return new ServiceView(
        view.key(),
        view.uid(),
        view.loadBalancer(),
        view.local(),
        view.internal(),
        view.families(),
        digest);
  }

  static LoadBalancerId lb(String name) {
    return new LoadBalancerId("sub", "rg", name);
  }

  static String rule(String uid) {
    return "a" + uid.replace("-", "") + "-TCP-80";
  }

  static PoolView pool(String loadBalancer, String name, Set<String> rules, String... entries) {
    List<PoolEntry> all =
        Arrays.stream(entries)
            .map(e -> e.split("=", -1))
            .map(e -> new PoolEntry(e[0], Optional.of(Address.of(e[1]))))
            .toList();
    return new PoolView(lb(loadBalancer).pool(name), "etag", false, all, rules, true);
  }

  /** The pool of {@code default/web}, with its rule. */
  static PoolView webPool(String loadBalancer, String... entries) {
    return pool(loadBalancer, "default-web", Set.of(rule("uid-web")), entries);
  }

  static PoolId webPoolId(String loadBalancer) {
    return lb(loadBalancer).pool("default-web");
  }

  static Listing listing(PoolView... pools) {
    Map<LoadBalancerId, List<PoolView>> byLoadBalancer =
        Stream.of(pools).collect(Collectors.groupingBy(pool -> pool.id().loadBalancer()));
    return Listing.of(
        lb("any").resourceGroup(),
        byLoadBalancer.entrySet().stream()
            .map(entry -> new LoadBalancerView(entry.getKey(), entry.getValue()))
            .toList());
  }

  static NodeView node(String text) {
    return node(text, Map.of(), Set.of(), false);
  }

  static NodeView node(
      String text, Map<String, String> labels, Set<String> taints, boolean deleting) {
    String name = text.substring(0, text.indexOf('='));
    String rest = text.substring(text.indexOf('=') + 1);
    List<Address> addresses =
        rest.isEmpty() ? List.of() : Arrays.stream(rest.split(",")).map(Address::of).toList();
    return new NodeView(new NodeKey(name), "uid-" + name, addresses, labels, taints, deleting);
  }

  static SliceView slice(String name, String service, String... nodes) {
    Set<NodeKey> keys = Arrays.stream(nodes).map(NodeKey::new).collect(Collectors.toSet());
    SliceView.Key key = new SliceView.Key(key(service).namespace(), name);
    return new SliceView(key, key(service), keys);
  }

  static Map<ServiceKey, Optional<ServiceView>> services(ServiceView... services) {
    return Stream.of(services).collect(Collectors.toMap(ServiceView::key, Optional::of));
  }

  static Map<SliceView.Key, Optional<SliceView>> slices(SliceView... slices) {
    return Stream.of(slices).collect(Collectors.toMap(SliceView::key, Optional::of));
  }

  static Map<NodeKey, Optional<NodeView>> nodes(NodeView... nodes) {
    return Stream.of(nodes).collect(Collectors.toMap(NodeView::key, Optional::of));
  }

  static Map<SliceView.Key, Optional<SliceView>> sliceGone(String name) {
    return Map.of(new SliceView.Key("default", name), Optional.empty());
  }

  static Map<ServiceKey, Optional<ServiceView>> serviceGone(String service) {
    return Map.of(key(service), Optional.empty());
  }

  static Map<NodeKey, Optional<NodeView>> nodeGone(String name) {
    return Map.of(new NodeKey(name), Optional.empty());
  }

  static ServiceMapEffect show(PoolId pool, PoolView view, Instant startedAt) {
    return new ServiceMapEffect.Send(pool, new PoolEvent.Observed(view, startedAt));
  }

  /** The events of a kind that pools are sent. */
  static List<ServiceMapEffect.Send> sent(
      List<ServiceMapEffect> effects, Class<? extends PoolEvent> kind) {
    return effects.stream()
        .filter(ServiceMapEffect.Send.class::isInstance)
        .map(ServiceMapEffect.Send.class::cast)
        .filter(send -> kind.isInstance(send.event()))
        .toList();
  }
}
