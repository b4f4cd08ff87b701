package io.poolkeeper.arm.azure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.PoolView;
import java.util.Set;

/**
 * A pool as a GET returned it, without what only ARM may set: with those members a pool of 5,000
 * addresses can be more than the 4 MB that ARM takes in a PUT. A pool of network interfaces is kept
 * whole, since ARM compares its entries with its own. The tree is never changed: an edit works on a
 * copy.
 */
record RawPool(PoolView view, ObjectNode raw) implements PoolDocument {
  // The members that Azure's swagger calls readOnly; the etag is sent as If-Match.
  private static final Set<String> POOL = Set.of("etag", "type");
  private static final Set<String> POOL_PROPERTIES =
      Set.of(
          "backendIPConfigurations",
          "inboundNatRules",
          "loadBalancingRules",
          "outboundRule",
          "outboundRules",
          "provisioningState");

  // The swagger has neither the first three nor the state, but ARM returns them.
  private static final Set<String> ENTRY = Set.of("etag", "id", "type");
  private static final Set<String> ENTRY_PROPERTIES =
      Set.of("inboundNatRulesPortMapping", "networkInterfaceIPConfiguration", "provisioningState");

  /** Drops the members that only ARM may set, from a tree that nobody else uses. */
  static RawPool of(PoolView view, ObjectNode tree) {
    if (view.ipBased()) {
      drop(tree, POOL, POOL_PROPERTIES);
      for (JsonNode entry : tree.path("properties").path(PoolBody.ENTRIES)) {
        drop((ObjectNode) entry, ENTRY, ENTRY_PROPERTIES);
      }
    }
    return new RawPool(view, tree);
  }

  private static void drop(ObjectNode resource, Set<String> own, Set<String> properties) {
    resource.remove(own);
    ((ObjectNode) resource.path("properties")).remove(properties);
  }
}
