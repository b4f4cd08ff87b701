package io.poolkeeper.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which node an entry belongs to. */
class ClusterNodesTest {
  private static final String GROUP = "/subscriptions/S/resourceGroups/RG/providers";
  private static final String INSTANCE =
      "/subscriptions/s/resourcegroups/rg/providers"
          + "/microsoft.compute/virtualmachinescalesets/set/virtualmachines/0";
  private static final String MACHINE =
      GROUP.toLowerCase(Locale.ROOT) + "/microsoft.compute/virtualmachines/vm";
  private static final String CONFIGURATION =
      GROUP + "/Microsoft.Network/networkInterfaces/Nic/ipConfigurations/C";
  private static final NodeKey OTHER = new NodeKey("vm");
  private static final NodeKey NODE = new NodeKey("node-1");
  private static final ClusterNodes NODES =
      new ClusterNodes(
          Map.of(Address.of("10.0.0.1"), NODE),
          Map.of(INSTANCE, NODE, MACHINE, OTHER),
          Map.of(CONFIGURATION.toLowerCase(Locale.ROOT), MACHINE));

  @ParameterizedTest
  @CsvSource({
    "Microsoft.Compute/virtualMachineScaleSets/SET/virtualMachines/0/networkInterfaces/n/ipConfigurations/c",
    "microsoft.network/VirtualMachineScaleSets/set/virtualmachines/0/networkinterfaces/N/ipconfigurations/C"
  })
  void machineOf_interfaceOfAScaleSet_isItsInstance(String interfaceId) {
    assertThat(ClusterNodes.machineOf(GROUP + "/" + interfaceId)).hasValue(INSTANCE);
  }

  @ParameterizedTest
  @CsvSource({
    "/Microsoft.Network/networkInterfaces/n/ipConfigurations/c",
    "/Microsoft.Compute/virtualMachineScaleSets/set/virtualMachines/0",
    "/Other.Compute/virtualMachineScaleSets/set/virtualMachines/0/networkInterfaces/n"
  })
  void machineOf_anythingElse_isUnknown(String id) {
    assertThat(ClusterNodes.machineOf(GROUP + id)).isEmpty();
  }

  @Test
  void of_entry_isTheNodeOfItsAddressOrMachineNeverOfItsName() {
    String nic = GROUP + "/Microsoft.Compute/virtualMachineScaleSets/set/virtualMachines/";
    assertThat(NODES.of(address("x", "10.0.0.1"))).hasValue(NODE);
    assertThat(NODES.of(nic(CONFIGURATION))).hasValue(OTHER);
    assertThat(NODES.of(address("node-1", "10.0.0.9"))).isEmpty();
    assertThat(NODES.of(nic(nic + "0/networkInterfaces/n/ipConfigurations/c"))).hasValue(NODE);
    assertThat(NODES.of(nic(nic + "00/networkInterfaces/n/ipConfigurations/c"))).isEmpty();
    assertThat(NODES.of(new PoolEntry("node-1", Optional.empty()))).isEmpty();
  }

  private static PoolEntry address(String name, String address) {
    return new PoolEntry(name, Optional.of(Address.of(address)));
  }

  private static PoolEntry nic(String id) {
    return new PoolEntry("node-1", Optional.empty(), Optional.of(id), AdminState.NONE);
  }
}
