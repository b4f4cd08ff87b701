package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Slices and Nodes in all forms, and the resulting members of pools. */
class WorldIT {
  private static final String CANARY = "canary";
  private static final List<String> SERVICES =
      List.of(
          "unlabelled",
          "nameless",
          "unknown-node",
          "no-address",
          "readdressed",
          "vanished",
          "excluded",
          "unmanaged",
          "scaled",
          "sliced",
          "shared",
          CANARY);

  private static final ControllerFixture fixture = new ControllerFixture();
  private static int round;

  /** Every Service begins on n1, and its pool holds that. */
  @BeforeAll
  static void start() throws Exception {
    for (int node = 1; node <= 4; node++) {
      fixture.cluster.node("n" + node, "10.0.0." + node);
    }
    fixture.cluster.node("canary-node", "10.1.0.0");
    List<Seed> seeds = new ArrayList<>();
    for (String service : SERVICES) {
      String prefix = fixture.cluster.service(service);
      fixture.cluster.endpoints(service, "n1");
      seeds.add(Seed.of(pool(service), prefix).holding(entries("n1")));
    }
    fixture.arm.put(LB, seeds.toArray(Seed[]::new));
    fixture.startController("");
    fixture.awaitReady();
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  private static String pool(String service) {
    return "shop-" + service;
  }

  /** The entries of nodes n1 to n4. */
  private static Map<String, String> entries(String... nodes) {
    Map<String, String> entries = new TreeMap<>();
    for (String node : nodes) {
      entries.put("10.0.0." + node.substring(1), node);
    }
    return entries;
  }

  private static void awaitEntries(String service, String... nodes) {
    fixture.awaitMembers(LB, pool(service), entries(nodes));
  }

  /**
   * Waits until all earlier changes have been handled: makes later changes of a Node and of a
   * slice, and waits until they are in ARM.
   */
  private static void settle() {
    round++;
    String address = "10.1.0." + round;
    fixture.cluster.node("canary-node", address);
    fixture.cluster.endpoints(CANARY, "canary-node", "n" + (1 + round % 2));
    Map<String, String> expected = new TreeMap<>(entries("n" + (1 + round % 2)));
    expected.put(address, "canary-node");
    fixture.awaitMembers(LB, pool(CANARY), expected);
  }

  @Test
  void aSliceWithoutAServiceLabelCountsForNothing() {
    int mark = fixture.arm.mark();
    fixture.cluster.put(SimulatedCluster.sliceOf("shop", "unlabelled-2", "n2"));
    settle();
    assertThat(fixture.arm.puts(LB, pool("unlabelled"), mark)).isEmpty();
    // Adding a label includes it, and removing the label reverts that.
    fixture.cluster.slice("shop", "unlabelled-2", "unlabelled", "n2");
    awaitEntries("unlabelled", "n1", "n2");
    fixture.cluster.put(SimulatedCluster.sliceOf("shop", "unlabelled-2", "n2"));
    awaitEntries("unlabelled", "n1");
  }

  @Test
  void endpointsWithoutANodeNameAreSkipped() {
    fixture.cluster.endpoints("nameless", null, "n2", "");
    awaitEntries("nameless", "n2");
    fixture.cluster.endpoints("nameless", (String) null);
    awaitEntries("nameless");
  }

  @Test
  void entriesOfUnknownNodesStayUntilTheUnknownNodeAppears() {
    // Another client wrote the node's address before its Node object arrived.
    Map<String, String> foreign = new TreeMap<>(entries("n1", "n3"));
    foreign.put("10.0.9.9", "unknown");
    fixture.arm.putMembers(LB, pool("unknown-node"), foreign);
    fixture.cluster.endpoints("unknown-node", "n2", "late");
    Map<String, String> waiting = new TreeMap<>(entries("n2"));
    waiting.put("10.0.9.9", "unknown");
    fixture.awaitMembers(LB, pool("unknown-node"), waiting);

    fixture.cluster.node("late", "10.0.0.77");

    fixture.awaitMembers(LB, pool("unknown-node"), Map.of("10.0.0.2", "n2", "10.0.0.77", "late"));
  }

  @Test
  void aNodeWithoutAnAddressIsWaitedFor() {
    fixture.cluster.node("bare");
    fixture.cluster.endpoints("no-address", "n2", "bare");
    awaitEntries("no-address", "n2");
    fixture.cluster.node("bare", "10.0.0.88");
    fixture.awaitMembers(LB, pool("no-address"), Map.of("10.0.0.2", "n2", "10.0.0.88", "bare"));
    // Whose an address is, a name does not say: without an address the node keeps its entry.
    fixture.cluster.node("bare");
    settle();
    fixture.awaitMembers(LB, pool("no-address"), Map.of("10.0.0.2", "n2", "10.0.0.88", "bare"));
    fixture.cluster.node("bare", "10.0.0.89");
    fixture.awaitMembers(LB, pool("no-address"), Map.of("10.0.0.2", "n2", "10.0.0.89", "bare"));
  }

  @Test
  void theFirstInternalAddressOfANodeCountsAndItsChangeIsFollowed() {
    fixture.cluster.node("mover", "10.2.0.1", "10.2.0.2");
    fixture.cluster.endpoints("readdressed", "mover", "n1");
    Map<String, String> expected = new TreeMap<>(entries("n1"));
    expected.put("10.2.0.1", "mover");
    fixture.awaitMembers(LB, pool("readdressed"), expected);

    fixture.cluster.editNode(
        "mover",
        node ->
            node.editStatus()
                .withAddresses(
                    new NodeAddress("mover", "Hostname"),
                    new NodeAddress("20.0.0.1", "ExternalIP"),
                    new NodeAddress("10.2.0.2", "InternalIP"))
                .endStatus());

    expected.remove("10.2.0.1");
    expected.put("10.2.0.2", "mover");
    fixture.awaitMembers(LB, pool("readdressed"), expected);
  }

  @Test
  void aNodeThatVanishesLeavesItsPools() {
    fixture.cluster.node("mortal", "10.3.0.1");
    fixture.cluster.endpoints("vanished", "mortal", "n1");
    fixture.awaitMembers(LB, pool("vanished"), Map.of("10.0.0.1", "n1", "10.3.0.1", "mortal"));

    fixture.cluster.client().nodes().withName("mortal").delete();
    // Its endpoint may outlive it; until then the entry belongs to no known node.
    settle();
    fixture.awaitMembers(LB, pool("vanished"), Map.of("10.0.0.1", "n1", "10.3.0.1", "mortal"));
    fixture.cluster.endpoints("vanished", "n1");

    awaitEntries("vanished", "n1");
  }

  @Test
  void aNodeIsKeptOutByTheExcludeLabelWhateverItsValue() {
    keptOut(
        "excluded",
        node ->
            node.editMetadata()
                .addToLabels("node.kubernetes.io/exclude-from-external-load-balancers", "false")
                .endMetadata());
  }

  @Test
  void aNodeIsKeptOutIfAzureDoesNotManageIt() {
    keptOut(
        "unmanaged",
        node ->
            node.editMetadata().addToLabels("kubernetes.azure.com/managed", "False").endMetadata());
  }

  private static void keptOut(String service, UnaryOperator<NodeBuilder> change) {
    String node = "out-" + service;
    fixture.cluster.node(node, "10.4.0." + SERVICES.indexOf(service));
    fixture.cluster.endpoints(service, "n1", node);
    Map<String, String> both = new TreeMap<>(entries("n1"));
    both.put("10.4.0." + SERVICES.indexOf(service), node);
    fixture.awaitMembers(LB, pool(service), both);

    fixture.cluster.editNode(node, change);
    awaitEntries(service, "n1");

    fixture.cluster.node(node, "10.4.0." + SERVICES.indexOf(service));
    fixture.awaitMembers(LB, pool(service), both);
  }

  @Test
  void aServiceScaledToNothingHasAnEmptyPool() {
    fixture.cluster.endpoints("scaled");
    awaitEntries("scaled");
    fixture.cluster.endpoints("scaled", "n3");
    awaitEntries("scaled", "n3");
  }

  @Test
  void theUnionOfAllSlicesCountsAndNoSliceAtAllChangesNothing() {
    fixture.cluster.slice("shop", "sliced-2", "sliced", "n1", "n2");
    awaitEntries("sliced", "n1", "n2");
    // One of two slices that share a node drops it: the node stays.
    fixture.cluster.endpoints("sliced", "n3");
    awaitEntries("sliced", "n1", "n2", "n3");
    fixture.cluster.deleteSlice("sliced-2");
    awaitEntries("sliced", "n3");
    int mark = fixture.arm.mark();

    fixture.cluster.deleteSlice("sliced-1");

    settle();
    assertThat(fixture.arm.puts(LB, pool("sliced"), mark)).isEmpty();
    awaitEntries("sliced", "n3");
    fixture.cluster.endpoints("sliced", "n4");
    awaitEntries("sliced", "n4");
  }

  /** A second change within an interval is written once it has passed, with all that came since. */
  @Test
  void changesInsideAnIntervalAreWrittenTogether() {
    int mark = fixture.arm.mark();
    fixture.cluster.endpoints("shared", "n2");
    awaitEntries("shared", "n2");
    fixture.cluster.endpoints("shared", "n2", "n3");
    fixture.cluster.endpoints("shared", "n3");
    fixture.cluster.endpoints("shared", "n3", "n4");
    awaitEntries("shared", "n3", "n4");
    settle();
    List<Long> writes =
        fixture.arm.puts(LB, pool("shared"), mark).stream().map(e -> e.arrivedNanos()).toList();
    assertThat(writes).hasSize(2);
    assertThat(writes.get(1) - writes.get(0)).isGreaterThan(450_000_000L);
  }

  @Test
  void everyWriteIsReportedOnTheServiceAndCounted() {
    String service = CANARY;
    settle();
    eventually(
        () ->
            assertThat(fixture.events(service, ControllerFixture.UPDATED))
                .hasSize(1)
                .allSatisfy(
                    event -> {
                      assertThat(event.getType()).isEqualTo("Normal");
                      assertThat(event.getSource().getComponent()).isEqualTo("poolkeeper");
                      assertThat(event.getInvolvedObject().getKind()).isEqualTo("Service");
                      assertThat(event.getCount())
                          .isEqualTo(fixture.arm.puts(LB, pool(service), 0).size());
                    }));
  }
}
