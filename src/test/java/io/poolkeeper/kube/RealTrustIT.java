package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.poolkeeper.watch.WatchLiveness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A kube-apiserver that gets another certificate authority while clients use it. */
@Tag("real-apiserver")
@Timeout(180)
class RealTrustIT {
  private static final InstantSource WALL = InstantSource.system();

  @TempDir Path directory;

  @Test
  void anAuthorityThatIsReplaced_isTrustedByARunningWatchAndByCalls() throws Exception {
    try (RealApiServer server = RealApiServer.start(directory)) {
      Path pem = directory.resolve("ca.crt");
      Matcher own = Pattern.compile("certificate-authority: \"(.*)\"").matcher(server.kubeconfig());
      assertThat(own.find()).isTrue();
      Path generated = Path.of(own.group(1));
      Files.copy(generated, pem);
      Path kubeconfig =
          Files.writeString(
              directory.resolve("config"), own.replaceAll("certificate-authority: ca.crt"));
      try (KubernetesClient client = KubeClients.create(Optional.of(kubeconfig), WALL);
          KubernetesClient once = KubeClients.once(client, Duration.ofSeconds(5));
          WatchClient watches = new WatchClient(client, WALL, WatchLiveness.Limits.SHIPPED);
          SharedIndexInformer<Namespace> informer = watches.client().namespaces().inform()) {
        assertThat(once.raw("/readyz")).isEqualTo("ok");
        String before = Files.readString(generated);

        // When
        server.kill();
        FileUtils.cleanDirectory(generated.getParent().toFile());
        server.restart();
        assertThat(Files.readString(generated)).isNotEqualTo(before);
        await().until(() -> watches.error("namespaces").orElse("").contains("certification path"));
        Files.writeString(pem, Files.readString(generated));

        assertThat(once.raw("/readyz")).isEqualTo("ok");
        server
            .client()
            .resource(new NamespaceBuilder().withNewMetadata().withName("n").endMetadata().build())
            .create();
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> informer.getStore().list().stream().anyMatch(RealTrustIT::isNew));
      }
    }
  }

  private static boolean isNew(Namespace namespace) {
    return namespace.getMetadata().getName().equals("n");
  }
}
