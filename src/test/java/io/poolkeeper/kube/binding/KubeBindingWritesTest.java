package io.poolkeeper.kube.binding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.BindingsEffect;
import io.poolkeeper.admission.WriteAnswer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the answer of the API server to a write of a binding means. */
class KubeBindingWritesTest {
  private static final BindingViews VIEWS =
      new BindingViews(InstantSource.system(), InstantSource.system());

  private final BackendPoolBinding binding = new BackendPoolBinding();
  private HttpServer server;
  private KubernetesClient client;
  private int patchStatus;

  @BeforeEach
  void start() throws IOException {
    binding.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("shop")
            .withName("web")
            .withResourceVersion("7")
            .build());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    boolean read = exchange.getRequestMethod().equals("GET");
    byte[] body = (read ? Serialization.asJson(binding) : "{}").getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(read ? 200 : patchStatus, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @ParameterizedTest
  @CsvSource({"409,Conflict", "404,Conflict", "422,Failed", "500,Failed"})
  void patchThatIsRefused_waitsForANewerVersionOnlyIfOneMustCome(int status, String answer)
      throws Exception {
    patchStatus = status;
    BindingView view = VIEWS.view(binding);

    try (KubeBindingWrites writes = new KubeBindingWrites(client, VIEWS)) {
      WriteAnswer is =
          writes
              .write(new BindingsEffect.RemoveFinalizer(view))
              .toCompletableFuture()
              .get(10, TimeUnit.SECONDS);

      assertThat(is.getClass().getSimpleName()).isEqualTo(answer);
    }
  }
}
