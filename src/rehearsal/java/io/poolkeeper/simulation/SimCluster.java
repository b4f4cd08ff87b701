package io.poolkeeper.simulation;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.model.SliceView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The simulated API server: Services, EndpointSlices, Nodes and bindings as they are now, and who
 * watches them. Names of load balancers stand in for what the cloud provider decides.
 */
final class SimCluster {
  static final String EXCLUDE = "node.kubernetes.io/exclude-from-external-load-balancers";

  static final String OPT_OUT = "poolkeeper.io/admin-state";

  /** The kinds of objects that are watched. */
  enum Kind {
    SERVICE,
    SLICE,
    NODE,
    BINDING
  }

  /**
   * A Service.
   *
   * @param loadBalancer where the cloud provider has put it, counted from 0
   * @param local whether it owns a pool
   */
  record Service(
      String name, String uid, boolean local, boolean dual, int loadBalancer, int touched) {
    ServiceKey key() {
      return serviceKey(name);
    }

    List<IpFamily> families() {
      return dual ? List.of(IpFamily.IPV4, IpFamily.IPV6) : List.of(IpFamily.IPV4);
    }

    String pool(IpFamily family) {
      return SimBinding.NAMESPACE + "-" + name + (family == IpFamily.IPV6 ? "-ipv6" : "");
    }

    List<String> pools() {
      return families().stream().map(this::pool).toList();
    }

    String rule(IpFamily family) {
      String base = "a" + uid.replace("-", "");
      return base.substring(0, 32) + "-TCP-80" + (family == IpFamily.IPV6 ? "-ipv6" : "");
    }

    ServiceView view() {
      return new ServiceView(key(), uid, true, local, false, Set.copyOf(families()), touched);
    }
  }

  /**
   * A slice of a Service and the nodes that its endpoints name.
   *
   * @param name the Service's, a hyphen, and a number
   */
  record Slice(String name, String service, Set<String> nodes) {
    Slice with(Set<String> others) {
      return new Slice(name, service, others);
    }

    SliceView view() {
      TreeSet<NodeKey> keys = new TreeSet<>();
      nodes.forEach(node -> keys.add(new NodeKey(node)));
      return new SliceView(sliceKey(name), serviceKey(service), keys);
    }
  }

  /**
   * A node; its address is empty while it has none.
   *
   * @param taints those that take it out of service
   * @param notices the messages of its conditions that may announce a preemption
   * @param handled the annotation of the preemptions that it was tainted for
   */
  record Node(
      String name,
      String uid,
      Instant created,
      Optional<Integer> host,
      Map<String, String> labels,
      Set<String> taints,
      List<String> notices,
      String handled) {
    Node at(Optional<Integer> other) {
      return new Node(name, uid, created, other, labels, taints, notices, handled);
    }

    /** With a label, or without it if it has it. */
    Node toggled(String label, String value) {
      Map<String, String> next = new TreeMap<>(labels);
      if (next.remove(label) == null) {
        next.put(label, value);
      }
      return new Node(name, uid, created, host, next, taints, notices, handled);
    }

    Node tainted(String taint, boolean now) {
      Set<String> next = new TreeSet<>(taints);
      next.remove(taint);
      if (now) {
        next.add(taint);
      }
      return new Node(name, uid, created, host, labels, next, notices, handled);
    }

    Node noticed(List<String> messages) {
      return new Node(name, uid, created, host, labels, taints, messages, handled);
    }

    Node handled(String annotation) {
      return new Node(name, uid, created, host, labels, taints, notices, annotation);
    }

    boolean excluded() {
      return labels.containsKey(EXCLUDE);
    }

    /** Whether it is neither to be tainted nor to be written. */
    boolean ignored() {
      return "ignore".equals(labels.get(OPT_OUT));
    }

    boolean leaving() {
      return !taints.isEmpty();
    }

    Optional<String> address(IpFamily family) {
      return host.map(
          number ->
              family == IpFamily.IPV6
                  ? "fd00::%x".formatted(number)
                  : "10.0.%d.%d".formatted(number / 250, number % 250 + 1));
    }

    List<String> addresses() {
      return Arrays.stream(IpFamily.values()).flatMap(one -> address(one).stream()).toList();
    }

    NodeView view() {
      List<Address> addresses = addresses().stream().map(Address::of).toList();
      NodeKey key = new NodeKey(name);
      return new NodeView(
          key, uid, addresses, labels, taints, false, "", created, notices, handled, false);
    }
  }

  final TreeMap<String, Service> services = new TreeMap<>();
  final TreeMap<String, Slice> slices = new TreeMap<>();
  final TreeMap<String, Node> nodes = new TreeMap<>();
  final TreeMap<String, SimBinding> bindings = new TreeMap<>();
  private long versions;

  private final List<BiConsumer<Kind, String>> watchers = new ArrayList<>();

  void watch(BiConsumer<Kind, String> watcher) {
    watchers.add(watcher);
  }

  void unwatch(BiConsumer<Kind, String> watcher) {
    watchers.remove(watcher);
  }

  void put(Service service) {
    services.put(service.name(), service);
    changed(Kind.SERVICE, service.name());
  }

  void put(Slice slice) {
    slices.put(slice.name(), slice);
    changed(Kind.SLICE, slice.name());
  }

  void put(Node node) {
    nodes.put(node.name(), node);
    changed(Kind.NODE, node.name());
  }

  /** Under a new version. */
  SimBinding put(SimBinding binding) {
    SimBinding stored = binding.numbered(++versions);
    bindings.put(stored.name(), stored);
    changed(Kind.BINDING, stored.name());
    return stored;
  }

  void removeService(String name) {
    remove(Kind.SERVICE, name);
    slicesOf(name).forEach(slice -> remove(Kind.SLICE, slice.name()));
  }

  void remove(Kind kind, String name) {
    of(kind).remove(name);
    changed(kind, name);
  }

  private Map<String, ?> of(Kind kind) {
    return switch (kind) {
      case SERVICE -> services;
      case SLICE -> slices;
      case NODE -> nodes;
      case BINDING -> bindings;
    };
  }

  /** The Service whose pool is called that. */
  Optional<Service> owner(String pool) {
    return Optional.ofNullable(services.get(serviceOf(pool)))
        .filter(one -> one.pools().contains(pool));
  }

  /** The name of the Service whose pool would be called that. */
  static String serviceOf(String pool) {
    return pool.replace(SimBinding.NAMESPACE + "-", "").replace("-ipv6", "");
  }

  List<Slice> slicesOf(String service) {
    // A dot is the character after a hyphen.
    return List.copyOf(slices.subMap(service + "-", service + ".").values());
  }

  /** The names of all objects of a kind that exist now. */
  Set<String> names(Kind kind) {
    return of(kind).keySet();
  }

  /** The name of a Service, as a key of what the controller mirrors. */
  static ServiceKey serviceKey(String name) {
    return new ServiceKey(SimBinding.NAMESPACE, name);
  }

  static SliceView.Key sliceKey(String name) {
    return new SliceView.Key(SimBinding.NAMESPACE, name);
  }

  /** Makes an object of another cluster what it is here now, as soon as that is run. */
  Runnable copy(Kind kind, String name, SimCluster to) {
    Runnable change =
        switch (kind) {
          case SERVICE -> change(services.get(name), name, to.services);
          case SLICE -> change(slices.get(name), name, to.slices);
          case NODE -> change(nodes.get(name), name, to.nodes);
          case BINDING -> change(bindings.get(name), name, to.bindings);
        };
    return () -> {
      change.run();
      to.changed(kind, name);
    };
  }

  private static <T> Runnable change(@Nullable T object, String name, Map<String, T> to) {
    // Null removes it.
    return () -> to.compute(name, (same, before) -> object);
  }

  private void changed(Kind kind, String name) {
    List.copyOf(watchers).forEach(watcher -> watcher.accept(kind, name));
  }
}
