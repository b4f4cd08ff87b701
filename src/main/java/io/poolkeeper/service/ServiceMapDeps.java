package io.poolkeeper.service;

import io.poolkeeper.admission.BindingsEvent;
import io.poolkeeper.arm.LoadBalancers;
import io.poolkeeper.node.NodeEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The collaborators of the map of Services.
 *
 * @param leads whether this replica leads from the start
 * @param groups the resource groups besides the configured one in which bindings may name pools
 * @param nodes receives which pools there are, and what listings have shown of nodes
 * @param bindings receives what each listing has shown of the pools that Services are bound to
 * @param peerWaits receives each load balancer Service for which the cloud provider waits
 * @param resync how often load balancers are listed at least
 * @param verifyAfter see {@link ListingSchedule}
 * @param clock monotonic
 */
public record ServiceMapDeps(
    ServiceMapCore core,
    boolean leads,
    Set<String> groups,
    LoadBalancers listings,
    ServiceMapObserver observer,
    Consumer<NodeEvent> nodes,
    Consumer<BindingsEvent.Listed> bindings,
    Consumer<ServiceMapEffect.PeerWaits> peerWaits,
    Duration resync,
    Duration verifyAfter,
    InstantSource clock) {
  public ServiceMapDeps {
    groups = Set.copyOf(groups);
  }
}
