package io.poolkeeper.kube;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A kube-apiserver and its etcd as separate processes, from the folder in the system property
 * {@code kube.native.dir}. The API server can be killed and started again on the same port over the
 * same data.
 */
final class RealApiServer implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");

  private final Path programs;
  private final Path directory;
  private final int etcdPort = freePort();
  private final int port = freePort();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Process etcd;
  private final KubernetesClient client;
  private Process server;

  RealApiServer(Path directory) throws IOException {
    this.directory = directory;
    programs = programs();
    Files.writeString(directory.resolve("tokens.csv"), "secret,admin,1,system:masters\n");
    Files.writeString(directory.resolve("sa.key"), privateKey());
    etcd = startEtcd();
    client = client(port);
    start();
  }

  private static Path programs() throws IOException {
    String folder =
        Objects.requireNonNull(
            System.getProperty("kube.native.dir"),
            "set -Dkube.native.dir to the folder with kube-apiserver and etcd");
    try (Stream<Path> versions = Files.list(Path.of(folder, "k8s"))) {
      return versions.max(Path::compareTo).orElseThrow();
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
  void start(String... more) throws IOException {
    List<String> arguments =
        List.of(
            "--etcd-servers=http://127.0.0.1:" + etcdPort,
            "--bind-address=127.0.0.1",
            "--secure-port=" + port,
            "--cert-dir=" + directory.resolve("certificates"),
            "--token-auth-file=" + directory.resolve("tokens.csv"),
            "--authorization-mode=RBAC",
            "--disable-admission-plugins=ServiceAccount",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-key-file=" + directory.resolve("sa.key"),
            "--service-account-signing-key-file=" + directory.resolve("sa.key"));
    server = run("kube-apiserver", Stream.concat(arguments.stream(), Stream.of(more)));
    await().atMost(START).ignoreExceptions().until(() -> client.raw("/readyz"), "ok"::equals);
  }

  /** Kills the API server; its data stay. */
  void kill() {
    kill(server);
  }

  /** Compacts etcd's history up to now. */
  void forgetHistory() throws IOException, InterruptedException {
    Matcher now = REVISION.matcher(etcd("range", "{\"key\":\"AA==\"}"));
    if (!now.find()) {
      throw new IOException("etcd told no revision");
    }
    etcd("compaction", "{\"revision\":\"%s\",\"physical\":true}".formatted(now.group(1)));
  }

  private String etcd(String call, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + etcdPort + "/v3/kv/" + call))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("etcd " + call + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  int port() {
    return port;
  }

  /** A client that reaches the API server directly. */
  KubernetesClient client() {
    return client;
  }

  /** A client that reaches it through a loopback port, created like the program's own. */
  KubernetesClient client(int through) throws IOException {
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig-" + through),
            """
            apiVersion: v1
            kind: Config
            current-context: c
            contexts: [{name: c, context: {cluster: k, user: u}}]
            clusters:
            - name: k
              cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}
            users: [{name: u, user: {token: secret}}]
            """
                .formatted(through));
    return KubeClients.create(Optional.of(kubeconfig));
  }

  @Override
  public void close() {
    client.close();
    http.shutdownNow();
    kill(server);
    kill(etcd);
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
