package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CliTest {
  private static final String NO_NETWORK =
      "warning: poolkeeper.azure.vnet-id is not set: addresses are added only to a pool that"
          + " names a virtual network, or has an entry that does\n";

  @TempDir private Path temp;

  private record Result(int code, String out, String err) {}

  private static Result run(Map<String, String> env, String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int code = Cli.run(List.of(arguments), new PrintWriter(out), new PrintWriter(err), env);
    return new Result(code, out.toString(), err.toString());
  }

  private Path config(String text) throws Exception {
    return Files.writeString(temp.resolve("p.conf"), text);
  }

  @Test
  void check_good_printsSettingsAndNothingElse() throws Exception {
    var file =
        config("poolkeeper { mode = write, azure { subscription-id = s, resource-group = r } }");

    var result =
        run(Map.of("POOLKEEPER_CLIENT_SECRET", "hush"), "check", "--config", file.toString());

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEqualTo(NO_NETWORK);
    assertThat(result.out().lines())
        .contains(
            "poolkeeper.azure.subscription-id = s  # " + file + ":1",
            "poolkeeper.azure.client-secret = \"***\"  # env POOLKEEPER_CLIENT_SECRET",
            "poolkeeper.updater.interval = \"30s\"  # default",
            "poolkeeper.http.port = 8558  # default");
    assertThat(result.out()).doesNotContain("hush");
  }

  @Test
  void check_virtualNetworkIsSet_warnsOfNothing() throws Exception {
    var file =
        config(
            "poolkeeper.mode = write, poolkeeper.azure { subscription-id = s, resource-group = r,"
                + " vnet-id = \"/subscriptions/s/resourceGroups/r/providers/Microsoft.Network"
                + "/virtualNetworks/v\" }");

    var result = run(Map.of(), "check", "--config", file.toString());

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
  }

  @Test
  void check_withAzureConfig_readsIt() throws Exception {
    var json = temp.resolve("azure.json");
    Files.writeString(json, "{\"subscriptionId\": \"s\", \"resourceGroup\": \"r\"}");

    var result =
        run(
            Map.of(),
            "check",
            "--config",
            config("poolkeeper.mode = write").toString(),
            "--azure-config",
            json.toString());

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("poolkeeper.azure.subscription-id = s  # " + json + ": subscriptionId");
  }

  @Test
  void check_bad_printsEveryProblemOnStderr() throws Exception {
    var file = config("poolkeeper.http.port = x");

    var result = run(Map.of(), "check", "--config", file.toString());

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .hasSize(4)
        .allMatch(line -> line.startsWith(file + ":"), "names the file");
  }

  @Test
  void check_asJson_isOneObjectWithoutSecrets() throws Exception {
    var file =
        config("poolkeeper { mode = write, azure { subscription-id = s, resource-group = r } }");

    var result =
        run(
            Map.of("POOLKEEPER_CLIENT_SECRET", "hush"),
            "check",
            "--config",
            file.toString(),
            "-o",
            "json");

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    var report = new ObjectMapper().readTree(result.out());
    assertThat(report.path("settings"))
        .contains(
            new ObjectMapper()
                .readTree(
                    """
                    {"path": "poolkeeper.azure.subscription-id", "value": "s", "origin": "%s:1"}
                    """
                        .formatted(file)));
    assertThat(report.path("warnings")).hasSize(1);
    assertThat(report.path("problems")).isEmpty();
    assertThat(result.out()).doesNotContain("hush");
  }

  @Test
  void check_badAsJson_hasEveryProblemAndFails() throws Exception {
    var file = config("poolkeeper.http.port = x");

    var result = run(Map.of(), "check", "--config", file.toString(), "-o", "json");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).isEmpty();
    var problems = new ObjectMapper().readTree(result.out()).path("problems");
    assertThat(problems).hasSize(4);
    assertThat(problems)
        .anySatisfy(
            problem -> {
              assertThat(problem.path("where").asText()).isEqualTo(file + ":1");
              assertThat(problem.path("path").asText()).isEqualTo("poolkeeper.http.port");
              assertThat(problem.path("found").asText()).isEqualTo("x");
              assertThat(problem.path("allowed").asText()).isNotEmpty();
            });
  }

  @Test
  void check_unknownOutput_isWrongUsage() throws Exception {
    var result = run(Map.of(), "check", "--config", config("").toString(), "-o", "xml");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).startsWith("-o: found 'xml', allowed: text, json");
  }

  @Test
  void run_withAzureConfig_readsItAsCheckDoes() throws Exception {
    var json = Files.writeString(temp.resolve("azure.json"), "{\"resourceGroup\": 7}");
    String[] files = {"--config", config("").toString(), "--azure-config", json.toString()};

    var checked =
        run(Map.of(), Stream.concat(Stream.of("check"), Stream.of(files)).toArray(String[]::new));
    var ran =
        run(Map.of(), Stream.concat(Stream.of("run"), Stream.of(files)).toArray(String[]::new));

    assertThat(ran).isEqualTo(checked);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains(json + ": resourceGroup");
  }

  @Test
  void check_theExample_printsTheSettingsInForce() {
    Path example = Path.of("conf", "poolkeeper.conf").toAbsolutePath();

    var result =
        run(Map.of("POOLKEEPER_SUBSCRIPTION_ID", "s"), "check", "--config", example.toString());

    assertThat(result.code()).isZero();
    assertThat(result.out().lines())
        .contains("poolkeeper.updater.interval = \"30s\"  # default")
        .anySatisfy(line -> assertThat(line).contains("resource-group").contains(example + ":"));
    assertThat(result.err()).isEqualTo(NO_NETWORK);
  }

  @Test
  void run_badConfiguration_namesEveryProblem() throws Exception {
    var bad = config("poolkeeper {\n  updater.intervall = 3s\n  http.port = high\n}\n");

    var result = run(Map.of(), "run", "--config", bad.toString());

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .hasSize(5)
        .anySatisfy(line -> assertThat(line).startsWith(bad + ": poolkeeper.mode: found nothing"))
        .anySatisfy(line -> assertThat(line).startsWith(bad + ":2: poolkeeper.updater.intervall"))
        .anySatisfy(line -> assertThat(line).startsWith(bad + ":3: poolkeeper.http.port"))
        .anySatisfy(line -> assertThat(line).contains("poolkeeper.azure.subscription-id"))
        .anySatisfy(line -> assertThat(line).contains("poolkeeper.azure.resource-group"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "check"})
  void controller_modeNotSet_isRefusedWithBothWords(String command) throws Exception {
    var file = config("poolkeeper.azure { subscription-id = s, resource-group = r }");

    var result = run(Map.of("POOLKEEPER_MODE", ""), command, "--config", file.toString());

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            file
                + ": poolkeeper.mode: found nothing; allowed: write (pools are written) or shadow (all"
                + " is decided and shown, and nothing is written); here, or as POOLKEEPER_MODE in the"
                + " environment\n");
  }

  @Test
  void roleDefinition_modeNotSet_isThatOfWrite() throws Exception {
    var azure = "poolkeeper.azure { subscription-id = s, resource-group = r }\n";
    var unset = config(azure).toString();

    var result = run(Map.of(), "role-definition", "--config", unset);

    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("Microsoft.Network/loadBalancers/backendAddressPools/write");
    assertThat(run(Map.of("POOLKEEPER_MODE", "write"), "role-definition", "--config", unset))
        .isEqualTo(result);
    assertThat(run(Map.of("POOLKEEPER_MODE", "shadow"), "role-definition", "--config", unset).out())
        .doesNotContain("/write");
  }

  /** With a mode that is refused they end before they look for the cluster. */
  @ParameterizedTest
  @ValueSource(strings = {"uninstall --dry-run", "doctor"})
  void commandOnTheCluster_modeNotSet_getsAsFarAsTheCluster(String command) throws Exception {
    var file = config("poolkeeper.azure { subscription-id = s, resource-group = r }");
    var none = temp.resolve("none").toString();
    var line = List.of((command + " --kubeconfig " + none + " --config " + file).split(" "));

    var result = run(Map.of(), line.toArray(String[]::new));

    assertThat(result.code()).isNotZero();
    assertThat(result.err()).contains(none).doesNotContain("poolkeeper.mode");
    assertThat(run(Map.of("POOLKEEPER_MODE", "off"), line.toArray(String[]::new)).err())
        .startsWith("env POOLKEEPER_MODE: poolkeeper.mode: found off; ");
  }

  @ParameterizedTest
  @CsvSource({
    "run, Missing required option: '--config=FILE'",
    "rum, Unmatched argument at index 0: 'rum'",
  })
  void wrongUsage_saysWhatIsWrong(String line, String message) {
    var result = run(Map.of(), line.split(" ", -1));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines().findFirst().orElseThrow()).contains(message);
    assertThat(result.err()).contains("Usage: poolkeeper");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "nonsense", "check", "check --config", "check --confg x", "version x"})
  void wrongUsage_exitsTwoWithUsageOnStderr(String arguments) {
    var result = run(Map.of(), arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("Usage: poolkeeper");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lab", "lab --list", "arm-sim", "simulate --seeds 3"})
  void commandOfTheLab_withoutItsJar_oneLineThatSaysWhereItIs(String arguments) {
    Thread thread = Thread.currentThread();
    ClassLoader all = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      var result = run(Map.of(), arguments.split(" ", -1));

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.out()).isEmpty();
      assertThat(result.err())
          .hasLineCount(1)
          .startsWith("lab, arm-sim, simulate and verify-azure are not in the controller's image: ")
          .contains("docker build --target lab", "./poolkeeper");
    } finally {
      thread.setContextClassLoader(all);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "check --help", "version --help"})
  void help_isOnStdoutWithAnExample(String arguments) {
    var result = run(Map.of(), arguments.split(" ", -1));

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("Usage: poolkeeper", "Example:\n  poolkeeper ");
  }

  @Test
  void version_namesProgramJdkAndApis() {
    var result = run(Map.of(), "version");

    assertThat(result.code()).isZero();
    assertThat(result.out().lines())
        .anyMatch(line -> line.matches("version = \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?"))
        .anyMatch(line -> line.matches("commit = [0-9a-z]+"))
        .contains("arm-api = Microsoft.Network 2025-05-01")
        .contains("kubernetes-api = v1, discovery.k8s.io/v1")
        .anyMatch(line -> line.startsWith("jdk = " + Runtime.version()));
  }

  @Test
  void failure_ofOurs_isOneLineWithoutStackTrace() {
    assertThat(Cli.message(new IllegalStateException("broken")))
        .isEqualTo(
            "unexpected IllegalStateException: broken"
                + " (POOLKEEPER_JAVA_OPTS=-Dpoolkeeper.debug shows where)");
    assertThat(Cli.message(new CommandFailure("no kubeconfig"))).isEqualTo("no kubeconfig");
  }
}
