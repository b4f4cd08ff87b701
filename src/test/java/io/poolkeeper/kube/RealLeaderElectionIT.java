package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The election on a real kube-apiserver, whose refusal of a stale write is what it rests on. */
@Tag("real-apiserver")
class RealLeaderElectionIT extends ElectionCases {
  private static RealApiServer server;

  @BeforeAll
  static void startServer() {
    server = RealApiServer.shared();
  }

  @Override
  KubernetesClient client() {
    return server.client();
  }
}
