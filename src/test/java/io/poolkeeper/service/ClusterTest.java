package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.nodeGone;
import static io.poolkeeper.service.ServiceFixtures.nodes;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.sliceGone;
import static io.poolkeeper.service.ServiceFixtures.slices;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.pool.Level;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The level of a Service: the eligible nodes of all its slices, each by its first InternalIP. */
class ClusterTest {
  private static final Set<String> TO_BE_DELETED = Set.of("ToBeDeletedByClusterAutoscaler");

  private static final Cluster THREE_NODES =
      Cluster.EMPTY.withNodes(
          nodes(
              node("n4=10.0.0.4,fd00::4"),
              node("n5=10.0.0.5,fd00::5,10.0.1.5"),
              node("n6=10.0.0.6,fd00::6")));

  /**
   * After these, each in words: {@code s1 default/web n4}, {@code -s1}, {@code n4=}, {@code -n4}.
   */
  private static Cluster after(Cluster before, String... changes) {
    Cluster now = before;
    for (String change : changes) {
      String[] words = change.split(" ", -1);
      if (change.startsWith("-s")) {
        now = now.withSlices(sliceGone(change.substring(1)));
      } else if (change.startsWith("-")) {
        now = now.withNodes(nodeGone(change.substring(1)));
      } else if (change.contains("=")) {
        now = now.withNodes(nodes(node(change)));
      } else {
        String[] of = Arrays.copyOfRange(words, 2, words.length);
        now = now.withSlices(slices(slice(words[0], words[1], of)));
      }
    }
    return now;
  }

  private static String level(Cluster cluster) {
    return level(cluster, "default/web", IpFamily.IPV4);
  }

  private static String level(Cluster cluster, String service, IpFamily family) {
    return MapWords.words(cluster.level(key(service), family, any -> true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          s default/other n4 | [?]
          s other/web n4 | [?]
          # All slices count, however they are split.
          s1 default/web n4 n5, s2 default/web n5 n6 | [n4, n5, n6]
          s1 default/web n4 n5, s1 default/web n4, s2 default/web n5 | [n4, n5]
          # One of two is emptied, deleted or another Service's.
          s1 default/web n4, s2 default/web n5, s1 default/web | [n5]
          s1 default/web n4, s2 default/web n5, -s1 | [n5]
          s1 default/web n4, s2 default/web n5, s1 default/api n4 | [n5]
          # The only one is.
          s1 default/web n4, s1 default/web | []
          s1 default/web n4, -s1 | [?]
          s1 default/web n4, s1 default/api n4 | [?]
          s1 default/web n5 | [n5]
          s1 default/web N4 | [n4]
          # An unknown node, or one without an address, is waited for; it does not know its name.
          s1 default/web n4 n9 | [n4] knows [10.0.0.4, 10.0.0.5, 10.0.0.6, 10.0.1.5, fd00::4, fd00::5, fd00::6, n4, n5, n6]
          s1 default/web n4, n5=, n6=, n4= | [] knows []
          s1 default/web n4, n5=, n6=, n4=, n4=10.0.0.44 | [n4=10.0.0.44]
          s1 default/web n4, n5=, n6=10.0.0.6, -n4 | [] knows [10.0.0.6, n6]
          # Of two nodes of one address it is under the first name.
          s1 default/web n4 a, a=10.0.0.4 | [a=10.0.0.4]
          """)
  void level_isThatOfAllSlices(String changes, String level) {
    assertThat(level(after(THREE_NODES, changes.split(", ", -1)))).isEqualTo(level);
  }

  @Test
  void level_ofAnotherFamilyOrService_isItsOwn() {
    Cluster cluster =
        after(THREE_NODES, "s1 default/web n5", "n5=10.0.0.5", "s2 default/api n7", "n7=");

    assertThat(level(cluster, "default/web", IpFamily.IPV6)).isEqualTo("[]");
    assertThat(level(cluster, "default/api", IpFamily.IPV4)).startsWith("[] knows [");
    assertThat(level(after(cluster, "n5=10.0.0.5,fd00::5"), "default/web", IpFamily.IPV6))
        .isEqualTo("[n5=fd00::5]");
  }

  @Test
  void withSlices_goneSliceThatWasNeverSeen_changesNothing() {
    Cluster cluster = after(THREE_NODES, "s1 default/web n4");

    assertThat(after(cluster, "-s9")).isEqualTo(cluster);
  }

  static List<NodeView> excluded() {
    return List.of(
        labelled("node.kubernetes.io/exclude-from-external-load-balancers", ""),
        labelled("node.kubernetes.io/exclude-from-external-load-balancers", "false"),
        labelled("kubernetes.azure.com/managed", "false"),
        labelled("kubernetes.azure.com/managed", "False"),
        labelled("node-role.kubernetes.io/control-plane", ""),
        labelled("node-role.kubernetes.io/master", "true"),
        labelled("kubernetes.io/role", "master"),
        node("n4=", Map.of("kubernetes.io/role", "master"), Set.of(), false),
        node("n4=10.0.0.4", Map.of(), Set.of(), true),
        node("n4=10.0.0.4", Map.of(), TO_BE_DELETED, true),
        node("n4=10.0.0.4", Map.of("kubernetes.io/role", "master"), TO_BE_DELETED, false));
  }

  static List<NodeView> notExcluded() {
    return List.of(
        labelled("kubernetes.azure.com/managed", "true"),
        labelled("kubernetes.io/role", "agent"),
        labelled("kubernetes.azure.com/mode", "system"),
        node("n4=10.0.0.4", Map.of(), Set.of("node.kubernetes.io/unschedulable"), false),
        node("n4=10.0.0.4", Map.of(), Set.of("node.kubernetes.io/not-ready"), false),
        node("n4=10.0.0.4", Map.of(), Set.of("node.kubernetes.io/out-of-service"), false));
  }

  private static NodeView labelled(String label, String value) {
    return node("n4=10.0.0.4", Map.of(label, value), Set.of(), false);
  }

  @ParameterizedTest
  @MethodSource("excluded")
  void level_nodeThatTheCloudProviderExcludes_isNotInIt(NodeView node) {
    assertThat(level(after(THREE_NODES, "s1 default/web n4 n5").withNodes(nodes(node))))
        .isEqualTo("[n5]");
  }

  @ParameterizedTest
  @MethodSource("notExcluded")
  void level_nodeThatTheCloudProviderKeeps_isInIt(NodeView node) {
    assertThat(level(after(THREE_NODES, "s1 default/web n4 n5").withNodes(nodes(node))))
        .isEqualTo("[n4, n5]");
  }

  @Test
  void level_reported5_nodeThatTheAutoscalerDeletes_isKeptAndNotWanted() {
    var doomed = nodes(node("n4=10.0.0.4,fd00::4", Map.of(), TO_BE_DELETED, false));
    Cluster before = after(THREE_NODES, "s1 default/web n4 n5");

    Cluster cluster = before.withNodes(doomed);

    assertThat(level(cluster)).isEqualTo("[n5] keeps [10.0.0.4]");
    assertThat(level(cluster, "default/web", IpFamily.IPV6))
        .isEqualTo("[n5=fd00::5] keeps [fd00::4]");
    assertThat(level(after(cluster, "s1 default/web n5"))).isEqualTo("[n5]");
    assertThat(level(after(cluster, "n4=10.0.0.4"))).isEqualTo("[n4, n5]");
  }

  /** The taint may stay for ever. */
  @Test
  void level_reported5_nodeThatTheAutoscalerDeletes_isNamedIfItHasNoEntry() {
    Cluster cluster =
        after(THREE_NODES, "s1 default/web n4")
            .withNodes(nodes(node("n4=10.0.0.4", Map.of(), TO_BE_DELETED, false)));

    assertThat(ignored(cluster))
        .isEqualTo("node n4 is excluded by its taint ToBeDeletedByClusterAutoscaler");
    assertThat(ignored(cluster, "10.0.0.4")).isEmpty();
  }

  @Test
  void level_reported8_nodesThatALabelExcludes_areNamedWithIt() {
    Cluster cluster =
        after(THREE_NODES, "s1 default/web n4 n5", "s2 default/web n4")
            .withNodes(nodes(labelled("node-role.kubernetes.io/control-plane", "")));

    assertThat(ignored(cluster))
        .isEqualTo("node n4 is excluded by its label node-role.kubernetes.io/control-plane");
  }

  @Test
  void level_reported9_endpointsWithoutANode_areCountedOverAllSlices() {
    SliceView nodeless =
        new SliceView(new SliceView.Key("default", "s3"), key("default/web"), Set.of(), 2);

    assertThat(ignored(after(THREE_NODES, "s1 default/web n4").withSlices(slices(nodeless))))
        .isEqualTo("2 endpoints name no node");
  }

  private static String ignored(Cluster cluster, String... entries) {
    Predicate<Address> has = ip -> List.of(entries).contains(ip.text());
    Level level = cluster.level(key("default/web"), IpFamily.IPV4, has);
    return ((Level.Exactly) level).ignored().toString();
  }

  @Test
  void servicesOn_changedNodes_areThoseWhoseSlicesNameOne() {
    Cluster cluster =
        after(THREE_NODES, "s1 default/web N4 n5", "s2 default/api n5", "s3 default/shop n6");

    assertThat(cluster.slices().servicesOn(Set.of(new NodeKey("n5"))))
        .containsExactlyInAnyOrder(key("default/web"), key("default/api"));
    assertThat(cluster.slices().servicesOn(Set.of(new NodeKey("n4"))))
        .containsExactly(key("default/web"));
    assertThat(cluster.slices().servicesOn(Set.of(new NodeKey("n6"), new NodeKey("n7"))))
        .containsExactly(key("default/shop"));
    assertThat(cluster.slices().servicesOn(Set.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyHistory_whatIsKnownByNode_isAsComputedInFull(long seed) {
    Random random = new Random(seed);
    Cluster cluster = Cluster.EMPTY;
    for (int step = 0; step < 300; step++) {
      cluster = after(cluster, anyChange(random));

      Cluster now = cluster;
      Set<NodeKey> names = new HashSet<>();
      Set<Address> addresses = new HashSet<>();
      for (NodeView node : now.nodes().values()) {
        addresses.addAll(node.addresses());
        names.addAll(node.addresses().isEmpty() ? Set.of() : Set.of(node.key()));
      }
      assertThat(now.known().names()).isEqualTo(names);
      assertThat(now.known().addresses().keySet()).isEqualTo(addresses);
      Set<NodeKey> named = new HashSet<>();
      for (int number = 0; number < 6; number++) {
        NodeKey node = new NodeKey("n" + number);
        Set<ServiceKey> services = new HashSet<>();
        now.slices()
            .byService()
            .forEach(
                (service, of) -> {
                  if (of.values().stream().anyMatch(slice -> slice.nodes().contains(node))) {
                    services.add(service);
                    named.add(node);
                  }
                });
        assertThat(now.slices().servicesOn(Set.of(node))).isEqualTo(services);
      }
      assertThat(now.slices().byNode().keySet()).isEqualTo(named);
    }
  }

  /** Of six nodes with four addresses, and four slices of two Services. */
  private static String anyChange(Random random) {
    String node = "n" + random.nextInt(6);
    String slice = "s" + random.nextInt(4);
    return switch (random.nextInt(6)) {
      case 0 -> "-" + node;
      case 1 -> node + "=";
      case 2 -> node + "=10.0.0." + random.nextInt(4);
      case 3 -> "-" + slice;
      default -> {
        StringBuilder change =
            new StringBuilder(slice + (random.nextBoolean() ? " default/web" : " default/api"));
        random.ints(random.nextInt(4), 0, 6).forEach(of -> change.append(" n").append(of));
        yield change.toString();
      }
    };
  }

  /**
   * A tenant may name such nodes in a slice; a bucket of a hash table would be searched for each.
   */
  @Test
  void withSlices_nodesOfOneHash_areKeptInOrder() {
    Set<NodeKey> nodes = new HashSet<>();
    for (int number = 0; number < 1_000; number++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 10; bit++) {
        name.append((number >> bit & 1) == 0 ? "ao" : "c1");
      }
      nodes.add(new NodeKey(name.toString()));
    }
    SliceView slice = new SliceView(new SliceView.Key("default", "s1"), key("default/web"), nodes);

    Cluster cluster = Cluster.EMPTY.withSlices(slices(slice));

    assertThat(nodes)
        .extracting(Object::hashCode)
        .containsOnly(new NodeKey("ao".repeat(10)).hashCode());
    assertThat(cluster.slices().byNode().keySet())
        .isInstanceOf(SortedSet.class)
        .containsExactlyElementsOf(nodes.stream().sorted().toList());
    assertThat(cluster.slices().servicesOn(nodes)).containsExactly(key("default/web"));
  }
}
