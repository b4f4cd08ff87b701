package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.exactly;
import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.nodeGone;
import static io.poolkeeper.service.ServiceFixtures.nodes;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.sliceGone;
import static io.poolkeeper.service.ServiceFixtures.slices;
import static io.poolkeeper.service.ServiceFixtures.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.SliceView;
import io.poolkeeper.pool.KnownNodes;
import io.poolkeeper.pool.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The level of a Service: the eligible nodes of all its slices, each by its first InternalIP. */
class ClusterTest {
  private static final Cluster THREE_NODES =
      Cluster.EMPTY.withNodes(
          nodes(
              node("n4=10.0.0.4,fd00::4"),
              node("n5=10.0.0.5,fd00::5,10.0.1.5"),
              node("n6=10.0.0.6,fd00::6")));

  private static Level level(Cluster cluster) {
    return cluster.level(key("default/web"), IpFamily.IPV4);
  }

  private static Cluster with(SliceView... slices) {
    return THREE_NODES.withSlices(slices(slices));
  }

  @Test
  void level_noSlice_isUnknown() {
    assertThat(level(THREE_NODES)).isEqualTo(new Level.Unknown());
    assertThat(level(with(slice("s", "default/other", "n4")))).isEqualTo(new Level.Unknown());
    assertThat(level(with(slice("s", "other/web", "n4")))).isEqualTo(new Level.Unknown());
  }

  @Test
  void level_severalSlices_isTheirUnion() {
    Cluster cluster =
        with(slice("s1", "default/web", "n4", "n5"), slice("s2", "default/web", "n5", "n6"));

    assertThat(level(cluster)).isEqualTo(exactly("n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6"));
  }

  @Test
  void level_sliceIsSplit_isTheSame() {
    Cluster before = with(slice("s1", "default/web", "n4", "n5"));

    Cluster after =
        before.withSlices(
            slices(slice("s1", "default/web", "n4"), slice("s2", "default/web", "n5")));

    assertThat(level(after)).isEqualTo(level(before));
  }

  @Test
  void level_oneOfTwoSlicesEmptiedOrDeleted_isTheOthers() {
    Cluster two = with(slice("s1", "default/web", "n4"), slice("s2", "default/web", "n5"));

    assertThat(level(two.withSlices(slices(slice("s1", "default/web")))))
        .isEqualTo(exactly("n5=10.0.0.5"));
    assertThat(level(two.withSlices(sliceGone("s1")))).isEqualTo(exactly("n5=10.0.0.5"));
  }

  @Test
  void level_onlySliceEmptied_isEmptyAndDeleted_isUnknown() {
    Cluster one = with(slice("s1", "default/web", "n4"));

    assertThat(level(one.withSlices(slices(slice("s1", "default/web"))))).isEqualTo(exactly());
    assertThat(level(one.withSlices(sliceGone("s1")))).isEqualTo(new Level.Unknown());
  }

  @Test
  void level_sliceMovesToAnotherService_isTheOthersNow() {
    Cluster moved =
        with(slice("s1", "default/web", "n4"), slice("s2", "default/web", "n5"))
            .withSlices(slices(slice("s1", "default/api", "n4")));

    assertThat(level(moved)).isEqualTo(exactly("n5=10.0.0.5"));
    assertThat(moved.level(key("default/api"), IpFamily.IPV4)).isEqualTo(exactly("n4=10.0.0.4"));
    assertThat(level(moved.withSlices(sliceGone("s2")))).isEqualTo(new Level.Unknown());
  }

  @Test
  void withSlices_goneSliceThatWasNeverSeen_changesNothing() {
    Cluster cluster = with(slice("s1", "default/web", "n4"));

    assertThat(cluster.withSlices(sliceGone("s9"))).isEqualTo(cluster);
  }

  @Test
  void level_nodeOfSeveralAddresses_isTheFirstOfTheFamily() {
    Cluster cluster = with(slice("s1", "default/web", "n5"));

    assertThat(level(cluster)).isEqualTo(exactly("n5=10.0.0.5"));
    assertThat(cluster.level(key("default/web"), IpFamily.IPV6)).isEqualTo(exactly("n5=fd00::5"));
  }

  @Test
  void level_nodeNamedInAnotherCase_isTheNodeUnderItsOwnName() {
    Cluster cluster = with(slice("s1", "default/web", "N4"));

    assertThat(level(cluster)).isEqualTo(exactly("n4=10.0.0.4"));
    assertThat(cluster.servicesOn(Set.of(new NodeKey("n4")))).containsExactly(key("default/web"));
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
        node("n4=10.0.0.4", Map.of(), Set.of("ToBeDeletedByClusterAutoscaler"), false),
        node("n4=10.0.0.4", Map.of(), Set.of(), true));
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
    Cluster cluster = with(slice("s1", "default/web", "n4", "n5")).withNodes(nodes(node));

    assertThat(level(cluster)).isEqualTo(exactly("n5=10.0.0.5"));
  }

  @ParameterizedTest
  @MethodSource("notExcluded")
  void level_nodeThatTheCloudProviderKeeps_isInIt(NodeView node) {
    Cluster cluster = with(slice("s1", "default/web", "n4", "n5")).withNodes(nodes(node));

    assertThat(level(cluster)).isEqualTo(exactly("n4=10.0.0.4", "n5=10.0.0.5"));
  }

  @Test
  void level_excludedNodeWithoutAddress_isNotWaitedFor() {
    NodeView node =
        node("n4=", Map.of("node-role.kubernetes.io/control-plane", ""), Set.of(), false);

    assertThat(level(with(slice("s1", "default/web", "n4", "n5")).withNodes(nodes(node))))
        .isEqualTo(exactly("n5=10.0.0.5"));
  }

  @Test
  void level_sliceNamesAnUnknownNode_keepsUnknown() {
    List<String> known =
        List.of("n4=10.0.0.4,fd00::4", "n5=10.0.0.5,fd00::5,10.0.1.5", "n6=10.0.0.6,fd00::6");

    assertThat(level(with(slice("s1", "default/web", "n4", "n9"))))
        .isEqualTo(waiting(known, "n4=10.0.0.4"));
  }

  @Test
  void level_nodeHasNoAddress_keepsUnknownAndAnotherFamilysDoesNot() {
    Cluster cluster =
        Cluster.EMPTY
            .withNodes(nodes(node("n4=10.0.0.4"), node("n5=")))
            .withSlices(slices(slice("s1", "default/web", "n4"), slice("s2", "default/api", "n5")));

    assertThat(level(cluster)).isEqualTo(exactly("n4=10.0.0.4"));
    assertThat(cluster.level(key("default/web"), IpFamily.IPV6)).isEqualTo(exactly());
    assertThat(cluster.level(key("default/api"), IpFamily.IPV4))
        .isEqualTo(waiting(List.of("n4=10.0.0.4", "n5=")));
  }

  @Test
  void level_nodesAddressAppearsChangesAndVanishes_follows() {
    Cluster none =
        Cluster.EMPTY
            .withNodes(nodes(node("n4=")))
            .withSlices(slices(slice("s1", "default/web", "n4")));
    assertThat(level(none)).isEqualTo(waiting(List.of("n4=")));

    Cluster appeared = none.withNodes(nodes(node("n4=10.0.0.4")));
    assertThat(level(appeared)).isEqualTo(exactly("n4=10.0.0.4"));

    Cluster changed = appeared.withNodes(nodes(node("n4=10.0.0.44")));
    assertThat(level(changed)).isEqualTo(exactly("n4=10.0.0.44"));

    assertThat(level(changed.withNodes(nodes(node("n4="))))).isEqualTo(waiting(List.of()));
    assertThat(level(changed.withNodes(nodeGone("n4")))).isEqualTo(waiting(List.of()));
  }

  /** A name says nothing of whose an address is: the entry of that name stays. */
  @Test
  void level_nodesAddressVanishesForAMoment_doesNotKnowItsName() {
    Cluster cluster = with(slice("s1", "default/web", "n4", "n5")).withNodes(nodes(node("n4=")));

    KnownNodes known = ((Level.Exactly) level(cluster)).keepUnknown().orElseThrow();

    assertThat(known.names()).containsExactlyInAnyOrder(new NodeKey("n5"), new NodeKey("n6"));
    assertThat(known.addresses()).doesNotContain(Address.of("10.0.0.4"));
  }

  @Test
  void level_twoNodesOfOneAddress_isUnderTheFirstName() {
    Cluster cluster =
        Cluster.EMPTY
            .withNodes(nodes(node("b=10.0.0.4"), node("a=10.0.0.4")))
            .withSlices(slices(slice("s1", "default/web", "a", "b")));

    assertThat(level(cluster)).isEqualTo(exactly("a=10.0.0.4"));
  }

  @Test
  void servicesOn_changedNodes_areThoseWhoseSlicesNameOne() {
    Cluster cluster =
        with(
            slice("s1", "default/web", "n4", "n5"),
            slice("s2", "default/api", "n5"),
            slice("s3", "default/shop", "n6"));

    assertThat(cluster.servicesOn(Set.of(new NodeKey("n5"))))
        .containsExactlyInAnyOrder(key("default/web"), key("default/api"));
    assertThat(cluster.servicesOn(Set.of(new NodeKey("n6"), new NodeKey("n7"))))
        .containsExactly(key("default/shop"));
    assertThat(cluster.servicesOn(Set.of())).isEmpty();
  }
}
