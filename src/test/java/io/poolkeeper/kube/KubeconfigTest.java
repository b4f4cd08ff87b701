package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.client.Config;
import io.poolkeeper.tls.PemText;
import io.poolkeeper.tls.SelfMade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigTest {
  private static final InstantSource WALL = InstantSource.system();

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("config");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "contexts: null\nclusters: null\nusers: null\n",
        "contexts: [null]\nclusters: [null]\nusers: [null]\n",
        "contexts: [{name: null}]\nclusters: [{}]\nusers: [{}]\n",
        "kind: Config\n",
      })
  void config_fileThatSaysNothing_isNoneAlone_andHarmlessAmongOthers(String empty)
      throws IOException {
    Path other = Files.writeString(directory.resolve("other"), empty);
    write("{server: 'https://10.0.0.1'}", "{token: t}");

    for (String list : new String[] {other + ":" + file, file + ":" + other}) {
      assertThat(config(Map.of("KUBECONFIG", list)).getMasterUrl()).isEqualTo("https://10.0.0.1/");
    }
    assertRefused(
        Map.of("KUBECONFIG", other.toString()),
        other + ": current-context: found nothing, expected the name of a context");
  }

  @Test
  void config_entriesWithoutContent_areNamed() throws IOException {
    Files.writeString(file, "current-context: c\ncontexts: [{name: c, context: null}]\n");
    assertRefused(file + ": clusters: no cluster \"\" with a server, which context \"c\" names");

    write("null", "null");
    assertRefused(file + ": clusters: no cluster \"k\" with a server, which context \"c\" names");

    write("{server: 'https://10.0.0.1'}", "null");
    assertThat(config(Map.of()).getAutoOAuthToken()).isNull();
  }

  @Test
  void config_severalMistakes_areAllNamed() throws IOException {
    write(
        "{server: '10.0.0.1:6443'}",
        "{as-uid: '1', client-certificate: a, username: me, token: t,"
            + " auth-provider: {name: gcp}, exec: {command: p}}");

    assertRefused(
        """
        %1$s: cluster "k": server: found 10.0.0.1:6443, allowed is https://HOST:PORT
        %1$s: user "u": client-certificate: expected it and client-key, or both with -data
        %1$s: user "u": username: not allowed with a token
        %1$s: user "u": exec: apiVersion: found "null", allowed is one of [client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1]
        %1$s: user "u": auth-provider: found gcp, allowed is exec with a plugin, such as kubelogin
        %1$s: user "u": as: found nothing, which as-uid, as-groups and as-user-extra need"""
            .formatted(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://u:hush@p:1", "u:hush@p:1", "http:u:hush@p", "http://u:hu/sh@p:1"})
  void config_proxyWithAUser_isRefusedWithoutItsPassword(String proxy) throws IOException {
    write("{server: 'https://10.0.0.1', proxy-url: '%s'}".formatted(proxy), "{token: t}");

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> config(Map.of()))
        .withMessageContaining("proxy-url: found the proxy ")
        .withMessageNotContainingAny("hush", "hu/sh");
  }

  @Test
  void config_pluginWithEntriesThatLackSomething_isRefused() throws IOException {
    write(
        "{server: 'https://10.0.0.1'}",
        "{exec: {apiVersion: client.authentication.k8s.io/v1, command: p, args: [null],"
            + " env: [{name: A}]}}");

    assertRefused(
        """
        %1$s: user "u": exec: env: found an entry without name or value, expected both
        %1$s: user "u": exec: args: found nothing in an entry, expected a text"""
            .formatted(file));
  }

  @Test
  void config_userThatIsNowhere_isNamed() throws IOException {
    write("{server: 'https://10.0.0.1'}", "{}");
    Files.writeString(file, Files.readString(file).replace("name: u", "name: v"));

    assertRefused(file + ": users: no user \"u\", which context \"c\" names");
  }

  @Test
  void config_unusableTrust_isNamed() throws IOException {
    write("{server: 'https://10.0.0.1', certificate-authority: no.crt}", "{}");
    assertRefused(
        file
            + ": cluster \"k\": certificate-authority: "
            + directory.resolve("no.crt")
            + ": found no file");

    write("{server: 'https://10.0.0.1', certificate-authority-data: eA==}", "{}");
    assertRefused(
        file + ": cluster \"k\": certificate-authority-data: no valid certificate in PEM");

    write(
        "{server: 'https://10.0.0.1', certificate-authority-data: eA==, insecure-skip-tls-verify: true}",
        "{}");
    assertRefused(
        file
            + ": cluster \"k\": insecure-skip-tls-verify: not allowed with a certificate authority");
  }

  @Test
  void config_paths_areRelativeToTheFileThatNamesThem() throws Exception {
    PemText.write(SelfMade.create(Instant.parse("2026-11-26T18:00:00Z"), 1), directory);
    Files.writeString(directory.resolve("token"), "mine\n");
    write(
        "{server: 'https://10.0.0.1', certificate-authority: ./tls.crt}",
        "{client-certificate: tls.crt, client-key: tls.key, tokenFile: token}");

    Config found = config(Map.of());

    assertThat(found.getCaCertFile()).isEqualTo(directory.resolve("tls.crt").toString());
    assertThat(found.getClientCertFile()).isEqualTo(directory.resolve("tls.crt").toString());
    assertThat(found.getClientKeyFile()).isEqualTo(directory.resolve("tls.key").toString());
    assertThat(found.getClientKeyAlgo()).isEqualTo("EC");
    assertThat(found.getOauthTokenProvider().getToken()).isEqualTo("mine");
  }

  @Test
  void config_proxyOfTheFile_isTheServers_beforeThatOfTheEnvironment() throws IOException {
    Map<String, String> environment =
        Map.of("HTTPS_PROXY", "http://other:1", "NO_PROXY", "10.0.0.1", "KUBECONFIG", "" + file);
    write("{server: 'https://10.0.0.1', proxy-url: 'http://proxy:3128'}", "{}");
    assertThat(config(environment).getHttpsProxy()).isEqualTo("http://proxy:3128");

    write("{server: 'https://10.0.0.1', proxy-url: 'http://proxy'}", "{}");
    assertThat(config(environment).getHttpsProxy()).isEqualTo("http://proxy:80");

    write("{server: 'https://10.0.0.1'}", "{}");
    assertThat(config(environment).getHttpsProxy()).isNull();

    write("{server: 'https://10.0.0.2'}", "{}");
    assertThat(config(environment).getHttpsProxy()).isEqualTo("http://other:1");
  }

  @Test
  void config_proxyOfAnotherKind_isRefusedWithoutItsPassword() throws IOException {
    write("{server: 'https://10.0.0.1', proxy-url: 'socks5://me:secret@proxy:1080'}", "{}");
    assertRefused(
        file
            + ": cluster \"k\": proxy-url: found the proxy socks5://***@proxy:1080, allowed is http://HOST:PORT without a user");

    write("{server: 'https://10.0.0.1'}", "{}");
    assertRefused(
        Map.of("KUBECONFIG", file.toString(), "https_proxy", "https://proxy:1"),
        "found the proxy https://proxy:1, allowed is http://HOST:PORT without a user");
  }

  private void write(String cluster, String user) throws IOException {
    Files.writeString(
        file,
        """
        current-context: c
        contexts: [{name: c, context: {cluster: k, user: u}}]
        clusters: [{name: k, cluster: %s}]
        users: [{name: u, user: %s}]
        """
            .formatted(cluster, user));
  }

  private Config config(Map<String, String> environment) {
    return KubeClients.configuration(
        environment.containsKey("KUBECONFIG") ? Optional.empty() : Optional.of(file),
        Optional.empty(),
        environment,
        directory,
        directory.resolve("no-account"),
        WALL);
  }

  private void assertRefused(String message) {
    assertRefused(Map.of(), message);
  }

  private void assertRefused(Map<String, String> environment, String message) {
    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> config(environment))
        .withMessage(message);
  }
}
