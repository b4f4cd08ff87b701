package io.poolkeeper.kube;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import java.util.Objects;

/** A real API server from the folder that the system property {@code kube.native.dir} names. */
public final class DisposableApiServer {
  /** A port that was found free may be taken by the time that the server binds it. */
  private static final int ATTEMPTS = 3;

  private DisposableApiServer() {}

  /** One that has started; whoever asks for it stops it. */
  public static KubeAPIServer start() {
    for (int attempt = 1; ; attempt++) {
      KubeAPIServer server =
          new KubeAPIServer(
              KubeAPIServerConfigBuilder.anAPIServerConfig()
                  .withOfflineMode(true)
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
