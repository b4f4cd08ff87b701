package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One kind of object to watch, and its conversion to a view. All functions are pure.
 *
 * @param name the plural, for logs and health
 * @param informer creates an informer without starting it
 * @param empty an object of the kind with nothing in it
 * @param key the model's key from namespace (empty if there is none) and name
 * @param view empty if the object is irrelevant, as if it did not exist
 * @param optional whether the API server may not know the kind: then there is none of it
 * @param everyUpdate whether an update that leaves the view equal is delivered, too
 */
public record WatchedKind<T extends HasMetadata, K, V>(
    String name,
    Function<KubernetesClient, SharedIndexInformer<T>> informer,
    Supplier<T> empty,
    BiFunction<String, String, K> key,
    Function<T, Optional<V>> view,
    boolean optional,
    boolean everyUpdate) {

  /** A kind that is not optional, and of which only updates that change the view are delivered. */
  public WatchedKind(
      String name,
      Function<KubernetesClient, SharedIndexInformer<T>> informer,
      Supplier<T> empty,
      BiFunction<String, String, K> key,
      Function<T, Optional<V>> view) {
    this(name, informer, empty, key, view, false, false);
  }

  public WatchedKind<T, K, V> asOptional() {
    return new WatchedKind<>(name, informer, empty, key, view, true, everyUpdate);
  }

  WatchedKind<T, K, V> withEveryUpdate() {
    return new WatchedKind<>(name, informer, empty, key, view, optional, true);
  }

  /** The elements of a list of the API, which may be absent or have null elements. */
  public static <E> Stream<E> present(@Nullable Collection<E> elements) {
    return elements == null ? Stream.empty() : elements.stream().filter(Objects::nonNull);
  }
}
