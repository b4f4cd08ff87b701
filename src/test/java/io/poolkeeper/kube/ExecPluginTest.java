package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.ExecConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecPluginTest {
  private static final String V1 = "client.authentication.k8s.io/v1";
  private static final String ANSWER =
      "echo '{\"apiVersion\":\"" + V1 + "\",\"kind\":\"ExecCredential\",\"status\":{%s}}'";

  @TempDir Path directory;

  @Test
  void get_pluginThatWritesToItsErrorOutput_givesItsToken() throws IOException {
    Path script =
        script(
            "echo 'WARNING: a new version is there' >&2; "
                + ANSWER.formatted(
                    "\"token\":\"abc\",\"expirationTimestamp\":\"2026-11-26T18:00:00+01:00\""));

    assertThat(plugin(exec(script.toString())).get())
        .isEqualTo(
            new RenewedToken.Token(
                "abc", Instant.parse("2026-11-26T17:00:00Z").minus(ExecPlugin.LIMIT)));
  }

  @Test
  void get_relativeCommandWithArgumentsAndEnvironment_runsBesideTheKubeconfig_withoutInput()
      throws IOException {
    script(
        "read -r line && exit 7; printf '{\"apiVersion\":\"%s\",\"status\":{\"token\":\"%%s\"}}' \"${1#a }-$TENANT\""
            .formatted(V1));
    ExecConfig exec = exec("./plugin").edit().withArgs("a b").addNewEnv("TENANT", "t").build();

    assertThat(plugin(exec).get()).isEqualTo(new RenewedToken.Token("b-t", Instant.MAX));
  }

  @Test
  void get_pluginThatWantsToKnowItsCluster_isGivenIt() throws IOException {
    ObjectNode cluster = new ObjectMapper().createObjectNode().put("server", "https://10.0.0.1");
    Path seen = directory.resolve("seen");
    Path script =
        script(
            "echo \"$KUBERNETES_EXEC_INFO\" > "
                + seen
                + "; "
                + ANSWER.formatted("\"token\":\"t\""));

    new ExecPlugin(kubeconfig(), exec(script.toString()), Optional.of(cluster), ExecPlugin.LIMIT)
        .get();

    assertThat(seen)
        .hasContent(
            "{\"apiVersion\":\"%s\",\"kind\":\"ExecCredential\",\"spec\":{\"interactive\":false,\"cluster\":{\"server\":\"https://10.0.0.1\"}}}"
                .formatted(V1));
  }

  @Test
  void get_failure_showsTheErrorOutputAsOneShortLineWithoutSecrets() throws IOException {
    String token = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMyJ9.eyJhdWQiOiJhcGkifQ.c2lnbmF0dXJl";
    Path script =
        script(
            "yes 'a line of noise' | head -30000 >&2; echo \"no login at https://login.example/6dae42f8-4368-4678-94ff-3960e28e3630: $PASSWORD token=%s\" >&2; echo out; exit 3"
                .formatted(token));
    ExecConfig exec = exec(script.toString()).edit().addNewEnv("PASSWORD", "hunter22!").build();

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> plugin(exec).get())
        .withMessageStartingWith(
            "%s: exec: command %s: exit code 3: ...".formatted(kubeconfig(), script))
        .withMessageEndingWith(
            "no login at https://login.example/6dae42f8-4368-4678-94ff-3960e28e3630: *** ***")
        .matches(failure -> failure.getMessage().length() < 500);
  }

  @Test
  void get_pluginThatDoesNotEnd_isEnded() throws IOException {
    Path script = script("echo waiting for you >&2; tail -f /dev/null");

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(
            () ->
                new ExecPlugin(
                        kubeconfig(),
                        exec(script.toString()),
                        Optional.empty(),
                        Duration.ofSeconds(1))
                    .get())
        .withMessageEndingWith("no answer within 1 s: waiting for you");
    assertThat(ProcessHandle.current().descendants())
        .noneMatch(process -> process.info().commandLine().orElse("").contains("tail -f"));
  }

  @Test
  void get_absentCommand_showsHowToInstallIt() {
    ExecConfig exec = exec("no-such-plugin").edit().withInstallHint("install it so").build();

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> plugin(exec).get())
        .withMessageContaining("exec: command no-such-plugin: cannot be started: ")
        .withMessageEndingWith(": install it so");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x | its answer is no JSON",
        "{} | its answer has apiVersion \"\", expected is \"client.authentication.k8s.io/v1\"",
        "{\"apiVersion\":\"client.authentication.k8s.io/v1\"} | its answer has no usable status.token",
        "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"a b\"}} | its answer has no usable status.token",
        "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"a\",\"clientCertificateData\":\"b\"}} | it gives a client certificate; only tokens are supported",
        "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"a\",\"expirationTimestamp\":\"soon\"}} | its answer has status.expirationTimestamp \"soon\", expected is a time as in RFC 3339",
      })
  void get_answerWithoutUsableToken_saysWhatIsWrong(String answer, String why) throws IOException {
    Path script = script("echo '" + answer + "'");

    assertThatExceptionOfType(KubeconfigException.class)
        .isThrownBy(() -> plugin(exec(script.toString())).get())
        .withMessageEndingWith(": " + why);
  }

  @Test
  void problems_configurationThatCannotBeFollowed_areAllNamed() {
    assertThat(ExecPlugin.problems(exec("p"))).isEmpty();
    assertThat(
            ExecPlugin.problems(
                new ExecConfigBuilder().withApiVersion("v0").withInteractiveMode("Always").build()))
        .isEqualTo(
            List.of(
                "exec: command: found nothing, expected a program",
                "exec: apiVersion: found \"v0\", allowed is one of [client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1]",
                "exec: interactiveMode: found Always, allowed is Never or IfAvailable"));
  }

  private ExecPlugin plugin(ExecConfig exec) {
    return new ExecPlugin(kubeconfig(), exec, Optional.empty(), ExecPlugin.LIMIT);
  }

  private Path kubeconfig() {
    return directory.resolve("config");
  }

  private static ExecConfig exec(String command) {
    return new ExecConfigBuilder().withApiVersion(V1).withCommand(command).build();
  }

  private Path script(String body) throws IOException {
    Path file = Files.writeString(directory.resolve("plugin"), "#!/bin/sh\n" + body + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
