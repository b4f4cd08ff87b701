package io.poolkeeper.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.poolkeeper.kube.Kubectl;
import io.poolkeeper.kube.RealApiServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The manifests on a real API server: every field is valid, and the RBAC is as narrow as intended.
 */
@Tag("real-apiserver")
class RealManifestsIT {
  private static final String USER = "system:serviceaccount:poolkeeper:poolkeeper";

  private static RealApiServer server;
  private static KubernetesClient client;
  private static boolean inShadow;

  @TempDir static Path directory;

  @BeforeAll
  static void applyAsAUserDoes() throws IOException, InterruptedException {
    server = RealApiServer.shared();
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(server.kubeconfig()))
            .build();
    Kubectl kubectl = Kubectl.of(server, directory);
    kubectl.run("apply", "--validate=strict", "-f", Manifests.FIRST.toString());
    kubectl.run("apply", "--validate=strict", "-k", Manifests.OVERLAY.toString());
    inShadow = may("create", "", "events") || may("patch", "", "nodes");
    kubectl.run("apply", "-f", Manifests.KUSTOMIZE.resolve("base/poolkeeper.yaml").toString());
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  @Test
  void theApiServerHoldsTheDeploymentWithTheImageOfTheKustomization() {
    Deployment deployment =
        client.apps().deployments().inNamespace("poolkeeper").withName("poolkeeper").require();
    assertThat(deployment.getSpec().getTemplate().getSpec().getContainers())
        .singleElement()
        .satisfies(container -> assertThat(container.getImage()).startsWith("poolkeeper:"));
  }

  @Test
  void inShadow_theServiceAccountMayNeitherRecordEventsNorTaintNodes() {
    assertThat(inShadow).isFalse();
  }

  @Test
  void theServiceAccountMayReadWhatTheControllerReads_recordEvents_andTaintNodes() {
    for (String verb : List.of("list", "watch")) {
      assertThat(may(verb, "", "services")).isTrue();
      assertThat(may(verb, "", "nodes")).isTrue();
      assertThat(may(verb, "", "namespaces")).isTrue();
      assertThat(may(verb, "discovery.k8s.io", "endpointslices")).isTrue();
    }
    for (String verb : List.of("list", "watch", "create", "patch")) {
      assertThat(may(verb, "", "events")).isTrue();
    }
    assertThat(may("patch", "", "nodes")).isTrue();
  }

  @Test
  void theServiceAccountMayWriteTheSharedLease_andNoOther() {
    String group = "coordination.k8s.io";
    String shared = "aks-managed-resource-locker";
    for (String verb : List.of("get", "list", "watch", "update")) {
      assertThat(may("kube-system", verb, group, "leases", shared)).isTrue();
      assertThat(may("kube-system", verb, group, "leases", "kube-scheduler")).isFalse();
    }
    assertThat(may("kube-system", "create", group, "leases", "")).isTrue();
    assertThat(may("default", "create", group, "leases", "")).isFalse();
  }

  @Test
  void theServiceAccountMayWriteFinalizersAndStatusesOfBindings_andMakesNone() {
    for (String verb : List.of("get", "list", "watch", "patch")) {
      assertThat(may(verb, "poolkeeper.io", "backendpoolbindings")).isTrue();
    }
    assertThat(may("update", "poolkeeper.io", "backendpoolbindings/status")).isTrue();
    for (String verb : List.of("create", "update", "delete")) {
      assertThat(may(verb, "poolkeeper.io", "backendpoolbindings")).isFalse();
    }
  }

  @Test
  void theServiceAccountMayGetTheNamespaceOfTheMark_andNoOther() {
    assertThat(may("kube-system", "get", "", "namespaces", "kube-system")).isTrue();
    assertThat(may("default", "get", "", "namespaces", "default")).isFalse();
  }

  @Test
  void theServiceAccountMayNothingElse() {
    assertThat(may("list", "", "secrets")).isFalse();
    assertThat(may("list", "", "pods")).isFalse();
    assertThat(may("update", "", "nodes")).isFalse();
    assertThat(may("patch", "", "services")).isFalse();
    assertThat(may("update", "", "services")).isFalse();
    assertThat(may("delete", "", "events")).isFalse();
    assertThat(may("update", "coordination.k8s.io", "leases")).isFalse();
  }

  @Test
  void theServiceAccountMayHoldTheLeaseOfTheLeader_inItsNamespace() {
    assertThat(may("poolkeeper", "create", "coordination.k8s.io", "leases", "")).isTrue();
    for (String verb : List.of("get", "update")) {
      assertThat(may("poolkeeper", verb, "coordination.k8s.io", "leases", "poolkeeper-leader"))
          .isTrue();
      assertThat(may("default", verb, "coordination.k8s.io", "leases", "poolkeeper-leader"))
          .isFalse();
    }
    assertThat(may("poolkeeper", "update", "coordination.k8s.io", "leases", "other")).isFalse();
  }

  private static boolean may(String verb, String group, String resource) {
    return may("default", verb, group, resource, "");
  }

  private static boolean may(
      String namespace, String verb, String group, String resource, String name) {
    String[] parts = resource.split("/", 2);
    return client
        .authorization()
        .v1()
        .subjectAccessReview()
        .create(
            new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser(USER)
                .withNewResourceAttributes()
                .withNamespace(namespace)
                .withName(name)
                .withVerb(verb)
                .withGroup(group)
                .withResource(parts[0])
                .withSubresource(parts.length > 1 ? parts[1] : "")
                .endResourceAttributes()
                .endSpec()
                .build())
        .getStatus()
        .getAllowed();
  }
}
