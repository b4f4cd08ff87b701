package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One kind of object to watch and how it looks to the model. All functions are pure.
 *
 * @param name the plural, for logs and health
 * @param informer makes an informer that was not started yet
 * @param slim what of an object is kept in memory; its view must be that of the whole object
 * @param key the model's key from namespace (empty if there is none) and name
 * @param view empty if the object counts for nothing, as if it did not exist
 */
public record WatchedKind<T extends HasMetadata, K, V>(
    String name,
    Function<KubernetesClient, SharedIndexInformer<T>> informer,
    UnaryOperator<T> slim,
    BiFunction<String, String, K> key,
    Function<T, Optional<V>> view) {}
