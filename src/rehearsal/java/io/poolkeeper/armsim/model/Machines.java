package io.poolkeeper.armsim.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmError;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Virtual machines and the instances of uniform scale sets. The number of instances of a scale set
 * is its capacity: new ones get the next number, and the newest are removed first. An instance has
 * the network interfaces of the set's profile, or of its own if one was written.
 */
final class Machines {
  static final String SCALE_SETS = "virtualMachineScaleSets";
  static final String INSTANCES = "virtualMachines";
  static final String INTERFACES = "networkInterfaces";

  private static final int MAX_CAPACITY = 1_000;
  private static final String CONFIGURATIONS = "networkInterfaceConfigurations";
  static final String PROFILE = "networkProfileConfiguration";

  private static final ObjectNode RUNNING =
      ArmJson.object(
          """
          {"platformUpdateDomain": 0, "platformFaultDomain": 0, "statuses": [
            {"code": "ProvisioningState/succeeded", "level": "Info",
             "displayStatus": "Provisioning succeeded"},
            {"code": "PowerState/running", "level": "Info", "displayStatus": "VM running"}]}
          """);
  private static final ObjectNode UNIFORM = ArmJson.object("{\"orchestrationMode\": \"Uniform\"}");

  private Machines() {}

  /** A single machine, or an instance that a client writes back. */
  static void accept(ResourceId id, ObjectNode document, Optional<Resource> before, Resources all) {
    ObjectNode properties = (ObjectNode) document.path("properties");
    String vmId = before.map(old -> old.properties().path("vmId").asText("")).orElse("");
    properties.put("vmId", vmId.isEmpty() ? all.guid() : vmId);
    properties.set("instanceView", RUNNING.deepCopy());
    if (id.types().size() > 1) {
      check(id, properties.path(PROFILE));
      before.ifPresent(
          old -> {
            ArmJson.copy(old.document(), document, List.of("name", "instanceId"));
            ArmJson.copy(
                old.properties(), properties, List.of("latestModelApplied", "networkProfile"));
          });
    }
  }

  static void acceptScaleSet(
      ResourceId set, ObjectNode document, Optional<Resource> before, Resources all) {
    ObjectNode properties = (ObjectNode) document.path("properties");
    JsonNode capacity = document.path("sku").path("capacity");
    boolean given = !capacity.isMissingNode();
    if (given && !(capacity.isInt() && capacity.intValue() >= 0)) {
      throw ArmError.WRONG_TYPE.refused(
          "sku.capacity", "a number that is not negative", capacity.getNodeType());
    }
    if (capacity.asInt() > MAX_CAPACITY) {
      throw ArmError.WRONG_VALUE.refused(
          "sku.capacity", "at most " + MAX_CAPACITY, capacity.asText());
    }
    check(
        set.child(INSTANCES, "0"), properties.path("virtualMachineProfile").path("networkProfile"));
    String unique = before.map(old -> old.properties().path("uniqueId").asText("")).orElse("");
    properties.put("uniqueId", unique.isEmpty() ? all.guid() : unique);
    ArmJson.complete(properties, UNIFORM);
  }

  /** Creates or removes instances up to the set's capacity. */
  static void scale(Resource set, Resources all) {
    if (!set.properties().path("orchestrationMode").asText().equalsIgnoreCase("Uniform")) {
      return;
    }
    int wanted = set.document().path("sku").path("capacity").asInt(0);
    List<Resource> instances =
        all.children(set.id(), INSTANCES).stream()
            .sorted(Comparator.comparingInt(Machines::number))
            .toList();
    instances.stream().skip(wanted).forEach(all::remove);
    int next = instances.isEmpty() ? 0 : number(instances.getLast()) + 1;
    for (int i = instances.size(); i < wanted; i++, next++) {
      ResourceId id = set.id().child(INSTANCES, Integer.toString(next));
      Resource instance = all.made(id, instance(set, id, all));
      all.store(instance);
      connect(instance, set.properties().path("virtualMachineProfile").path("networkProfile"), all);
    }
  }

  static Resource withoutInstance(Resource set, String etag) {
    ObjectNode document = set.document().deepCopy();
    int capacity = document.path("sku").path("capacity").asInt(0);
    if (document.path("sku") instanceof ObjectNode sku) {
      sku.put("capacity", Math.max(0, capacity - 1));
    }
    return set.with(document, etag, set.running());
  }

  /** Replaces the interfaces of an instance by those of a profile. */
  static void connect(Resource instance, JsonNode profile, Resources all) {
    Set<String> wanted = new HashSet<>();
    for (JsonNode configuration : profile.path(CONFIGURATIONS)) {
      ResourceId id = instance.id().child(INTERFACES, configuration.path("name").asText("nic"));
      wanted.add(id.key());
      Optional<Resource> before = all.find(id);
      ObjectNode document = written(id, configuration);
      document.put("location", instance.location());
      NetworkInterface.accept(document, before, all);
      all.store(
          before
              .map(old -> old.with(document, all.etag(), Optional.empty()))
              .orElseGet(() -> all.made(id, document)));
    }
    all.children(instance.id(), INTERFACES).stream()
        .filter(nic -> !wanted.contains(nic.id().key()))
        .forEach(all::remove);
  }

  /** Refuses interfaces that cannot be created, before any is. */
  private static void check(ResourceId instance, JsonNode profile) {
    JsonNode configurations = profile.path(CONFIGURATIONS);
    if (!configurations.isMissingNode() && !configurations.isArray()) {
      throw ArmError.WRONG_TYPE.refused(CONFIGURATIONS, "an array", configurations.getNodeType());
    }
    for (JsonNode configuration : configurations) {
      ResourceId id = instance.child(INTERFACES, configuration.path("name").asText("nic"));
      NetworkInterface.check(written(id, configuration));
    }
  }

  private static ObjectNode written(ResourceId nic, JsonNode configuration) {
    ObjectNode given = ArmJson.MAPPER.createObjectNode();
    JsonNode properties = configuration.path("properties");
    return Body.whole(
        nic, properties.isMissingNode() ? given : given.set("properties", properties));
  }

  private static ObjectNode instance(Resource set, ResourceId id, Resources all) {
    JsonNode profile = set.properties().path("virtualMachineProfile");
    ObjectNode document = ArmJson.MAPPER.createObjectNode();
    document.put("name", set.id().name() + "_" + id.name()).put("instanceId", id.name());
    document.put("location", set.location());
    ArmJson.copy(set.document(), document, List.of("tags", "sku"));
    if (document.path("sku") instanceof ObjectNode sku) {
      sku.remove("capacity");
    }
    JsonNode zones = set.document().path("zones");
    if (!zones.isEmpty()) {
      int index = Integer.parseInt(id.name()) % zones.size();
      document.putArray("zones").add(zones.get(index).asText());
    }
    ObjectNode properties = document.putObject("properties");
    properties.put("latestModelApplied", true).put("vmId", all.guid());
    JsonNode os = profile.path("osProfile");
    String prefix = os.path("computerNamePrefix").asText(set.id().name());
    ObjectNode ownOs = properties.putObject("osProfile");
    ownOs.put("computerName", prefix + computer(Integer.parseInt(id.name())));
    ArmJson.copy(os, ownOs, List.of("adminUsername", "linuxConfiguration", "windowsConfiguration"));
    ArmJson.copy(profile, properties, List.of("storageProfile"));
    JsonNode network = profile.path("networkProfile");
    ArmJson.copy(network, properties.putObject(PROFILE), List.of(CONFIGURATIONS));
    ArrayNode nics = properties.putObject("networkProfile").putArray(INTERFACES);
    for (JsonNode nic : network.path(CONFIGURATIONS)) {
      nics.addObject().put("id", id.child(INTERFACES, nic.path("name").asText("nic")).path());
    }
    properties.set("instanceView", RUNNING.deepCopy());
    return document;
  }

  /** A number in a computer name of a scale set: six digits in base 36. */
  private static String computer(int number) {
    String digits = Integer.toString(number, 36).toUpperCase(Locale.ROOT);
    return "0".repeat(Math.max(0, 6 - digits.length())) + digits;
  }

  private static int number(Resource instance) {
    String name = instance.id().name();
    return name.matches("\\d{1,9}") ? Integer.parseInt(name) : Integer.MAX_VALUE - 1;
  }
}
