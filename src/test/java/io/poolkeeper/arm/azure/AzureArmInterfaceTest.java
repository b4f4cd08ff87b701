package io.poolkeeper.arm.azure;

import static io.poolkeeper.arm.azure.Outcome.failure;
import static io.poolkeeper.arm.azure.Outcome.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose a network interface is. */
class AzureArmInterfaceTest {
  private static final String GROUP = "/subscriptions/sub-1/resourceGroups/MC_nodes/providers";
  private static final String NIC = GROUP + "/Microsoft.Network/networkInterfaces/vm-1-nic";
  private static final String CONFIGURATION = NIC + "/ipConfigurations/ipconfig1";

  private final ScriptedArm server = new ScriptedArm();
  private final List<String> observed = new CopyOnWriteArrayList<>();
  private final AzureArm arm =
      server.arm((call, status, took) -> observed.add(call + " " + status));

  @AfterEach
  void stop() {
    arm.close();
    server.close();
  }

  @Test
  void machineOf_interfaceOfAVirtualMachine_isReadOnceAndFolded() {
    server.answers(
        200,
        "{\"properties\":{\"virtualMachine\":{\"id\":\"%s/Microsoft.Compute/virtualMachines/VM-1\"}}}"
            .formatted(GROUP));

    assertThat(value(arm.machineOf(CONFIGURATION, Instant.MAX)))
        .hasValue(
            "/subscriptions/sub-1/resourcegroups/mc_nodes/providers"
                + "/microsoft.compute/virtualmachines/vm-1");

    assertThat(server.requests())
        .extracting(ScriptedArm.Request::uri)
        .containsExactly(NIC + "?api-version=2025-05-01");
    assertThat(observed).containsExactly("nic 200");
  }

  @Test
  void machineOf_interfaceOfAScaleSet_isKnownWithoutACall() {
    String instance = "/Microsoft.Compute/virtualMachineScaleSets/Set/virtualMachines/7";

    assertThat(
            value(
                arm.machineOf(
                    GROUP + instance + "/networkInterfaces/n/ipConfigurations/c", Instant.MAX)))
        .hasValue(
            "/subscriptions/sub-1/resourcegroups/mc_nodes/providers"
                + "/microsoft.compute/virtualmachinescalesets/set/virtualmachines/7");

    assertThat(server.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "/subscriptions/s", GROUP + "/Microsoft.Network/natGateways/n"})
  void machineOf_whatIsNoIpConfiguration_isUnknownWithoutACall(String id) {
    assertThat(value(arm.machineOf(id, Instant.MAX))).isEmpty();

    assertThat(server.requests()).isEmpty();
  }

  @Test
  void machineOf_interfaceThatIsGoneOrFree_isEmpty() {
    server.answers(404, "{\"error\":{\"code\":\"ResourceNotFound\",\"message\":\"m\"}}");
    server.answers(200, "{\"properties\":{}}");

    assertThat(value(arm.machineOf(CONFIGURATION, Instant.MAX))).isEmpty();
    assertThat(value(arm.machineOf(CONFIGURATION, Instant.MAX))).isEmpty();
  }

  @Test
  void machineOf_withoutTheRight_fails() {
    server.answers(403, "{\"error\":{\"code\":\"AuthorizationFailed\",\"message\":\"m\"}}");

    assertThat(failure(arm.machineOf(CONFIGURATION, Instant.MAX)))
        .hasToString("HTTP 403 AuthorizationFailed: m")
        .extracting(ArmFailure::kind)
        .isEqualTo(Kind.RESPONSE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"properties\":{\"virtualMachine\":{}}}", "[]"})
  void machineOf_strangeAnswer_isMalformed(String body) {
    server.answers(200, body);

    assertThat(failure(arm.machineOf(CONFIGURATION, Instant.MAX)).kind()).isEqualTo(Kind.MALFORMED);
  }

  @Test
  void machineOf_whileReadsAreRefused_isNotSent() {
    server.answers(429, "", "Retry-After", "60");

    assertThat(failure(arm.machineOf(CONFIGURATION, Instant.MAX)).kind()).isEqualTo(Kind.THROTTLED);
    assertThat(failure(arm.machineOf(CONFIGURATION, Instant.MAX)).kind()).isEqualTo(Kind.THROTTLED);

    assertThat(server.requests()).hasSize(1);
  }
}
