package io.poolkeeper.service;

/** The caches of Kubernetes objects that must be complete before anything is written. */
public enum CacheKind {
  SERVICES,
  ENDPOINT_SLICES,
  NODES,
  NAMESPACES
}
