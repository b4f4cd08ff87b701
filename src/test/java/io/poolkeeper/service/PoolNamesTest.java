package io.poolkeeper.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PoolNamesTest {
  @Test
  void loadBalancers_thatAreNamed_areManaged_andNoOther() {
    PoolNames names = PoolNames.of("Kubernetes", List.of("lb-1", "LB-2"));

    assertThat(List.of("LB-1", "lb-1-internal", "lb-2", "lb-2-INTERNAL")).allMatch(names::manages);
    assertThat(List.of("kubernetes", "kubernetes-internal", "lb-3", "lb", "-internal"))
        .noneMatch(names::manages);
  }

  @Test
  void loadBalancers_noneNamed_isTheClustersOwn() {
    PoolNames names = PoolNames.of("Kubernetes", List.of());

    assertThat(List.of("kubernetes", "KUBERNETES-internal")).allMatch(names::manages);
    assertThat(names.manages("lb-1")).isFalse();
  }

  /** A binding may not name a pool there, though it is not ours to touch. */
  @Test
  void loadBalancer_ofTheCluster_isTheProviders_thoughNotNamed() {
    PoolNames names = PoolNames.of("Kubernetes", List.of("lb-1"));

    assertThat(List.of("kubernetes", "kubernetes-internal", "lb-1")).allMatch(names::isProviders);
    assertThat(names.isProviders("terraform")).isFalse();
  }
}
