package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.body;
import static io.poolkeeper.armsim.model.Calls.delete;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.put;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scale sets and machines, as a cloud provider looks for its nodes. */
class MachinesTest {
  private static final String VNET = GROUP + "/providers/Microsoft.Network/virtualNetworks/v";
  private static final String COMPUTE = GROUP + "/providers/Microsoft.Compute";
  private static final String SET = COMPUTE + "/virtualMachineScaleSets/set";
  private static final String PROFILE =
      """
      {"networkInterfaceConfigurations":[{"name":"nic","properties":{"primary":true,
        "ipConfigurations":[{"name":"c","properties":{"subnet":{"id":"%s/subnets/s"},
          "loadBalancerBackendAddressPools":[%s]}}]}}]}
      """;

  private final ArmModel model = new ArmModel(Calls.counting(), 100, 1);

  @BeforeEach
  void aNetwork() {
    model.handle(put(GROUP, "{\"location\":\"eastus\"}"));
    model.handle(
        put(
            VNET,
            """
            {"location":"eastus","properties":{
             "subnets":[{"name":"s","properties":{"addressPrefix":"10.1.0.0/16"}}]}}
            """));
  }

  private static String set(int capacity) {
    return """
        {"location":"eastus","sku":{"name":"Standard_D2s_v5","capacity":%d},"zones":["1","2"],
         "properties":{"virtualMachineProfile":{"osProfile":{"computerNamePrefix":"aks-vmss"},
          "networkProfile":%s}}}
        """
        .formatted(capacity, PROFILE.formatted(VNET, ""));
  }

  private JsonNode read(String path) {
    Handled handled = model.handle(get(path));
    assertThat(handled.answer().status()).as(Calls.text(handled)).isEqualTo(200);
    return body(handled);
  }

  @Test
  void scaleSet_hasAsManyInstancesAsItsCapacity() {
    Handled created = model.handle(put(SET, set(3)));
    assertThat(created.answer().status()).isEqualTo(201);
    assertThat(created.started()).isEmpty();
    assertThat(body(created).at("/properties/provisioningState").asText()).isEqualTo("Succeeded");

    JsonNode instances = read(SET + "/virtualMachines").path("value");
    assertThat(instances.findValuesAsText("instanceId")).containsExactly("0", "1", "2");
    assertThat(instances.get(1).path("name").asText()).isEqualTo("set_1");
    assertThat(instances.get(1).at("/zones/0").asText()).isEqualTo("2");
    assertThat(instances.get(1).at("/properties/osProfile/computerName").asText())
        .isEqualTo("aks-vmss000001");
    assertThat(instances.get(1).at("/properties/instanceView/statuses/1/code").asText())
        .isEqualTo("PowerState/running");
    assertThat(read(SET + "/virtualMachines/1/instanceView").at("/statuses/1/code").asText())
        .isEqualTo("PowerState/running");
    assertThat(read(SET + "/networkInterfaces").path("value").findValuesAsText("privateIPAddress"))
        .containsExactly("10.1.0.4", "10.1.0.5", "10.1.0.6");
    JsonNode nic =
        read(instances.get(1).at("/properties/networkProfile/networkInterfaces/0/id").asText());
    assertThat(nic.at("/properties/virtualMachine/id").asText())
        .isEqualTo(SET + "/virtualMachines/1");

    model.handle(put(SET, set(1)));
    assertThat(read(SET + "/virtualMachines").path("value")).hasSize(1);
    assertThat(read(SET + "/networkInterfaces").path("value")).hasSize(1);
  }

  @Test
  void instance_deleted_lowersTheCapacityAndItsNumberIsNotUsedAgainBelowOthers() {
    model.handle(put(SET, set(3)));
    assertThat(model.handle(delete(SET + "/virtualMachines/1")).answer().status()).isEqualTo(200);
    assertThat(read(SET).at("/sku/capacity").asInt()).isEqualTo(2);
    model.handle(
        Calls.call(
            Method.PATCH,
            SET,
            Optional.empty(),
            new Body.Json(Calls.json("{\"sku\":{\"capacity\":3}}"))));
    assertThat(read(SET + "/virtualMachines").path("value").findValuesAsText("instanceId"))
        .containsExactly("0", "2", "3");
    assertThat(model.handle(delete(SET)).answer().status()).isEqualTo(200);
    assertThat(model.snapshot().resources()).hasSize(1);
  }

  @Test
  void instance_writtenWithAPool_isAMemberOfIt() {
    model.handle(put(Calls.LB, "{\"location\":\"eastus\"}"));
    model.handle(put(POOL, "{}"));
    model.handle(put(SET, set(1)));
    String path = SET + "/virtualMachines/0";
    String profile = PROFILE.formatted(VNET, "{\"id\":\"" + POOL + "\"}");
    String body =
        "{\"location\":\"eastus\",\"properties\":{\"networkProfileConfiguration\":"
            + profile
            + "}}";
    // When
    Handled written = model.handle(put(path, body));
    // Then
    assertThat(written.answer().status()).isEqualTo(200);
    assertThat(body(written).path("name").asText()).isEqualTo("set_0");
    assertThat(read(path + "/networkInterfaces").path("value").findValuesAsText("privateIPAddress"))
        .containsExactly("10.1.0.4");
    assertThat(
            read(path + "/networkInterfaces/nic")
                .at(
                    "/properties/ipConfigurations/0/properties"
                        + "/loadBalancerBackendAddressPools/0/id")
                .asText())
        .isEqualTo(POOL);
  }

  @Test
  void put_wrongCapacity_isRefused() {
    Handled handled =
        model.handle(put(SET, set(1).replace("\"capacity\":1", "\"capacity\":\"x\"")));
    assertThat(handled.answer().status()).isEqualTo(400);
    assertThat(Calls.text(handled)).contains("sku.capacity");
    String noNic = set(1).replace("\"ipConfigurations\":[", "\"ipConfigurations\":[],\"x\":[");
    assertThat(model.handle(put(SET, noNic)).answer().status()).isEqualTo(400);
    assertThat(model.snapshot().resources()).hasSize(1);
    assertThat(model.handle(put(SET, set(1001))).answer().status()).isEqualTo(400);
  }

  @Test
  void aMachine_showsThatItRunsAndItsInterfaceShowsTheMachine() {
    String nic = GROUP + "/providers/Microsoft.Network/networkInterfaces/n";
    model.handle(
        put(
            nic,
            """
            {"location":"eastus","properties":{"ipConfigurations":[{"name":"c"}]}}
            """));
    String machine = COMPUTE + "/virtualMachines/m";
    model.handle(
        put(
            machine,
            """
            {"location":"eastus","properties":{"networkProfile":{"networkInterfaces":[{"id":"%s"}]}}}
            """
                .formatted(nic)));
    assertThat(read(machine).at("/properties/instanceView/statuses/1/code").asText())
        .isEqualTo("PowerState/running");
    assertThat(read(nic).at("/properties/virtualMachine/id").asText()).isEqualTo(machine);
  }
}
