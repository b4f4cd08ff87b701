package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MergePatchTest {
  @Test
  void change_serverThatIsNotReached_saysSo() {
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withAutoConfigure(false)
                    .withMasterUrl("http://127.0.0.1:1")
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build()) {
      Resource<Node> node = client.nodes().withName("n1");

      assertThatThrownBy(() -> MergePatch.change(node, node, read -> Map.of()))
          .hasMessage("cannot connect");
    }
  }
}
