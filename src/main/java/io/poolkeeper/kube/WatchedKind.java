package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One kind of object to watch, and its conversion to a view. All functions are pure.
 *
 * @param name the plural, for logs and health
 * @param informer creates an informer without starting it
 * @param empty an object of the kind with nothing in it
 * @param key the model's key from namespace (empty if there is none) and name
 * @param optional whether the API server may not know the kind: then there is none of it
 * @param everyUpdate whether an update that leaves the view equal is delivered, too
 * @param view empty if the object is irrelevant, as if it did not exist
 */
public record WatchedKind<T extends HasMetadata, K, V>(
    String name,
    Function<KubernetesClient, SharedIndexInformer<T>> informer,
    Supplier<T> empty,
    BiFunction<String, String, K> key,
    boolean optional,
    boolean everyUpdate,
    Function<T, Optional<V>> view) {}
