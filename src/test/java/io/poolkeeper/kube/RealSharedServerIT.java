package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test classes share an API server, and none finds what another has left. */
@Tag("real-apiserver")
class RealSharedServerIT {
  @TempDir private Path directory;

  @Test
  void whatWasMadeChangedOrDeleted_isAsAtTheStartForTheNext() throws Exception {
    RealApiServer server = RealApiServer.shared();
    KubernetesClient client = server.client();
    int namespaces = client.namespaces().list().getItems().size();
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName("left").endMetadata().build())
        .create();
    client
        .namespaces()
        .withName("default")
        .edit(n -> n.edit().editMetadata().addToLabels("left", "over").endMetadata().build());
    client.rbac().clusterRoles().withName("view").delete();
    Kubectl.of(server, directory).run("apply", "-f", "deploy/first");

    KubernetesClient next = RealApiServer.shared().client();

    assertThat(next.namespaces().list().getItems()).hasSize(namespaces);
    assertThat(next.namespaces().withName("default").require().getMetadata().getLabels())
        .isEqualTo(Map.of("kubernetes.io/metadata.name", "default"));
    assertThat(next.rbac().clusterRoles().withName("view").require()).isNotNull();
    assertThat(next.apiextensions().v1().customResourceDefinitions().list().getItems()).isEmpty();
  }
}
