package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart, by the real helm, and what it renders, at a real API server. */
@Tag("real-apiserver")
class RealChartIT {
  private static final Path CHART = Path.of("deploy", "chart");

  /** All that is required. */
  private static final String VALUES =
      """
      image: {repository: registry.example/poolkeeper}
      clusterName: kubernetes
      azure:
        subscriptionId: 11111111-2222-4333-8444-555555555555
        resourceGroup: rg
        loadBalancers: [kubernetes]
        clientId: 11111111-2222-4333-8444-666666666666
        tenantId: 11111111-2222-4333-8444-777777777777
      """;

  /** All that is off by default; the cluster has both operators. */
  private static final List<String> EVERYTHING =
      List.of(
          "--set=networkPolicy.enabled=true,monitoring.dashboard=true,http.tlsSecretName=tls",
          "--set=monitoring.prometheusOperator=true,monitoring.azureManagedPrometheus=true",
          "--set=mode=write");

  @TempDir private static Path directory;
  private static RealApiServer server;
  private static Kubectl kubectl;
  private static Path values;

  private record Outcome(int exit, String out, String err) {}

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    server = RealApiServer.start(directory);
    kubectl = Kubectl.of(server, directory);
    kubectl.run("apply", "-f", Manifests.FIRST.toString());
    for (String group : List.of("monitoring.coreos.com", "azmonitoring.coreos.com")) {
      apply(stub(group, "PodMonitor", "podmonitors"));
    }
    apply(stub("monitoring.coreos.com", "PrometheusRule", "prometheusrules"));
    kubectl.run("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all");
    values = Files.writeString(directory.resolve("values.yaml"), VALUES);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void theChartIsWellFormed() throws Exception {
    assertThat(helm("lint", "--strict", CHART.toString(), "-f", values.toString()).exit()).isZero();
  }

  @Test
  void theApiServerTakesAllThatTheChartRenders() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-f", values.toString()));
    arguments.addAll(EVERYTHING);
    Path rendered = Files.writeString(directory.resolve("all.yaml"), render(arguments));

    List<String> taken =
        kubectl.run(
            "apply", "--dry-run=server", "--validate=strict", "-o=name", "-f", rendered.toString());

    assertThat(taken)
        .contains(
            "deployment.apps/poolkeeper",
            "poddisruptionbudget.policy/poolkeeper",
            "networkpolicy.networking.k8s.io/poolkeeper",
            "podmonitor.monitoring.coreos.com/poolkeeper",
            "podmonitor.azmonitoring.coreos.com/poolkeeper",
            "prometheusrule.monitoring.coreos.com/poolkeeper",
            "configmap/poolkeeper-dashboard",
            "validatingadmissionpolicy.admissionregistration.k8s.io/answers.poolkeeper.io",
            "validatingadmissionpolicy.admissionregistration.k8s.io/bindings.poolkeeper.io",
            "role.rbac.authorization.k8s.io/poolkeeper-shared-lease")
        .hasSize(26);
  }

  @Test
  void thePolicyOfBindings_hasTheSubscription_andIsLeftOutWithoutBindings() throws Exception {
    String mine = "azure.subscriptionId=AAAAAAAA-2222-4333-8444-555555555555";
    List<String> arguments = new ArrayList<>(List.of("-f", values.toString(), "--set=" + mine));
    assertThat(render(arguments))
        .contains("name: bindings.poolkeeper.io", "\"'aaaaaaaa-2222-4333-8444-555555555555'\"");

    for (String without : List.of("bindings.enabled=false", "bindings.policy=false")) {
      List<String> off = new ArrayList<>(arguments);
      off.add("--set=" + without);
      assertThat(render(off)).doesNotContain("bindings.poolkeeper.io");
    }
  }

  @Test
  void aClusterWithoutPolicies_isRefused_unlessTheyAreNotWanted() throws Exception {
    String old = "--kube-version=1.29.3";

    Outcome refused = helm("template", "p", CHART.toString(), "-f", values.toString(), old);

    assertThat(refused.err())
        .contains(
            "Kubernetes v1.29.3 has no ValidatingAdmissionPolicy",
            "--set bindings.policy=false,bindings.answerPolicy=false");
    assertThat(
            render(
                List.of(
                    "-f",
                    values.toString(),
                    old,
                    "--set=bindings.policy=false,bindings.answerPolicy=false")))
        .doesNotContain("ValidatingAdmissionPolicy");
  }

  @Test
  void theApiServerTakesEachOverlay() throws Exception {
    for (String overlay : List.of("workload-identity", "managed-identity", "outside")) {
      String folder = Manifests.KUSTOMIZE.resolve("overlays").resolve(overlay).toString();
      List<String> taken =
          kubectl.run("apply", "--dry-run=server", "--validate=strict", "-o=name", "-k", folder);

      assertThat(taken.contains("deployment.apps/poolkeeper"))
          .isEqualTo(!overlay.equals("outside"));
      assertThat(taken).contains("serviceaccount/poolkeeper");
    }
  }

  @Test
  void theBaseOfKustomizeIsWhatTheChartRenders() throws Exception {
    String rendered =
        render(
            List.of(
                "-f",
                Manifests.KUSTOMIZE.resolve("values.yaml").toString(),
                "--show-only=templates/rbac.yaml",
                "--show-only=templates/deployment.yaml"));

    assertThat(rendered)
        .as("rendered as deploy/kustomize/values.yaml says")
        .isEqualTo(Manifests.text(Manifests.KUSTOMIZE.resolve("base/poolkeeper.yaml")));
  }

  @Test
  void withoutValuesEachThatIsMissingIsNamed_withTheLineThatAddsIt() throws Exception {
    assertThat(helm("template", "poolkeeper", CHART.toString()).err())
        .contains(
            "add: --set image.repository=REGISTRY/poolkeeper",
            "Add: --set clusterName=kubernetes",
            "Add: --set azure.subscriptionId=...",
            "Add: --set azure.resourceGroup=...",
            "azure.credential=workload-identity needs azure.clientId. Add: --set"
                + " azure.clientId=...",
            "azure.credential=workload-identity needs azure.tenantId. Add: --set"
                + " azure.tenantId=...");
  }

  @Test
  void valuesThatMakeNoSenseAreRefused() throws Exception {
    List<Tuple> refused =
        List.of(
            tuple("azure.credential=client-secret", "needs azure.secretName"),
            tuple("azure.secretName=s", "read with azure.credential=client-secret only"),
            tuple("azure.credential=none", "/azure/credential"),
            tuple("mode=live", "/mode"),
            tuple("replicas=0", "/replicas"),
            tuple("image.digest=latest", "/image/digest"),
            tuple("resources=null", "Add: --set resources.limits.memory=1Gi"),
            tuple("resources.limits=null", "Add: --set resources.limits.memory=1Gi"),
            tuple("config=http.authorization = off", "add: --set http.authorization="),
            tuple("config=http { port = 1\nauthorization: off }", "--set http.authorization="),
            tuple("config=\"mode\" = write", "Remove it there, and add: --set mode="),
            tuple("config=spot { max-tainted = 1\nenabled = false }", "--set spot.enabled="),
            tuple("config=admission.enabled = false", "add: --set bindings.enabled="),
            tuple("spot.enabled=null", "missing property 'enabled'"),
            tuple("http=null", "missing property 'http'"),
            tuple("monitoring.prometheusOperator=true", "Add: --set http.tlsSecretName=SECRET"),
            tuple("podLabels.sidecar\\.istio\\.io/inject=true", "/podLabels"),
            tuple("networkPolicy.egressPorts[0]=0", "/networkPolicy/egressPorts/0"),
            tuple("tracing.endpoint=http://collector", "/tracing/endpoint"),
            tuple("modes=shadow", "additional properties 'modes' not allowed"));
    for (var each : refused) {
      List<Object> of = each.toList();
      Outcome outcome =
          helm("template", "p", CHART.toString(), "-f", values.toString(), "--set", "" + of.get(0));
      assertThat(outcome.exit()).as("--set %s", of.get(0)).isNotZero();
      assertThat(outcome.err()).contains("" + of.get(1));
    }
  }

  @Test
  void podMonitor_verifiesByTheSecret_orNotAtAllIfThatIsSaid() throws Exception {
    assertThat(render(with("http.tlsSecretName=s"))).contains("name: s\n            key: ca.crt\n");
    assertThat(render(with("monitoring.tlsConfig.insecureSkipVerify=true")))
        .contains("insecureSkipVerify: true")
        .doesNotContain("ca.crt", "serverName");
  }

  private static List<String> with(String set) {
    return List.of("-f", values.toString(), "--set=monitoring.prometheusOperator=true," + set);
  }

  @Test
  void ownSettings_leaveTheDefaultsInPlace_andLoseAgainstValues() throws Exception {
    String own =
        "leader-election.enabled = false\nhttp { tls { key-file = k }\nport = 1 }\nx = {}}\ny {";
    String only = "--show-only=templates/configmap.yaml";
    String map = render(List.of("-f", values.toString(), only, "--set=config=" + own));
    String text =
        new KubernetesSerialization()
            .unmarshal(map, ConfigMap.class)
            .getData()
            .get("poolkeeper.conf");

    Config config = ConfigFactory.parseString(text).getConfig("poolkeeper");

    assertThat(config.getBoolean("leader-election.enabled")).isTrue();
    assertThat(config.getInt("http.port")).isEqualTo(8558);
    assertThat(config.getString("http.tls.key-file")).isEqualTo("k");
    assertThat(config.getInt("admin-state.min-active")).isEqualTo(1);
    assertThat(config.getDuration("brake.delay")).isEqualTo(Duration.ofSeconds(15));
    assertThat(config.getString("http.authorization")).isEqualTo("auto");
    assertThat(config.getString("mode")).isEqualTo("shadow");
  }

  @Test
  void egress_reachesTheProxyAndThePortOfTheApiServer() throws Exception {
    assertThat(
            render(
                List.of(
                    "-f",
                    values.toString(),
                    "--set=networkPolicy.enabled=true,networkPolicy.egressPorts={443,3128}",
                    "--set=tracing.endpoint=http://collector:4318",
                    "--show-only=templates/networkpolicy.yaml")))
        .contains("- port: 443\n        - port: 3128\n      to:\n", "        - port: 4318\n")
        .doesNotContain("6443");
  }

  @Test
  void probesAreOpenToAll_unlessAPeerIsNamed() throws Exception {
    List<String> policy =
        List.of(
            "-f",
            values.toString(),
            "--set=networkPolicy.enabled=true",
            "--show-only=templates/networkpolicy.yaml");
    List<String> limited = new ArrayList<>(policy);
    limited.add("--set=networkPolicy.probeFrom[0].ipBlock.cidr=10.0.0.0/8");

    assertThat(render(policy)).doesNotContain("from:");
    assertThat(render(limited))
        .contains(
            "        - port: 8559\n      from:\n        - ipBlock:\n            cidr: 10.0.0.0/8\n")
        .containsOnlyOnce("from:");
  }

  @Test
  void upgradeAndRollback_rollThePods_andGiveAndTakeTheRightsToWrite() throws Exception {
    release("install", CHART.toString(), "-f", values.toString());
    List<String> shadow = ofTheDeployment();
    assertThat(writers()).isEmpty();
    release("upgrade", CHART.toString(), "-f", values.toString(), "--set", "mode=write");
    assertThat(ofTheDeployment()).as("another checksum of the configuration").isNotEqualTo(shadow);
    assertThat(configuration()).contains("mode = write");
    assertThat(writers()).hasSize(2);

    release("rollback", "1");

    assertThat(ofTheDeployment()).isEqualTo(shadow);
    assertThat(configuration()).contains("mode = shadow");
    assertThat(writers()).isEmpty();
    Outcome second =
        helm(
            "install",
            "other",
            CHART.toString(),
            "-f",
            values.toString(),
            "-n",
            "default",
            "--kubeconfig",
            kubectl.kubeconfig().toString());
    assertThat(second.err())
        .contains("Poolkeeper is in namespace poolkeeper already", "helm upgrade -n poolkeeper");
    release("uninstall");
    assertThat(kubectl.run("get", "crd,ns", "-o=name"))
        .contains(
            "customresourcedefinition.apiextensions.k8s.io/backendpoolbindings.poolkeeper.io",
            "namespace/poolkeeper");
  }

  private static void release(String what, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(what, "poolkeeper"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("-n", "poolkeeper", "--kubeconfig", kubectl.kubeconfig().toString()));
    Outcome outcome = helm(all.toArray(String[]::new));
    assertThat(outcome.exit()).as(outcome.err()).isZero();
  }

  private static List<String> ofTheDeployment() throws IOException, InterruptedException {
    return kubectl.run(
        "-n=poolkeeper", "get", "deployment", "poolkeeper", "-o=jsonpath={.spec.template}");
  }

  private static List<String> writers() throws IOException, InterruptedException {
    return kubectl.run("get", "clusterrole,clusterrolebinding", "-o=name").stream()
        .filter(name -> name.endsWith("/poolkeeper-writer"))
        .toList();
  }

  @Test
  void managedIdentity_saysWhoElseGetsItsToken() throws Exception {
    String set = "--set=azure.credential=managed-identity";

    Outcome said =
        helm("install", "p", CHART.toString(), "--values=" + values, "--dry-run=client", set);

    assertThat(said.out())
        .contains("Each pod that reaches 169.254.169.254 gets the token", "/command doctor\n")
        .doesNotContain("--set mode=write");
  }

  private static String configuration() throws IOException, InterruptedException {
    return String.join(
        "\n", kubectl.run("-n=poolkeeper", "get", "cm", "poolkeeper", "-o=jsonpath={.data}"));
  }

  private static String render(List<String> arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("template", "poolkeeper", CHART.toString()));
    all.addAll(List.of("-n", "poolkeeper"));
    all.addAll(arguments);
    Outcome outcome = helm(all.toArray(String[]::new));
    assertThat(outcome.exit()).as(outcome.err()).isZero();
    return outcome.out();
  }

  private static Outcome helm(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("kube.native.dir"), "bin", "helm").toString());
    command.addAll(List.of(arguments));
    File err = directory.resolve("helm.err").toFile();
    Process process = new ProcessBuilder(command).redirectError(err).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), out, Files.readString(err.toPath()));
  }

  private static void apply(String object) throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("object.yaml"), object);
    kubectl.run("apply", "-f", file.toString());
  }

  /** A definition that lets any object of the kind through. */
  private static String stub(String group, String kind, String plural) {
    return """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: %3$s.%1$s}
    spec:
      group: %1$s
      names: {kind: %2$s, plural: %3$s, singular: %4$s}
      scope: Namespaced
      versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
    """
        .formatted(group, kind, plural, plural.substring(0, plural.length() - 1));
  }
}
