package io.poolkeeper.kube.binding;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Bindings as people write them. */
final class BindingSamples {
  static final KubernetesSerialization YAML = new KubernetesSerialization();

  static final String BY_NAME = "{loadBalancer: lb-1, pool: web}";
  static final String ID =
      "/subscriptions/s-1/resourceGroups/rg-1/providers/Microsoft.Network/loadBalancers/lb-1"
          + "/backendAddressPools/web";

  private BindingSamples() {}

  /** A valid binding with the rest of a spec, in JSON's brief form of YAML. */
  static BackendPoolBinding binding(String name, String pool, String... more) {
    return spec(name, "{serviceRef: {name: web}, backendPool: %s%s}".formatted(pool, rest(more)));
  }

  private static String rest(String... more) {
    return more.length == 0 ? "" : ", " + String.join(", ", more);
  }

  static BackendPoolBinding spec(String name, String spec) {
    return read(
        """
        apiVersion: poolkeeper.io/v1alpha1
        kind: BackendPoolBinding
        metadata: {name: %s, namespace: default}
        spec: %s
        """
            .formatted(name, spec));
  }

  static BackendPoolBinding read(String yaml) {
    return YAML.unmarshal(yaml, BackendPoolBinding.class);
  }
}
