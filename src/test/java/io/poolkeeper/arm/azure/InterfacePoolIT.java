package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.armsim.ArmSimSettings;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool of network interfaces, which ARM lets nobody change but for admin states. */
class InterfacePoolIT {
  private static final PoolId POOL = new LoadBalancerId("sub-1", "rg-1", "lb-1").pool("kubernetes");
  private static final String GROUP = "/subscriptions/sub-1/resourceGroups/rg-1";
  private static final String NETWORK = GROUP + "/providers/Microsoft.Network/virtualNetworks/v";
  private static final String SUBNET = "{\"subnet\":{\"id\":\"" + NETWORK + "/subnets/s\"}";
  private static final String NIC = GROUP + "/providers/Microsoft.Network/networkInterfaces/vm-1";
  private static final String COMPUTE = GROUP + "/providers/Microsoft.Compute/";
  private static final String JOINED =
      "{\"name\":\"c\",\"properties\":"
          + SUBNET
          + ",\"loadBalancerBackendAddressPools\":[{\"id\":\""
          + POOL.path()
          + "\"}]}}";

  private final ActorTestKit kit = ActorTestKit.create();
  private final HttpClient http = HttpClient.newHttpClient();
  private final ArmSim sim =
      value(
          ArmSim.start(
              kit.system(), ArmSimSettings.fast(System::nanoTime, InstantSource.system())));

  @BeforeEach
  void armHasAMachineAndAScaleSetInThePool() throws Exception {
    put(GROUP, "{\"location\":\"eastus\"}");
    put(
        NETWORK,
        "{\"location\":\"eastus\",\"properties\":{\"subnets\":[{\"name\":\"s\",\"properties\":{\"addressPrefix\":\"10.1.0.0/16\"}}]}}");
    put(POOL.loadBalancer().path(), "{\"location\":\"eastus\"}");
    put(POOL.path(), "{\"properties\":{}}");
    put(NIC, "{\"location\":\"eastus\",\"properties\":{\"ipConfigurations\":[" + JOINED + "]}}");
    put(
        COMPUTE + "virtualMachines/VM-1",
        "{\"location\":\"eastus\",\"properties\":{\"networkProfile\":{\"networkInterfaces\":[{\"id\":\""
            + NIC
            + "\"}]}}}");
    put(
        COMPUTE + "virtualMachineScaleSets/Set",
        """
        {"location":"eastus","sku":{"name":"Standard_D2s_v5","capacity":1},"properties":{
          "virtualMachineProfile":{"networkProfile":{"networkInterfaceConfigurations":[
            {"name":"nic","properties":{"primary":true,"ipConfigurations":[%s]}}]}}}}\
        """
            .formatted(JOINED));
  }

  private void put(String path, String body) throws Exception {
    URI uri = URI.create(sim.endpoint() + path + "?api-version=2025-05-01");
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    for (String operation : answer.headers().allValues("Azure-AsyncOperation")) {
      http.send(HttpRequest.newBuilder(URI.create(operation)).build(), BodyHandlers.ofString());
    }
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    value(sim.close());
    kit.shutdownTestKit();
  }

  @Test
  void itsEntriesAreTiedToTheirMachinesAndSetDown() {
    try (AzureArm arm =
        AzureArm.create(
            ScriptedArm.settings(sim.endpoint()),
            ScriptedArm.PATIENCE,
            ScriptedArm.LONGEST,
            ArmObserver.NONE,
            ScriptedArm.CLOCKS,
            Limits.DEFAULT,
            client -> Optional.empty())) {
      PoolDocument before = value(arm.get(POOL, Instant.MAX));
      Map<String, String> names = new TreeMap<>();
      for (PoolEntry entry : before.view().entries()) {
        String id = entry.ipConfiguration().orElseThrow();
        names.put(value(arm.machineOf(id, Instant.MAX)).orElseThrow(), entry.name());
      }
      String machine = (COMPUTE + "virtualMachines/VM-1").toLowerCase(Locale.ROOT);
      String instance =
          (COMPUTE + "virtualMachineScaleSets/Set/virtualMachines/0").toLowerCase(Locale.ROOT);
      assertThat(names).containsOnlyKeys(machine, instance);

      value(
          arm.put(
              before,
              PoolEdit.NONE.with(
                  new TreeMap<>(Map.of(names.getOrDefault(machine, ""), AdminState.DOWN))),
              Instant.MAX));

      PoolView after = value(arm.get(POOL, Instant.MAX)).view();
      assertThat(after.entries())
          .extracting(PoolEntry::ipConfiguration)
          .containsExactlyElementsOf(
              before.view().entries().stream().map(PoolEntry::ipConfiguration).toList());
      assertThat(after.entries())
          .extracting(PoolEntry::name, PoolEntry::adminState)
          .containsExactlyInAnyOrder(
              tuple(names.get(machine), AdminState.DOWN),
              tuple(names.get(instance), AdminState.NONE));
    }
  }
}
