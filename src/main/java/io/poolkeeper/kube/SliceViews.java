package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.SliceView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Converts EndpointSlices to views; a slice without a Service has none. */
public final class SliceViews {
  /**
   * EndpointSlices (discovery/v1) of all namespaces. Each update is delivered: a pod that is
   * restarted on its node is a sign to try a failed pool again.
   */
  public static final WatchedKind<EndpointSlice, SliceView.Key, SliceView> KIND =
      new WatchedKind<>(
          "endpointslices",
          client -> client.discovery().v1().endpointSlices().inAnyNamespace().runnableInformer(0),
          EndpointSlice::new,
          SliceView.Key::new,
          false,
          true,
          SliceViews::view);

  private static final String SERVICE = "kubernetes.io/service-name";

  private SliceViews() {}

  public static Optional<SliceView> view(EndpointSlice slice) {
    ObjectMeta meta = slice.getMetadata();
    String service = labels(meta).getOrDefault(SERVICE, "");
    if (service == null || service.isBlank()) {
      return Optional.empty();
    }
    List<String> names = nodeNames(slice);
    List<String> present = names.stream().filter(name -> !name.isBlank()).toList();
    return Optional.of(
        new SliceView(
            new SliceView.Key(meta.getNamespace(), meta.getName()),
            new ServiceKey(meta.getNamespace(), service),
            present.stream().map(NodeKey::new).collect(Collectors.toSet()),
            names.size() - present.size()));
  }

  private static Map<String, String> labels(ObjectMeta meta) {
    return Objects.requireNonNullElse(meta.getLabels(), Map.of());
  }

  /** Of each endpoint; empty if it names none. */
  private static List<String> nodeNames(EndpointSlice slice) {
    return Objects.requireNonNullElse(slice.getEndpoints(), List.<Endpoint>of()).stream()
        .filter(Objects::nonNull)
        .map(endpoint -> Objects.requireNonNullElse(endpoint.getNodeName(), ""))
        .toList();
  }
}
