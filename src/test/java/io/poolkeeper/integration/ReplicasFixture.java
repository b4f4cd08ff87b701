package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** One Service with a pool, three nodes, and several replicas of the program as processes. */
final class ReplicasFixture implements AutoCloseable {
  private static final String LB = "kubernetes";
  private static final String POOL = "shop-web";
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final Duration POLL = Duration.ofMillis(5);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final SimulatedArm arm = new SimulatedArm();
  private final List<Replica> replicas = new ArrayList<>();
  private final Map<String, Integer> ports = new HashMap<>();
  private final Path directory;
  private final String hocon;

  /**
   * Nothing runs yet; the pool holds n1, as the Service has it.
   *
   * @param hocon overrides the basic configuration
   */
  ReplicasFixture(Path directory, String hocon) {
    this.directory = directory;
    this.hocon = hocon;
    for (int n = 1; n <= 4; n++) {
      cluster.node("n" + n, "10.0.0." + n);
    }
    String prefix = cluster.service("web");
    cluster.endpoints("web", "n1");
    arm.put(LB, Seed.of(POOL, prefix).holding(Map.of("10.0.0.1", "n1")));
  }

  /** Starts the process of a Pod, which has the same port each time. */
  Replica start(String pod) throws IOException {
    return start(pod, "");
  }

  /** The same with settings of its own. */
  Replica start(String pod, String own) throws IOException {
    if (!ports.containsKey(pod)) {
      try (ServerSocket free = new ServerSocket(0)) {
        ports.put(pod, free.getLocalPort());
      }
    }
    String settings =
        """
        poolkeeper {
          mode = write
          azure {
            subscription-id = "%s"
            resource-group = "%s"
            vnet-id = "%s"
            endpoint = "%s"
            credential = none
          }
          updater { interval = 3s, min-interval = 100ms }
          http.port = %d
        }
        %s
        %s
        """
            .formatted(
                SimulatedArm.SUBSCRIPTION,
                SimulatedArm.GROUP,
                SimulatedArm.NETWORK,
                arm.endpoint(),
                ports.get(pod),
                hocon,
                own);
    Replica replica = Replica.start(directory, pod, cluster.kubeconfig(), settings);
    replicas.add(replica);
    return replica;
  }

  /** The Service's endpoints are on this node alone. */
  void endpointsOn(String node) {
    cluster.endpoints("web", node);
  }

  /** Waits until the pool holds this node alone. */
  void awaitMember(String node) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(POLL)
        .untilAsserted(() -> assertThat(members()).containsExactly(node));
  }

  /** A write of the pool is answered so much later. */
  void slowWrites(Duration by) {
    arm.fault(
        "{\"method\":\"PUT\",\"path\":\".*/shop-web\",\"delayMillis\":%d}"
            .formatted(by.toMillis()));
  }

  /** The events about what became of a write to the Service's pool. */
  List<Event> events() {
    return cluster.events("web").stream()
        .filter(event -> event.getReason().startsWith("LoadBalancerBackendPool"))
        .toList();
  }

  void awaitLeader(String pod) {
    Awaitility.await().atMost(PATIENCE).pollInterval(POLL).until(() -> leader().equals(pod));
  }

  List<String> members() {
    return List.copyOf(arm.members(LB, POOL).values());
  }

  /** The requests to ARM so far. */
  int mark() {
    return arm.mark();
  }

  List<String> writes(int mark) {
    return arm.allPuts(mark);
  }

  /** The Pod whose the Lease of the leader is; empty if nobody's. */
  String leader() {
    return holder("poolkeeper-leader").replace("_" + Replica.UID, "");
  }

  /** Whose the Lease is that is shared with the cloud provider; empty if nobody's. */
  String writer() {
    return holder("aks-managed-resource-locker");
  }

  private String holder(String lease) {
    Lease found = cluster.client().leases().inNamespace("kube-system").withName(lease).require();
    @Nullable String holder = found.getSpec().getHolderIdentity();
    return holder == null ? "" : holder;
  }

  @Override
  public void close() throws IOException {
    for (Replica replica : replicas) {
      replica.close();
    }
    arm.close();
    cluster.close();
  }
}
