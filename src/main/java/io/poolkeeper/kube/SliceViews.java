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
              client ->
                  client.discovery().v1().endpointSlices().inAnyNamespace().runnableInformer(0),
              EndpointSlice::new,
              SliceView.Key::new,
              SliceViews::view)
          .withEveryUpdate();

  private static final String SERVICE = "kubernetes.io/service-name";

  private SliceViews() {}

  public static Optional<SliceView> view(EndpointSlice slice) {
    ObjectMeta meta = slice.getMetadata();
    Map<String, String> labels = Objects.requireNonNullElse(meta.getLabels(), Map.of());
    String service = labels.get(SERVICE);
    if (service == null || service.isBlank()) {
      return Optional.empty();
    }
    List<Endpoint> endpoints = WatchedKind.present(slice.getEndpoints()).toList();
    List<String> nodes =
        endpoints.stream()
            .map(Endpoint::getNodeName)
            .filter(name -> name != null && !name.isBlank())
            .toList();
    return Optional.of(
        new SliceView(
            new SliceView.Key(meta.getNamespace(), meta.getName()),
            new ServiceKey(meta.getNamespace(), service),
            nodes.stream().map(NodeKey::new).collect(Collectors.toSet()),
            endpoints.size() - nodes.size()));
  }
}
