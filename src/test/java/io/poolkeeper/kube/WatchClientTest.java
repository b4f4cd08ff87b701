package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class WatchClientTest {
  @Test
  void watches_anInformerWhoseWatchJustEnds_isFalse() {
    Supplier<Boolean> ends =
        () -> {
          throw new NullPointerException("as of Optional.of(null)");
        };

    assertThat(WatchClient.watches(informer(ends))).isFalse();
    assertThat(WatchClient.watches(informer(() -> true))).isTrue();
    assertThat(WatchClient.watches(informer(() -> false))).isFalse();
  }

  private static SharedIndexInformer<?> informer(Supplier<Boolean> watching) {
    return (SharedIndexInformer<?>)
        Proxy.newProxyInstance(
            WatchClientTest.class.getClassLoader(),
            new Class<?>[] {SharedIndexInformer.class},
            (proxy, method, args) -> watching.get());
  }
}
