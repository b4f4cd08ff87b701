package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import org.junit.jupiter.api.AfterAll;

/** The election on the lab's API server. */
class LeaderElectionIT extends ElectionCases {
  private static final EmbeddedCluster CLUSTER = EmbeddedCluster.start(0);

  @AfterAll
  static void stopServer() {
    CLUSTER.close();
  }

  @Override
  KubernetesClient client() {
    return CLUSTER.client();
  }
}
