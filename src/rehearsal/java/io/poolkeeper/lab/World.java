package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.poolkeeper.lab.Blueprint.Spec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * The lab's cluster and its log of changes: every change is made at the API server and recorded
 * with the members that each pool should have then. Used by one thread.
 */
public final class World {
  /** The offset from the number of a slice to that of its IPv6 counterpart. */
  private static final int TWIN = 1000;

  /** The nodes that a Service's slices name, by the number of the slice. */
  private final Map<Spec, Map<Integer, Set<Integer>>> slices = new LinkedHashMap<>();

  private final Map<Integer, List<String>> addresses = new TreeMap<>();
  private final Set<Integer> excluded = new HashSet<>();
  private final Map<Spec, String> uids = new HashMap<>();
  private final List<Change> changes = new ArrayList<>();
  final List<Spec> services;
  private final KubernetesClient client;
  private final LongSupplier nanos;
  private final boolean dualStack;
  private String mark = "";

  /** An empty world; {@code dualStack} if the API server takes dual-stack Services. */
  public World(
      List<Spec> services, KubernetesClient client, LongSupplier nanos, boolean dualStack) {
    this.services = List.copyOf(services);
    this.client = client;
    this.nanos = nanos;
    this.dualStack = dualStack;
  }

  /** Creates nodes, Services and slices: Service number i starts on four nodes from node i on. */
  public void seed() {
    createNamespace(Blueprint.NAMESPACE);
    String uid = client.namespaces().withName("kube-system").require().getMetadata().getUid();
    mark = ".pk-" + uid.replace("-", "").substring(0, 16);
    for (int node = 0; node < Blueprint.NODES; node++) {
      List<String> ips = List.of(Blueprint.ipv4(node), Blueprint.ipv6(node));
      client.resource(Objects.node(Blueprint.nodeName(node), ips)).create();
      addresses.put(node, ips);
    }
    int first = 0;
    for (Spec spec : services) {
      var service = client.resource(Objects.service(spec, isDualStack(spec))).create();
      uids.put(spec, service.getMetadata().getUid());
      slices.put(spec, new TreeMap<>());
      for (int slice = 0; slice < spec.slices(); slice++) {
        setSlice(spec, slice, window(first + slice, 4));
      }
      first++;
    }
    changes.clear();
  }

  /** Creates a Service without slices; returns its uid. */
  String create(Spec spec) {
    return client.resource(Objects.service(spec, false)).create().getMetadata().getUid();
  }

  Resource<Node> node(int number) {
    return client.nodes().withName(Blueprint.nodeName(number));
  }

  void createNamespace(String name) {
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .createOr(NonDeletingOperation::update);
  }

  /** How the cluster's entries end in pools that bindings name. */
  public String mark() {
    return mark;
  }

  public static Set<Integer> window(int first, int count) {
    Set<Integer> nodes = new HashSet<>();
    for (int i = 0; i < count; i++) {
      nodes.add((first + i) % Blueprint.NODES);
    }
    return nodes;
  }

  public boolean isDualStack(Spec spec) {
    return dualStack && spec.dualStack();
  }

  public String uid(Spec spec) {
    return uids.getOrDefault(spec, "");
  }

  /** A copy of the nodes that a slice names; empty if there is no such slice. */
  NavigableSet<Integer> slice(Spec spec, int number) {
    return new TreeSet<>(slices.getOrDefault(spec, Map.of()).getOrDefault(number, Set.of()));
  }

  /** The first node that a Service's first slice names. */
  int first(Spec spec) {
    return slice(spec, 0).getFirst();
  }

  /**
   * Makes a slice name exactly these nodes. For a dual-stack Service its IPv6 counterpart changes
   * first: two changes, as in a real cluster.
   */
  public void setSlice(Spec spec, int number, Set<Integer> nodes) {
    if (isDualStack(spec)) {
      setOne(spec, number + TWIN, true, nodes);
    }
    setOne(spec, number, false, nodes);
  }

  private void setOne(Spec spec, int number, boolean ipv6, Set<Integer> nodes) {
    Map<Integer, Set<Integer>> of = slices.getOrDefault(spec, new TreeMap<>());
    var slice = client.resource(Objects.slice(spec, sliceName(spec, number), ipv6, nodes));
    long at = nanos.getAsLong();
    if (of.containsKey(number)) {
      slice.update();
    } else {
      slice.create();
    }
    of.put(number, Set.copyOf(nodes));
    expect(spec, at);
  }

  /** Deletes a slice; the Service must keep another one, or its pools would not change. */
  public void deleteSlice(Spec spec, int number) {
    deleteOne(spec, number);
    if (isDualStack(spec)) {
      deleteOne(spec, number + TWIN);
    }
  }

  private void deleteOne(Spec spec, int number) {
    long at = nanos.getAsLong();
    client.resource(Objects.slice(spec, sliceName(spec, number), false, Set.of())).delete();
    slices.getOrDefault(spec, Map.of()).remove(number);
    expect(spec, at);
  }

  /** Gives a node another first IPv4 address. */
  public void readdress(int node, String ipv4) {
    List<String> next = List.of(ipv4, Blueprint.ipv6(node));
    long at = nanos.getAsLong();
    String name = Blueprint.nodeName(node);
    node(node)
        .editStatus(
            current -> {
              current.getStatus().setAddresses(Objects.addresses(name, next));
              return current;
            });
    addresses.put(node, next);
    expectAllOn(node, at);
  }

  /** Excludes a node from load balancers by its label, or includes it again. */
  public void exclude(int node, boolean out) {
    String label = "node.kubernetes.io/exclude-from-external-load-balancers";
    long at = nanos.getAsLong();
    node(node)
        .accept(
            current -> {
              Map<String, String> labels = current.getMetadata().getLabels();
              // Null removes it.
              labels.compute(label, (same, before) -> out ? "true" : null);
            });
    if (out) {
      excluded.add(node);
    } else {
      excluded.remove(node);
    }
    expectAllOn(node, at);
  }

  public List<Change> changes() {
    return List.copyOf(changes);
  }

  /** The expected members of a pool of the Service: address to node name. */
  public Map<String, String> members(Spec spec, boolean ipv6) {
    return members(slices.getOrDefault(spec, Map.of()), ipv6);
  }

  String ipv4(int node) {
    return addresses.getOrDefault(node, List.of()).getFirst();
  }

  /** The IPv4 addresses expected in its pool if a slice named these nodes. */
  Set<String> membersWith(Spec spec, int number, Set<Integer> nodes) {
    Map<Integer, Set<Integer>> others = new TreeMap<>(slices.getOrDefault(spec, Map.of()));
    others.remove(number + TWIN);
    others.put(number, nodes);
    return members(others, false).keySet();
  }

  private Map<String, String> members(Map<Integer, Set<Integer>> of, boolean ipv6) {
    Map<String, String> members = new TreeMap<>();
    of.values().stream()
        .flatMap(Set::stream)
        .filter(node -> !excluded.contains(node))
        .forEach(
            node ->
                members.put(
                    addresses.getOrDefault(node, List.of()).get(ipv6 ? 1 : 0),
                    Blueprint.nodeName(node)));
    return members;
  }

  private static String sliceName(Spec spec, int number) {
    return spec.name() + "-" + number;
  }

  private void expectAllOn(int node, long at) {
    slices.forEach(
        (spec, of) -> {
          if (of.values().stream().anyMatch(nodes -> nodes.contains(node))) {
            expect(spec, at);
          }
        });
  }

  private void expect(Spec spec, long at) {
    changes.add(change(spec, false, at));
    if (isDualStack(spec)) {
      changes.add(change(spec, true, at));
    }
  }

  private Change change(Spec spec, boolean ipv6, long at) {
    return new Change(at, spec.id(ipv6), members(spec, ipv6).keySet());
  }
}
