package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.typesafe.config.ConfigFactory;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.poolkeeper.access.Area;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.doctor.KubeRight;
import io.poolkeeper.doctor.KubeRights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties that the manifests must keep. */
class ManifestsTest {
  private static final int PORT = 8558;
  private static final Map<String, String> IN_POD = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");

  private final Manifests manifests = Manifests.read();
  private final Deployment deployment = manifests.only(Deployment.class);
  private final PodSpec pod = deployment.getSpec().getTemplate().getSpec();
  private final Container container = pod.getContainers().getFirst();

  private List<PolicyRule> rules(String clusterRole) {
    return manifests
        .all(ClusterRole.class)
        .filter(of -> of.getMetadata().getName().equals(clusterRole))
        .flatMap(of -> of.getRules().stream())
        .toList();
  }

  @Test
  void aStandbyRunsBesideTheLeader_andEachPodHasAnIdentityOfItsOwn() {
    assertThat(deployment.getSpec().getReplicas()).isEqualTo(2);
    assertThat(container.getEnv())
        .filteredOn(variable -> variable.getName().startsWith("POD_"))
        .extracting(
            EnvVar::getName, variable -> variable.getValueFrom().getFieldRef().getFieldPath())
        .containsExactly(tuple("POD_NAME", "metadata.name"), tuple("POD_UID", "metadata.uid"));
  }

  @Test
  void theRolesGrantTheLeaseOfTheLeader_andInTheSystemsNamespaceTheSharedOne_alone() {
    assertThat(manifests.all(Role.class))
        .extracting(
            role -> role.getMetadata().getNamespace(),
            role -> role.getRules().getFirst().getResourceNames(),
            role -> role.getRules().getFirst().getVerbs())
        .containsExactlyInAnyOrder(
            tuple(
                "poolkeeper",
                List.of("poolkeeper-leader", "poolkeeper-leader-shadow"),
                List.of("get", "list", "watch", "update")),
            tuple(
                "kube-system",
                List.of("aks-managed-resource-locker"),
                List.of("get", "list", "watch", "update")));
    assertThat(manifests.all(Role.class))
        .allSatisfy(
            role -> {
              assertThat(role.getRules()).hasSize(2);
              assertThat(role.getRules().getLast().getVerbs()).containsExactly("create");
              assertThat(role.getRules()).flatMap(PolicyRule::getResources).containsOnly("leases");
            });
  }

  @Test
  void thePodIsUnprivilegedAndWritesTemporaryFilesOnly() {
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
    assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
    assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(container.getSecurityContext().getCapabilities().getAdd()).isEmpty();
    assertThat(mount("/tmp").getReadOnly()).isNull();
    assertThat(volume(mount("/tmp")).getEmptyDir()).isNotNull();
    assertThat(Manifests.text(Path.of("Dockerfile")))
        .as("the image's user is the pod's")
        .contains("\nUSER %s:%1$s\n".formatted(pod.getSecurityContext().getRunAsUser()));
  }

  /** That each right is needed is shown where there is a real API server. */
  @Test
  void theRoleGrantsNothingByAWildcard_andGetsOneNamespaceAlone() {
    List<PolicyRule> rules = rules("poolkeeper");
    assertThat(rules).isNotEmpty();
    assertThat(Stream.concat(rules.stream(), rules("poolkeeper-writer").stream()))
        .allSatisfy(
            rule -> {
              assertThat(rule.getApiGroups()).doesNotContain("*");
              assertThat(rule.getResources()).noneMatch(resource -> resource.contains("*"));
              assertThat(rule.getVerbs()).doesNotContain("*");
              assertThat(rule.getNonResourceURLs()).isEmpty();
            });
    assertThat(rules)
        .filteredOn(rule -> rule.getResources().contains("namespaces"))
        .extracting(PolicyRule::getResourceNames, PolicyRule::getVerbs)
        .containsExactly(
            tuple(List.of(), List.of("list", "watch")),
            tuple(List.of("kube-system"), List.of("get")));
  }

  @Test
  void theRolesGrantWhatTheDoctorTests_andNothingElse(@TempDir Path directory) throws Exception {
    // Given
    Set<KubeRight> reads = granted(rules("poolkeeper").stream());
    Set<KubeRight> writes = granted(rules("poolkeeper-writer").stream());
    Set<KubeRight> leases =
        granted(manifests.all(Role.class).flatMap(role -> role.getRules().stream()));

    // When
    Set<KubeRight> shadow = tested(directory, "shadow", KubeRights::of);
    Set<KubeRight> later = tested(directory, "shadow", KubeRights::later);
    Set<KubeRight> all = tested(directory, "write", KubeRights::of);
    assertThat(all).containsAll(later);
    assertThat(tested(directory, "write", KubeRights::later)).isEmpty();
    all.addAll(shadow); // its Lease has another name

    // Then
    assertThat(all).containsAll(reads).containsAll(writes).containsAll(leases);
    assertThat(all).hasSize(reads.size() + writes.size() + leases.size());
    assertThat(shadow).containsAll(reads).doesNotContainAnyElementsOf(writes);
    assertThat(later).containsAll(writes).doesNotContainAnyElementsOf(reads);
    later.removeAll(writes);
    assertThat(leases).containsAll(later);
  }

  private static Set<KubeRight> granted(Stream<PolicyRule> rules) {
    return rules.flatMap(rule -> rights(rule).stream()).collect(Collectors.toSet());
  }

  private static Set<KubeRight> tested(
      Path directory, String mode, BiFunction<Settings, String, List<KubeRight>> rights)
      throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("p.conf"),
            "poolkeeper { mode = %s, azure { subscription-id = s, resource-group = r } }"
                .formatted(mode));
    return rights
        .apply(SettingsLoader.load(file, Optional.empty(), IN_POD).settings(), "poolkeeper")
        .stream()
        .map(of -> right(of.verb(), of.group(), of.resource(), of.name()))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Set<KubeRight> rights(PolicyRule rule) {
    List<String> names = rule.getResourceNames().isEmpty() ? List.of("") : rule.getResourceNames();
    return rule.getVerbs().stream()
        .flatMap(
            verb ->
                names.stream()
                    .map(
                        name ->
                            right(
                                verb,
                                rule.getApiGroups().getFirst(),
                                rule.getResources().getFirst(),
                                name)))
        .collect(Collectors.toSet());
  }

  private static KubeRight right(String verb, String group, String resource, String name) {
    return new KubeRight(verb, group, resource, "", name);
  }

  @Test
  void everythingThatIsNamedIsShipped() {
    assertThat(manifests.ship(ServiceAccount.class, pod.getServiceAccountName())).isTrue();
    List<ClusterRoleBinding> bindings = manifests.all(ClusterRoleBinding.class).toList();
    assertThat(bindings)
        .allMatch(of -> manifests.ship(ClusterRole.class, of.getRoleRef().getName()));
    assertThat(bindings.stream().flatMap(of -> of.getSubjects().stream()))
        .allMatch(subject -> manifests.ship(ServiceAccount.class, subject.getName()))
        .allMatch(subject -> manifests.ship(Namespace.class, subject.getNamespace()))
        .isNotEmpty();
    assertThat(configMaps()).containsExactly("poolkeeper");
    assertThat(manifests.kustomization().get("configMapGenerator"))
        .asString()
        .contains("name=poolkeeper,", "namespace=poolkeeper,", "files=[poolkeeper.conf]");
    assertThat(manifests.objects().stream().map(object -> object.getMetadata().getNamespace()))
        .filteredOn(Objects::nonNull)
        .allMatch(
            namespace ->
                namespace.equals("kube-system") || manifests.ship(Namespace.class, namespace));
    assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
        .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels());
  }

  @Test
  void theConfigurationIsWhereTheProgramLooksForIt() {
    // Given
    assertThat(container.getArgs()).startsWith("run", "--config").hasSize(3);
    Path file = Path.of(container.getArgs().getLast());
    assertThat(volume(mount(file.getParent().toString())).getConfigMap()).isNotNull();

    // When
    String text = Manifests.text(Manifests.OVERLAY.resolve(file.getFileName()));

    // Then
    assertThat(ConfigFactory.parseString(text).root()).containsOnlyKeys("poolkeeper");
  }

  @Test
  void theKubeletReachesTheProbes() {
    assertThat(container.getPorts())
        .extracting(ContainerPort::getName, ContainerPort::getContainerPort)
        .containsExactly(tuple("http", PORT), tuple("probes", PORT + 1));
    Map<String, Probe> probes =
        Map.of("/healthz", container.getLivenessProbe(), "/readyz", container.getReadinessProbe());
    assertThat(probes)
        .allSatisfy(
            (path, probe) -> {
              assertThat(probe.getHttpGet().getPath()).isEqualTo(path);
              assertThat(probe.getHttpGet().getPort().getStrVal()).isEqualTo("probes");
            });
    assertThat(container.getEnv())
        .contains(
            new EnvVar("POOLKEEPER_HTTP_HOST", "0.0.0.0", null),
            new EnvVar("POOLKEEPER_HTTP_PROBE_PORT", String.valueOf(PORT + 1), null));
    assertThat(deployment.getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry("prometheus.io/port", String.valueOf(PORT));
  }

  /** A second container could deliver others' requests from loopback, and so with hostNetwork. */
  @Test
  void loopbackIsTrusted_inAPodOfOneContainerWithItsOwnNetwork() {
    assertThat(container.getEnv())
        .contains(new EnvVar("POOLKEEPER_HTTP_TRUST_LOOPBACK", "true", null));
    assertThat(pod.getContainers()).hasSize(1);
    assertThat(pod.getHostNetwork()).isNull();
    assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
        .containsEntry("sidecar.istio.io/inject", "false");
    assertThat(deployment.getSpec().getTemplate().getMetadata().getAnnotations())
        .containsEntry("linkerd.io/inject", "disabled")
        .containsEntry("prometheus.io/scheme", "https");
    for (Area area : Area.values()) {
      assertThat(manifests.ship(ClusterRole.class, area.role())).isTrue();
    }
  }

  @Test
  void theImageIsTheOneOfThisVersion() {
    assertThat(manifests.kustomization().get("images"))
        .asString()
        .contains("name=poolkeeper,", "newTag=" + projectVersion());
    assertThat(container.getImage()).isEqualTo("poolkeeper:" + projectVersion());
    assertThat(Manifests.text(Path.of("deploy", "chart", "Chart.yaml")))
        .contains("appVersion: %s\n".formatted(projectVersion()));
  }

  private static String projectVersion() {
    String pom = Manifests.text(Path.of("pom.xml"));
    String after = pom.substring(pom.indexOf("<artifactId>poolkeeper</artifactId>"));
    return after.substring(after.indexOf("<version>") + 9, after.indexOf("</version>"));
  }

  private Stream<String> configMaps() {
    return pod.getVolumes().stream()
        .filter(volume -> volume.getConfigMap() != null)
        .map(volume -> volume.getConfigMap().getName());
  }

  private VolumeMount mount(String path) {
    return the(container.getVolumeMounts(), mount -> mount.getMountPath().equals(path));
  }

  private Volume volume(VolumeMount mount) {
    return the(pod.getVolumes(), volume -> volume.getName().equals(mount.getName()));
  }

  private static <T> T the(List<T> all, Predicate<T> condition) {
    return all.stream().filter(condition).findFirst().orElseThrow();
  }
}
