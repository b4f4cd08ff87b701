package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.poolkeeper.model.Manage;
import io.poolkeeper.model.NamespaceView;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Converts Namespaces to views; one without the label of {@link Manage} has none. */
public final class NamespaceViews {
  public static final WatchedKind<Namespace, String, NamespaceView> KIND =
      new WatchedKind<>(
          "namespaces",
          client -> client.namespaces().runnableInformer(0),
          Namespace::new,
          (namespace, name) -> name,
          NamespaceViews::view);

  private NamespaceViews() {}

  public static Optional<NamespaceView> view(Namespace namespace) {
    ObjectMeta meta = namespace.getMetadata();
    Manage label = Manage.in(Objects.requireNonNullElse(meta.getLabels(), Map.of()));
    String uid = Objects.requireNonNullElse(meta.getUid(), "");
    return label.found().map(found -> new NamespaceView(meta.getName(), uid, label));
  }
}
