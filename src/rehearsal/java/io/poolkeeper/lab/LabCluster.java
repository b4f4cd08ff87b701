package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.poolkeeper.kube.Causes;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.kube.KubeconfigException;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import io.poolkeeper.lab.judge.BindingHistory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The API server of a rehearsal: embedded, or a real disposable one. */
record LabCluster(KubernetesClient client, Path kubeconfig, Optional<EmbeddedCluster> embedded)
    implements AutoCloseable {
  private static final String DEFINITION = "backendpoolbindings.poolkeeper.io";
  private static final String DEFINITION_FILE = "backendpoolbindings.yaml";
  private static final int PATIENCE = 30;

  static LabCluster open(Optional<Path> real, Path directory, InstantSource wall)
      throws IOException {
    return real.isPresent() ? real(real.get(), wall) : embedded(directory, wall);
  }

  private static LabCluster embedded(Path directory, InstantSource wall) throws IOException {
    EmbeddedCluster cluster = EmbeddedCluster.start(0);
    Path kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(kubeconfig, cluster.kubeconfigYaml());
    KubernetesClient client = KubeClients.create(Optional.of(kubeconfig), wall);
    return new LabCluster(client, kubeconfig, Optional.of(cluster));
  }

  /** Refuses a cluster with a Node that no lab created: it may be in use. */
  private static LabCluster real(Path kubeconfig, InstantSource wall) {
    KubernetesClient client;
    try {
      client = KubeClients.create(Optional.of(kubeconfig), wall);
    } catch (KubeconfigException unusable) {
      throw new LabException(String.valueOf(unusable.getMessage()), unusable);
    }
    LabCluster cluster = new LabCluster(client, kubeconfig, Optional.empty());
    try {
      List<String> foreign =
          client.nodes().list().getItems().stream()
              .filter(node -> !isOurs(node))
              .map(node -> node.getMetadata().getName())
              .toList();
      if (!foreign.isEmpty()) {
        throw new LabException(
            "%s: this cluster has the Node %s, which the lab did not make; the lab needs a disposable API server"
                .formatted(kubeconfig, foreign.getFirst()));
      }
      cluster.clear();
      return cluster;
    } catch (KubernetesClientException unreachable) {
      client.close();
      throw new LabException(
          kubeconfig + ": the API server does not answer: " + Causes.text(unreachable, client),
          unreachable);
    } catch (LabException refused) {
      client.close();
      throw refused;
    }
  }

  private static boolean isOurs(Node node) {
    Map<String, String> labels =
        Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
    return labels.containsKey(Blueprint.LAB_LABEL);
  }

  /** Whether dual-stack Services can be created; found by trying, since no API says. */
  boolean dualStack() {
    if (embedded.isPresent()) {
      return true;
    }
    var probe =
        new ServiceBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("poolkeeper-lab-probe")
            .endMetadata()
            .withNewSpec()
            .withIpFamilyPolicy("RequireDualStack")
            .addNewPort()
            .withPort(80)
            .endPort()
            .endSpec()
            .build();
    try {
      client.resource(probe).create();
      client.resource(probe).delete();
      return true;
    } catch (KubernetesClientException singleStack) {
      return false;
    }
  }

  /** Defines the resource of bindings, if it is not defined; returns whether it was not. */
  boolean defineBindings() throws IOException {
    var definition = client.apiextensions().v1().customResourceDefinitions().withName(DEFINITION);
    if (definition.get() != null) {
      return false;
    }
    try (InputStream file = LabCluster.class.getResourceAsStream(DEFINITION_FILE)) {
      if (file == null) {
        throw new LabException("the definition of BackendPoolBinding is not on the class path");
      }
      client.apiextensions().v1().customResourceDefinitions().load(file).create();
    }
    if (embedded.isEmpty()) {
      try {
        definition.waitUntilCondition(LabCluster::isEstablished, PATIENCE, TimeUnit.SECONDS);
      } catch (KubernetesClientException notServed) {
        definition.delete();
        throw notServed;
      }
    }
    return true;
  }

  private static boolean isEstablished(@Nullable CustomResourceDefinition definition) {
    return definition != null
        && definition.getStatus() != null
        && definition.getStatus().getConditions() != null // a new one's, before the first
        && definition.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
  }

  /** Removes all bindings, whose finalizers nobody removes any more. */
  void clearBindings(boolean definition) {
    var bindings = client.genericKubernetesResources(BindingHistory.BINDINGS).inAnyNamespace();
    for (GenericKubernetesResource binding : bindings.list().getItems()) {
      var one = client.resource(binding);
      one.delete();
      if (one.get() != null) {
        one.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": null}}");
      }
    }
    if (definition) {
      client.apiextensions().v1().customResourceDefinitions().withName(DEFINITION).delete();
    }
  }

  /** Whether a write is made, and not refused with one of these codes. */
  static boolean written(Runnable write, Integer... refusals) {
    try {
      write.run();
      return true;
    } catch (KubernetesClientException refused) {
      if (!List.of(refusals).contains(refused.getCode())) {
        throw refused;
      }
      return false;
    }
  }

  /** Removes the objects of this lab and earlier ones. */
  private void clear() {
    var ours = Map.of(Blueprint.LAB_LABEL, "true");
    client.nodes().withLabels(ours).delete();
    client.services().inNamespace(Blueprint.NAMESPACE).delete();
    client.discovery().v1().endpointSlices().inNamespace(Blueprint.NAMESPACE).delete();
    client.v1().events().inNamespace("default").list().getItems().stream()
        .filter(
            event ->
                Blueprint.isNode(
                    Objects.requireNonNullElse(event.getInvolvedObject().getName(), "")))
        .forEach(event -> client.resource(event).delete());
  }

  @Override
  public void close() {
    try {
      if (embedded.isEmpty()) {
        clear();
      }
    } catch (KubernetesClientException gone) {
      // The disposable server has stopped already.
    } finally {
      client.close();
      embedded.ifPresent(EmbeddedCluster::close);
    }
  }
}
