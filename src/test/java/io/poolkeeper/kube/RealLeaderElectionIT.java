package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The election on a real kube-apiserver, whose refusal of a stale write is what it rests on. */
@Tag("real-apiserver")
class RealLeaderElectionIT extends ElectionCases {
  @TempDir static Path directory;
  private static RealApiServer server;

  @BeforeAll
  static void startServer() throws IOException {
    server = new RealApiServer(directory);
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  KubernetesClient client() {
    return server.client();
  }
}
