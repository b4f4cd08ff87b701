package io.poolkeeper.kube;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A kube-apiserver and its etcd as separate processes, from the folder in the system property
 * {@code kube.native.dir}. The API server can be killed and started again on the same port over the
 * same data. Its administrator has a token.
 */
public final class RealApiServer implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);

  /** A free port may be taken before the server binds it. */
  private static final int ATTEMPTS = 3;

  private static @Nullable Shared shared;

  private final Path programs;
  private final Path directory;
  private final int etcdPort = freePort();
  private final int port = freePort();
  private final Process etcdProcess;
  private final Etcd etcd = new Etcd(etcdPort);
  private final KubernetesClient client;
  private Process server;

  /** The one of this JVM, and what it held after its start. */
  private record Shared(RealApiServer server, Map<String, Etcd.Entry> content) {}

  private RealApiServer(Path directory) throws IOException {
    this.directory = directory;
    programs = programs();
    Files.writeString(directory.resolve("tokens.csv"), "secret,admin,1,system:masters\n");
    Files.writeString(directory.resolve("sa.key"), privateKey());
    etcdProcess = startEtcd();
    server = etcdProcess;
    client = client(port);
  }

  /**
   * Starts one with these flags besides its own, which the caller closes.
   *
   * @param directory for its files
   */
  public static RealApiServer start(Path directory, String... flags) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Path place = Files.createTempDirectory(directory, "apiserver");
      RealApiServer server = new RealApiServer(place);
      try {
        server.restart(flags);
        return server;
      } catch (IOException | ConditionTimeoutException failed) {
        server.close();
        if (attempt == ATTEMPTS) {
          throw failed;
        }
      }
    }
  }

  /**
   * The one of this JVM, as empty as after its start, which takes seconds. Test classes have it one
   * after the other and do not close it. It is not for those that restrict admission: the API
   * server forgets a deleted policy late.
   */
  public static synchronized RealApiServer shared() {
    try {
      if (shared == null || !shared.server.isAlive()) {
        Path directory = Files.createTempDirectory("poolkeeper");
        RealApiServer server = start(directory);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> discard(server, directory)));
        shared = new Shared(server, server.etcd.content());
      } else {
        shared.server.etcd.restore(shared.content);
        KubernetesClient client = shared.server.client;
        await()
            .atMost(START)
            .until(
                () ->
                    client
                            .apiextensions()
                            .v1()
                            .customResourceDefinitions()
                            .list()
                            .getItems()
                            .isEmpty()
                        && client.getApiGroup("poolkeeper.io") == null);
      }
      return shared.server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  private boolean isAlive() {
    return server.isAlive() && etcdProcess.isAlive();
  }

  private static void discard(RealApiServer server, Path directory) {
    server.close();
    try {
      FileUtils.deleteDirectory(directory.toFile());
    } catch (IOException left) {
      throw new UncheckedIOException(left);
    }
  }

  /** The folder of what was built last: kube-apiserver, etcd and kubectl of one version. */
  static Path programs() throws IOException {
    String folder =
        Objects.requireNonNull(
            System.getProperty("kube.native.dir"),
            "set -Dkube.native.dir to the folder with kube-apiserver and etcd");
    try (Stream<Path> versions = Files.list(Path.of(folder, "k8s"))) {
      return versions
          .filter(version -> !version.toString().endsWith(".partial"))
          .max(Comparator.comparingLong(version -> version.toFile().lastModified()))
          .orElseThrow();
    }
  }

  private Process startEtcd() throws IOException {
    String clients = "http://127.0.0.1:" + etcdPort;
    String peers = "http://127.0.0.1:" + freePort();
    return run(
        "etcd",
        Stream.of(
            "--data-dir=" + directory.resolve("etcd"),
            "--listen-client-urls=" + clients,
            "--advertise-client-urls=" + clients,
            "--listen-peer-urls=" + peers,
            "--initial-advertise-peer-urls=" + peers,
            "--initial-cluster=default=" + peers,
            "--unsafe-no-fsync"));
  }

  /** Starts the API server with the existing data, and waits until it is ready. */
  void restart(String... more) throws IOException {
    List<String> arguments =
        List.of(
            "--etcd-servers=http://127.0.0.1:" + etcdPort,
            "--bind-address=127.0.0.1",
            "--secure-port=" + port,
            "--cert-dir=" + directory.resolve("certificates"),
            "--token-auth-file=" + directory.resolve("tokens.csv"),
            "--authorization-mode=RBAC",
            "--service-cluster-ip-range=10.0.0.0/16,fd00::/112",
            "--disable-admission-plugins=ServiceAccount",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-key-file=" + directory.resolve("sa.key"),
            "--service-account-signing-key-file=" + directory.resolve("sa.key"));
    server = run("kube-apiserver", Stream.concat(arguments.stream(), Stream.of(more)));
    await()
        .atMost(START)
        .ignoreExceptions()
        .until(() -> !server.isAlive() || "ok".equals(client.raw("/readyz")));
    if (!server.isAlive()) {
      throw new IOException("kube-apiserver has ended: see its log in " + directory);
    }
  }

  /** Kills the API server; its data stay. */
  void kill() {
    kill(server);
  }

  /** Compacts etcd's history up to now. */
  void forgetHistory() throws IOException, InterruptedException {
    etcd.forgetHistory();
  }

  public int port() {
    return port;
  }

  /** The administrator's client, which reaches the API server directly. */
  KubernetesClient client() {
    return client;
  }

  /** A client that reaches it through a loopback port, created like the program's own. */
  KubernetesClient client(int through) throws IOException {
    Path file = directory.resolve("kubeconfig-" + through);
    String text = kubeconfig(through, "insecure-skip-tls-verify: true");
    return KubeClients.create(Optional.of(Files.writeString(file, text)), InstantSource.system());
  }

  /** The same, with this limit for all that it waits for in an answer. */
  public KubernetesClient client(int through, Duration limit) throws IOException {
    KubernetesClient shipped = client(through);
    return KubeClients.build(shipped.getConfiguration(), new AnswerLimits(limit, limit, limit));
  }

  /** By which an administrator reaches it. */
  public String kubeconfig() {
    Path certificate = directory.resolve("certificates/apiserver.crt");
    return kubeconfig(port, "certificate-authority: \"" + certificate + "\"");
  }

  private static String kubeconfig(int through, String trust) {
    return """
    apiVersion: v1
    kind: Config
    current-context: c
    contexts: [{name: c, context: {cluster: k, user: u}}]
    clusters:
    - name: k
      cluster: {server: "https://127.0.0.1:%d", %s}
    users: [{name: u, user: {token: secret}}]
    """
        .formatted(through, trust);
  }

  @Override
  public void close() {
    client.close();
    etcd.close();
    kill(server);
    kill(etcdProcess);
  }

  private Process run(String program, Stream<String> arguments) throws IOException {
    List<String> command =
        Stream.concat(Stream.of(programs.resolve(program).toString()), arguments).toList();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(
            ProcessBuilder.Redirect.appendTo(directory.resolve(program + ".log").toFile()))
        .start();
  }

  private static void kill(Process process) {
    process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException none) {
      throw new IllegalStateException(none);
    }
  }

  private static String privateKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
      return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
          .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key));
    } catch (GeneralSecurityException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
