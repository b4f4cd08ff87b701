package io.poolkeeper.kube;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import java.util.List;
import java.util.Objects;

/** A real API server from the folder that the system property {@code kube.native.dir} names. */
public final class DisposableApiServer {
  /** A free port may be taken before the server binds it. */
  private static final int ATTEMPTS = 3;

  private DisposableApiServer() {}

  /** Starts a server with these flags besides its own; the caller stops it. */
  public static KubeAPIServer start(String... flags) {
    for (int attempt = 1; ; attempt++) {
      KubeAPIServer server =
          new KubeAPIServer(
              KubeAPIServerConfigBuilder.anAPIServerConfig()
                  .withOfflineMode(true)
                  .withApiServerFlags(List.of(flags))
                  .withTestDir(Objects.requireNonNull(System.getProperty("kube.native.dir")))
                  .withUpdateKubeConfig(false)
                  .build());
      try {
        server.start();
        return server;
      } catch (KubeAPITestException failed) {
        server.stop();
        if (attempt == ATTEMPTS) {
          throw failed;
        }
      }
    }
  }
}
