package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients of a kubeconfig's user send. */
class KubeconfigAccessTest {
  @TempDir Path directory;
  private TlsServer server;
  private Path token;
  private Instant now = Instant.parse("2026-11-26T18:00:00Z");

  @BeforeEach
  void start() throws IOException {
    server = TlsServer.plain();
    token = Files.writeString(directory.resolve("token"), "t1");
    Files.setPosixFilePermissions(
        Files.writeString(
            directory.resolve("plugin"),
            """
            #!/bin/sh
            echo warning >&2
            echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"'$(cat %s)'","expirationTimestamp":"2026-11-26T18:05:00Z"}}'
            """
                .formatted(token)),
        PosixFilePermissions.fromString("rwx------"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void tokenOfAPlugin_isFetchedAnewOnceItHasExpired_byAllClients() throws IOException {
    try (KubernetesClient client = client(exec());
        KubernetesClient once = KubeClients.once(client, Duration.ofSeconds(5))) {
      client.raw("/");
      Files.writeString(token, "t2");
      once.raw("/");
      assertThat(sent("Authorization")).containsExactly("Bearer t1", "Bearer t1");
      now = Instant.parse("2026-11-26T18:05:00Z");
      await().until(() -> lastSent(once).equals("Bearer t2"));
      assertThat(lastSent(client)).isEqualTo("Bearer t2");
    }
  }

  @Test
  void tokenThatIsRefused_isFetchedAnew_andTheCallRepeated() throws IOException {
    for (String user : List.of(exec(), "{tokenFile: token}")) {
      Files.writeString(token, "t1");
      server.requests.clear();
      server.accepted.clear();
      try (KubernetesClient client = client(user)) {
        client.raw("/");
        Files.writeString(token, "t2");
        server.accepted.add("t2");
        now = now.plus(RenewedToken.PAUSE);

        assertThat(client.raw("/")).isEqualTo("ok");
      }
      assertThat(sent("Authorization")).containsExactly("Bearer t1", "Bearer t1", "Bearer t2");
    }
  }

  @Test
  void pluginThatFailsLater_isTheCauseThatACallNames() throws IOException {
    try (KubernetesClient client = client(exec())) {
      Files.writeString(directory.resolve("plugin"), "#!/bin/sh\necho 'no login' >&2; exit 1\n");
      server.accepted.add("t2");
      now = now.plus(RenewedToken.PAUSE);

      assertThatExceptionOfType(KubernetesClientException.class)
          .isThrownBy(() -> client.raw("/"))
          .withStackTraceContaining("exec: command ./plugin: exit code 1: no login");
    }
  }

  @Test
  void tokenFile_isReadAnewEachMinute() throws IOException {
    try (KubernetesClient client = client("{tokenFile: token, token: older}")) {
      client.raw("/");
      Files.writeString(token, "t2\n");
      now = now.plus(PodAccount.READ_AGAIN);
      await().until(() -> lastSent(client).equals("Bearer t2"));
      Files.delete(token);
      now = now.plus(PodAccount.READ_AGAIN);
      assertThat(lastSent(client)).isEqualTo("Bearer t2");
    }
    assertThat(sent("Authorization")).contains("Bearer t1").doesNotContain("Bearer older");
  }

  @Test
  void anotherUser_isNamedInEachCall() throws IOException {
    String user =
        "{token: t, as: 'alice', as-uid: '42', as-groups: [ops, 'dev:a'],"
            + " as-user-extra: {'example.com/Project %': [a, b], team: [x]}}";
    try (KubernetesClient client = client(user);
        KubernetesClient once = KubeClients.once(client, Duration.ofSeconds(5))) {
      client.raw("/");
      once.raw("/");
    }
    assertThat(server.requests)
        .hasSize(2)
        .allSatisfy(
            headers -> {
              assertThat(headers.get("Authorization")).containsExactly("Bearer t");
              assertThat(headers.get("Impersonate-User")).containsExactly("alice");
              assertThat(headers.get("Impersonate-Uid")).containsExactly("42");
              assertThat(headers.get("Impersonate-Group")).containsExactly("ops", "dev:a");
              assertThat(headers.get("Impersonate-Extra-team")).containsExactly("x");
              assertThat(headers.get("Impersonate-Extra-example.com%2FProject%20%25"))
                  .containsExactly("a", "b");
            });
  }

  private static String exec() {
    return "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}}";
  }

  private String lastSent(KubernetesClient by) {
    by.raw("/");
    return sent("Authorization").getLast();
  }

  private List<String> sent(String header) {
    return server.requests.stream().map((Headers headers) -> headers.getFirst(header)).toList();
  }

  private KubernetesClient client(String user) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("config"),
            """
            current-context: c
            contexts: [{name: c, context: {cluster: k, user: u}}]
            clusters: [{name: k, cluster: {server: "http://127.0.0.1:%d"}}]
            users: [{name: u, user: %s}]
            """
                .formatted(server.port(), user));
    return KubeClients.create(Optional.of(file), () -> now);
  }
}
