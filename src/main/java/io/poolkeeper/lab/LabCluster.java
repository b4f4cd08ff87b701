package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.kube.KubeconfigException;
import io.poolkeeper.lab.cluster.EmbeddedCluster;
import io.poolkeeper.lab.scenario.Blueprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The API server of a rehearsal: embedded, or a real disposable one. */
record LabCluster(KubernetesClient client, Path kubeconfig, Optional<EmbeddedCluster> embedded)
    implements AutoCloseable {
  static LabCluster open(Optional<Path> real, Path directory) throws IOException {
    return real.isPresent() ? real(real.get()) : embedded(directory);
  }

  private static LabCluster embedded(Path directory) throws IOException {
    EmbeddedCluster cluster = EmbeddedCluster.start(0);
    Path kubeconfig = directory.resolve("kubeconfig");
    Files.writeString(kubeconfig, cluster.kubeconfigYaml());
    KubernetesClient client = KubeClients.create(Optional.of(kubeconfig));
    return new LabCluster(client, kubeconfig, Optional.of(cluster));
  }

  /** Refuses a cluster with a Node that no lab created: it may be in use. */
  private static LabCluster real(Path kubeconfig) {
    KubernetesClient client;
    try {
      client = KubeClients.create(Optional.of(kubeconfig));
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
          kubeconfig + ": the API server does not answer: " + unreachable.getMessage(),
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

  /** Removes the objects of this lab and earlier ones. */
  private void clear() {
    var ours = Map.of(Blueprint.LAB_LABEL, "true");
    client.nodes().withLabels(ours).delete();
    client.services().inNamespace(Blueprint.NAMESPACE).delete();
    client.discovery().v1().endpointSlices().inNamespace(Blueprint.NAMESPACE).delete();
    client.v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> Blueprint.isNode(event.getInvolvedObject().getName()))
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
