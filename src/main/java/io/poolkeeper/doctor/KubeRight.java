package io.poolkeeper.doctor;

/**
 * A right in the cluster.
 *
 * @param group of the API; empty: the core one
 * @param resource plural, with a subresource after a slash
 * @param namespace empty: in all namespaces, or of an object of the cluster
 * @param name of the one object; empty: all
 */
public record KubeRight(
    String verb, String group, String resource, String namespace, String name) {}
