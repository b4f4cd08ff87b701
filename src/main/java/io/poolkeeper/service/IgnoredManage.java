package io.poolkeeper.service;

import io.poolkeeper.model.Manage;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectEvent.Type;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.ServiceView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Events about an annotation or a label of {@link Manage} that has no effect.
 *
 * @param owners whether Services own pools at all
 */
record IgnoredManage(boolean owners) {
  private static final String REASON = "ManageIgnored";
  private static final String USELESS =
      "The annotation "
          + Manage.KEY
          + " does nothing but for pools of bindings: a Service has a pool of its own only"
          + " if it is of type LoadBalancer with externalTrafficPolicy Local";

  List<ServiceMapEffect> all(Cluster cluster) {
    return emit(
        Stream.concat(
            cluster.services().values().stream().flatMap(this::of),
            cluster.labels().values().stream().flatMap(IgnoredManage::of)));
  }

  /** The events about Services that change; the beginning of a deletion is no change. */
  List<ServiceMapEffect> services(Map<ServiceKey, Optional<ServiceView>> changes, Cluster before) {
    return emit(
        changes.values().stream()
            .flatMap(Optional::stream)
            .filter(before::changes)
            .flatMap(next -> news(before.services().get(next.key()), next)));
  }

  private Stream<ObjectEvent> news(@Nullable ServiceView before, ServiceView next) {
    List<ObjectEvent> old = before == null ? List.of() : of(before).toList();
    return of(next).filter(event -> !old.contains(event));
  }

  /** The events about Namespaces that change. */
  static List<ServiceMapEffect> namespaces(
      Map<String, Optional<NamespaceView>> changes, Cluster before) {
    return emit(
        changes.values().stream()
            .flatMap(Optional::stream)
            .filter(next -> !next.equals(before.labels().get(next.name())))
            .flatMap(IgnoredManage::of));
  }

  /** The events about Services that have come to disagree about a pool, which is managed. */
  static List<ServiceMapEffect> disputes(PoolIndex before, PoolIndex after, Cluster cluster) {
    if (before.disputed().equals(after.disputed())) {
      return List.of();
    }
    return emit(
        after.disputed().entrySet().stream()
            .filter(pool -> !pool.getValue().equals(before.disputed().get(pool.getKey())))
            .sorted(Map.Entry.comparingByKey())
            .flatMap(pool -> dispute(pool.getKey(), pool.getValue(), cluster)));
  }

  private static Stream<ObjectEvent> dispute(
      PoolId pool, List<ServiceKey> services, Cluster cluster) {
    String text =
        "The backend pool %s is managed: the Services %s share it, and not all of them say %s: \"false\""
            .formatted(pool, services, Manage.KEY);
    return services.stream()
        .flatMap(key -> Stream.ofNullable(cluster.services().get(key)))
        .map(service -> ObjectReference.of(service.key(), service.uid()))
        .map(about -> new ObjectEvent(about, Type.WARNING, REASON, text));
  }

  private static List<ServiceMapEffect> emit(Stream<ObjectEvent> events) {
    return events.<ServiceMapEffect>map(ServiceMapEffect.Emit::new).toList();
  }

  private static Stream<ObjectEvent> of(NamespaceView namespace) {
    ObjectReference about = ObjectReference.ofNamespace(namespace.name(), namespace.uid());
    return bad(about, "label", namespace.label()).stream();
  }

  /** The event about a bad annotation, or about one of a Service without a pool of its own. */
  private Stream<ObjectEvent> of(ServiceView service) {
    ObjectReference about = ObjectReference.of(service.key(), service.uid());
    boolean useless = owners && service.manage().says().isPresent() && !service.local();
    return useless
        ? Stream.of(new ObjectEvent(about, Type.NORMAL, REASON, USELESS))
        : bad(about, "annotation", service.manage()).stream();
  }

  private static Optional<ObjectEvent> bad(ObjectReference about, String what, Manage manage) {
    if (manage.found().isEmpty() || manage.says().isPresent()) {
      return Optional.empty();
    }
    String message =
        "The %s %s is ignored: found \"%s\"; allowed: \"true\" or \"false\""
            .formatted(what, Manage.KEY, manage.found().get());
    return Optional.of(new ObjectEvent(about, Type.WARNING, REASON, message));
  }
}
