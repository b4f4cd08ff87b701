package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.poolkeeper.watch.WatchLiveness;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class WatchClientTest {
  private static final WatchLiveness.Limits LIMITS =
      new WatchLiveness.Limits(
          Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofMillis(500));

  /** As behind a network that carries the head of an answer and not its body. */
  @Test
  void watchThatOpensAndCarriesNothing_isListedAnew() throws IOException {
    try (WatchServer server = new WatchServer();
        KubernetesClient client = WatchServer.client(server.port());
        WatchClient watches = new WatchClient(client, InstantSource.system(), LIMITS);
        SharedIndexInformer<EndpointSlice> informer = slices(watches)) {
      informer.start();
      await().until(() -> watches.isOpen("endpointslices", 1));

      server.mute();
      server.put(slice("web-1"));

      await().until(() -> !informer.getStore().list().isEmpty());
    }
  }

  @Test
  void watchThatIsRefused_saysTheStatus() throws IOException {
    try (WatchServer server = new WatchServer();
        KubernetesClient client = WatchServer.client(server.port());
        WatchClient watches = new WatchClient(client, InstantSource.system(), LIMITS);
        SharedIndexInformer<EndpointSlice> informer = slices(watches)) {
      server.forbidWatches();

      informer.start();

      await().until(() -> watches.error("endpointslices").equals(Optional.of("HTTP 403")));
    }
  }

  private static SharedIndexInformer<EndpointSlice> slices(WatchClient watches) {
    return watches
        .client()
        .resources(EndpointSlice.class)
        .runnableInformer(0)
        .exceptionHandler((started, failure) -> true);
  }

  private static EndpointSlice slice(String name) {
    return new EndpointSliceBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .withAddressType("IPv4")
        .build();
  }

  @Test
  void watches_anInformerWhoseWatchJustEnds_isFalse() {
    Supplier<Boolean> ends =
        () -> {
          throw new NullPointerException("as of Optional.of(null)");
        };

    assertThat(WatchClient.isOpen(informer(ends))).isFalse();
    assertThat(WatchClient.isOpen(informer(() -> true))).isTrue();
    assertThat(WatchClient.isOpen(informer(() -> false))).isFalse();
  }

  private static SharedIndexInformer<?> informer(Supplier<Boolean> watching) {
    return (SharedIndexInformer<?>)
        Proxy.newProxyInstance(
            WatchClientTest.class.getClassLoader(),
            new Class<?>[] {SharedIndexInformer.class},
            (proxy, method, args) -> watching.get());
  }
}
