package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands {@code kubectl} and {@code helm} of the documents, in the order of a reader, at a
 * real API server; but for those that need a kubelet.
 */
@Tag("real-apiserver")
class RealDocsIT {
  private static final List<String> PAGES =
      List.of(
          "install",
          "topics/try-safely",
          "topics/scope",
          "topics/admin-state",
          "topics/bindings",
          "topics/pause",
          "topics/replicas",
          "topics/shared-lock",
          "topics/access",
          "topics/upgrade",
          "topics/uninstall");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(sh|yaml)\n(.*?)^ *```$");
  private static final Pattern COMMAND = Pattern.compile("(?m)^ *((?:kubectl|helm) .*)$");
  private static final Pattern NEEDS_KUBELET = Pattern.compile("rollout|port-forward| exec ");

  /** What a reader has, or puts in. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "SUBSCRIPTION", "11111111-2222-4333-8444-555555555555",
          "NODE_GROUP", "MC_group",
          "REGISTRY", "registry.azurecr.io",
          "VERSION", "0123456789ab",
          "LOAD_BALANCERS", "kubernetes,team",
          "VNET",
              "/subscriptions/s/resourceGroups/MC_group/providers/Microsoft.Network/virtualNetworks/v",
          "CLIENT_ID", "11111111-2222-4333-8444-666666666666",
          "TENANT_ID", "11111111-2222-4333-8444-777777777777");

  private static final String OBJECTS =
      """
      {apiVersion: v1, kind: Node, metadata: {name: NODE}}
      ---
      {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
      ---
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80}]}}
      ---
      {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: poolkeeper-leader, namespace: poolkeeper}}
      ---
      {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: aks-managed-resource-locker, namespace: kube-system}}
      ---
      apiVersion: poolkeeper.io/v1alpha1
      kind: BackendPoolBinding
      metadata: {name: web, namespace: default, finalizers: [poolkeeper.io/addresses]}
      spec: {serviceRef: {name: web}, backendPool: {loadBalancer: gateway, pool: blue}}
      """;

  @TempDir private Path directory;
  private RealApiServer server;
  private Kubectl kubectl;

  @BeforeEach
  void start() throws Exception {
    server = RealApiServer.start(directory);
    kubectl = Kubectl.of(server, directory);
    assertThat(run("cp -a " + Path.of("deploy").toAbsolutePath() + " .")).isEmpty();
    assertThat(
            run(
                "kubectl apply -f deploy/first && kubectl wait --for=condition=Established crd"
                    + " --all"))
        .isEmpty();
    Files.writeString(directory.resolve("objects.yaml"), OBJECTS.replace("NODE", "node-1"));
    assertThat(run("kubectl apply -f objects.yaml")).isEmpty();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theyAreTaken() throws Exception {
    List<String> failed = new ArrayList<>();
    int count = 0;
    for (String page : PAGES) {
      for (MatchResult block : blocks(page)) {
        if (block.group(1).equals("yaml")) {
          Files.writeString(directory.resolve("live.yaml"), block.group(2).stripIndent());
          continue;
        }
        Matcher commands = COMMAND.matcher(block.group(2).replaceAll("\\\\\n *", " "));
        for (MatchResult command : commands.results().toList()) {
          if (!NEEDS_KUBELET.matcher(command.group(1)).find()) {
            count++;
            run(asAReader(command.group(1))).forEach(said -> failed.add(page + ": " + said));
          }
        }
      }
    }
    assertThat(failed).isEmpty();
    assertThat(count).isGreaterThan(20);
  }

  private static List<MatchResult> blocks(String page) throws IOException {
    String text = Files.readString(Path.of("docs", page + ".md"));
    return BLOCK.matcher(text).results().toList();
  }

  /**
   * Kustomize or helm, not both; one change of a Service after the other; nobody ends a namespace.
   */
  private static String asAReader(String command) {
    return command
        .replaceFirst("^kubectl delete ", "kubectl delete --wait=false ")
        .replace("apply -k", "apply --dry-run=server -k")
        .replace("apply -f deploy/optional", "apply --dry-run=server -f deploy/optional")
        .replace("NODE ", "node-1 ")
        .replace("annotate service", "annotate --overwrite service");
  }

  /** What was run and what it said, if it failed. */
  private List<String> run(String command) throws IOException, InterruptedException {
    Path tools = Path.of(System.getProperty("kube.native.dir"), "bin");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-euo", "pipefail", "-c", command)
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().putAll(ENVIRONMENT);
    builder.environment().put("KUBECONFIG", kubectl.kubeconfig().toString());
    builder
        .environment()
        .merge(
            "PATH",
            "%s:%s:".formatted(tools, kubectl.program().getParent()),
            (old, more) -> more + old);
    Path log = directory.resolve("said");
    Process process = builder.redirectOutput(log.toFile()).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(command).isTrue();
    return process.exitValue() == 0 ? List.of() : List.of(command, Files.readString(log));
  }
}
