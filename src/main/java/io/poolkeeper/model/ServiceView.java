package io.poolkeeper.model;

import java.util.Set;

/**
 * The parts of a Service that the controller needs.
 *
 * @param uid distinguishes Services that had the same name one after the other
 * @param loadBalancer whether it is of that type and of no {@code loadBalancerClass}, which the
 *     cloud provider does not serve; even while it is being deleted
 * @param local whether it is a load balancer with the external traffic policy Local and is not
 *     being deleted; only such a Service owns a pool
 * @param internal whether it asks for an internal load balancer
 * @param manage its annotation
 * @param addressed whether the cloud provider has given it an address
 * @param digest changes whenever the spec, the annotations or the status change
 */
public record ServiceView(
    ServiceKey key,
    String uid,
    boolean loadBalancer,
    boolean local,
    boolean internal,
    Set<IpFamily> families,
    Manage manage,
    boolean addressed,
    long digest) {
  public ServiceView {
    families = Set.copyOf(families);
    if (local && !loadBalancer) {
      throw new IllegalArgumentException(key + ": only a load balancer has a local policy");
    }
  }

  /** A view without the annotation and an address. */
  public ServiceView(
      ServiceKey key,
      String uid,
      boolean loadBalancer,
      boolean local,
      boolean internal,
      Set<IpFamily> families,
      long digest) {
    this(key, uid, loadBalancer, local, internal, families, Manage.ABSENT, false, digest);
  }

  /** This view of a Service, as one that owns no pool. */
  public ServiceView withoutPool() {
    return new ServiceView(
        key, uid, loadBalancer, false, internal, families, manage, addressed, digest);
  }
}
