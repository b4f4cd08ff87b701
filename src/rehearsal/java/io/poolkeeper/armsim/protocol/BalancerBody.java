package io.poolkeeper.armsim.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.model.LoadBalancerId;

/** The body of a PUT of a whole load balancer, as its owner composes it, part by part. */
public record BalancerBody(LoadBalancerId id, ObjectNode json) {
  public static BalancerBody of(LoadBalancerId id) {
    ObjectNode json = ArmJson.MAPPER.createObjectNode().put("location", "eastus");
    json.putObject("sku").put("name", "Standard").put("tier", "Regional");
    return new BalancerBody(id, json);
  }

  /** All parts of a kind, such as {@code backendAddressPools}. */
  public ArrayNode parts(String kind) {
    return json.withObjectProperty("properties").withArrayProperty(kind);
  }

  /** Adds a part; returns its properties. */
  public ObjectNode add(String kind, String name) {
    return parts(kind).addObject().put("name", name).putObject("properties");
  }

  public void frontend(String name) {
    add("frontendIPConfigurations", name).put("privateIPAllocationMethod", "Dynamic");
  }

  public void rule(String name, String frontend, String pool, int port) {
    ObjectNode rule = add("loadBalancingRules", name);
    refer(rule.putObject("frontendIPConfiguration"), "frontendIPConfigurations", frontend);
    refer(rule.putObject("backendAddressPool"), "backendAddressPools", pool);
    rule.put("protocol", "Tcp").put("frontendPort", port).put("backendPort", port);
  }

  /** Makes it a reference to another part. */
  public void refer(ObjectNode from, String kind, String name) {
    from.put("id", id.path() + "/" + kind + "/" + name);
  }

  public static ArrayNode entries(JsonNode pool) {
    return ((ObjectNode) pool)
        .withObjectProperty("properties")
        .withArrayProperty("loadBalancerBackendAddresses");
  }

  public static void addEntry(ArrayNode entries, String name, String address) {
    entries.addObject().put("name", name).putObject("properties").put("ipAddress", address);
  }
}
