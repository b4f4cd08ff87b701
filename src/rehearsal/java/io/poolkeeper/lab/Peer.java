package io.poolkeeper.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventSource;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.poolkeeper.armsim.protocol.BalancerBody;
import io.poolkeeper.lab.Blueprint.Spec;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

/**
 * The other writers, played by the lab: the cloud provider, which writes pools without an etag and
 * then records its event or loses it, and a person in the portal. Their paths begin with a letter
 * in another case than the controller's, so that the simulator's log shows who was there.
 *
 * @param cache of pools as they were read first since another client had the Lease
 */
record Peer(Lab lab, PeerLease lease, Map<Spec, ObjectNode> cache) {
  /** What its paths begin with; ARM ignores the case. */
  static final String ROOT = "/Subscriptions/";

  /** What the events of its updater come from. */
  private static final String COMPONENT = "azure-cloud-provider";

  /** What the events of its main loop come from. */
  private static final String MAIN_LOOP = "service-controller";

  private static final String LOCK_FAILED =
      "Error syncing load balancer: failed to ensure load balancer: fail to lock azure resources:"
          + " lease is held by another holder";

  private static final String ADMIN_STATE = "adminState";

  interface Work {
    void with(Peer peer) throws InterruptedException;
  }

  /** Does something under the shared Lease, if it can be had at once; returns whether it was. */
  boolean underLease(Work work) throws InterruptedException {
    return underLease(work, false);
  }

  private boolean underLease(Work work, boolean announced) throws InterruptedException {
    boolean taken = lease.lock(announced, cache::clear);
    if (taken) {
      work.with(this);
      lease.unlock();
    }
    return taken;
  }

  /** The same for a Service in its main loop, which records an event about each try. */
  boolean reconcile(Spec spec, Work work) throws InterruptedException {
    boolean taken = underLease(work, true);
    if (taken) {
      say(spec, MAIN_LOOP, "EnsuredLoadBalancer", "Normal", "Ensured load balancer");
    } else {
      say(spec, MAIN_LOOP, "SyncLoadBalancerFailed", "Warning", LOCK_FAILED);
    }
    return taken;
  }

  /** Takes an address out of the IPv4 pool of a Service; returns when the write has ended. */
  void remove(Spec spec, String address) throws InterruptedException {
    edit(spec, address, ArrayNode::remove);
  }

  /** Sets or removes the admin state of an entry; returns when the write has ended. */
  void set(Spec spec, String address, Optional<String> state) throws InterruptedException {
    edit(
        spec,
        address,
        (entries, index) -> {
          ObjectNode properties = (ObjectNode) entries.get(index).path("properties");
          properties.remove(ADMIN_STATE);
          state.ifPresent(to -> properties.put(ADMIN_STATE, to));
        });
  }

  private void edit(Spec spec, String address, ObjIntConsumer<ArrayNode> change)
      throws InterruptedException {
    ObjectNode document = read(spec);
    ArrayNode entries = BalancerBody.entries(document);
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (entries.get(i).at("/properties/ipAddress").asText().equals(address)) {
        change.accept(entries, i);
      }
    }
    write(spec, document);
  }

  /** Adds an entry without an admin state to the IPv4 pool of a Service. */
  void add(Spec spec, String name, String address) throws InterruptedException {
    ObjectNode document = read(spec);
    BalancerBody.addEntry(BalancerBody.entries(document), name, address);
    write(spec, document);
  }

  ObjectNode read(Spec spec) throws InterruptedException {
    return lab.http.get(pool(spec));
  }

  /** The same as it was when it was read first since another client had the Lease. */
  ObjectNode cached(Spec spec) throws InterruptedException {
    ObjectNode known = cache.get(spec);
    if (known == null) {
      known = read(spec);
      cache.put(spec, known);
    }
    return known;
  }

  /** Writes the whole pool, whatever it holds by now; returns when the write has ended. */
  void write(Spec spec, ObjectNode document) throws InterruptedException {
    lab.http.put(pool(spec), document);
  }

  /**
   * Writes a whole load balancer with another tag, from a fresh read and with its etag: all in it
   * is {@code Updating} for a while and gets a new etag, and no member changes.
   */
  void touch(String loadBalancer) throws InterruptedException {
    String path = others(Blueprint.id(loadBalancer).path());
    ObjectNode document;
    do {
      document = lab.http.get(path);
      document.withObject("/tags").put("written", lab.entropy.wall().instant().toString());
    } while (!lab.http.replace(path, document));
  }

  private static String pool(Spec spec) {
    return others(spec.id(false).path());
  }

  private static String others(String path) {
    return path.replaceFirst("/s", "/S");
  }

  void announce(Spec spec) {
    String text = "Load balancer backend pool updated successfully";
    say(spec, COMPONENT, "LoadBalancerBackendPoolUpdated", "Normal", text);
  }

  private void say(Spec spec, String component, String reason, String type, String message) {
    String uid = lab.world.uid(spec);
    var about =
        new ObjectReference("v1", null, "Service", spec.name(), Blueprint.NAMESPACE, null, uid);
    var source = new EventSource(component, null);
    Instant now = lab.entropy.wall().instant();
    Event event = Objects.event(about, source, type, reason, message, now);
    lab.cluster.client().resource(event).create();
  }
}
