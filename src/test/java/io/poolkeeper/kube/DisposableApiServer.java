package io.poolkeeper.kube;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import io.fabric8.kubeapitest.cert.CertManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A real API server from the folder that the system property {@code kube.native.dir} names. */
public final class DisposableApiServer {
  /** A free port may be taken before the server binds it. */
  private static final int ATTEMPTS = 3;

  private DisposableApiServer() {}

  /** Starts a server with these flags besides its own; the caller stops it. */
  public static KubeAPIServer start(String... flags) {
    String folder = Objects.requireNonNull(System.getProperty("kube.native.dir"));
    makeKeys(Path.of(folder));
    for (int attempt = 1; ; attempt++) {
      KubeAPIServer server =
          new KubeAPIServer(
              KubeAPIServerConfigBuilder.anAPIServerConfig()
                  .withOfflineMode(true)
                  .withApiServerFlags(List.of(flags))
                  .withTestDir(folder)
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

  /**
   * A new folder has no keys. The library makes them, and knows of no other process that does so at
   * the same moment: a server and its client would have keys that do not match.
   */
  private static synchronized void makeKeys(Path folder) {
    try (FileChannel file = FileChannel.open(folder.resolve("keys.lock"), CREATE, WRITE)) {
      file.lock(); // until it is closed
      new CertManager(folder.toString()).createCertificatesIfNeeded();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
