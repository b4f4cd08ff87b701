package io.poolkeeper.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoleDefinitionTest {
  static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  static final String VNET = GROUP + "/providers/Microsoft.Network/virtualNetworks/v";

  @TempDir private Path directory;

  /** Those of a small file, and what is added to it. */
  static Settings settings(Path directory, String hocon) {
    try {
      Path file =
          Files.writeString(
              directory.resolve("p.conf"),
              """
              poolkeeper.cluster-name = c
              poolkeeper.azure { subscription-id = s, resource-group = rg, load-balancers = [lb] }
              poolkeeper.azure.vnet-id = "%s"
              """
                      .formatted(VNET)
                  + hocon);
      return SettingsLoader.loadForCommand(file, Optional.empty(), Map.of());
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  @Test
  void role_inWriteMode_hasWhatIsNeededAndNoMore() {
    RoleDefinition role = RoleDefinition.of(settings(directory, ""));

    assertThat(role.actions())
        .containsExactlyInAnyOrder(
            "Microsoft.Network/loadBalancers/read",
            "Microsoft.Network/loadBalancers/backendAddressPools/read",
            "Microsoft.Network/loadBalancers/backendAddressPools/write",
            "Microsoft.Network/virtualNetworks/joinLoadBalancer/action",
            "Microsoft.Network/locations/operations/read",
            "Microsoft.Network/networkInterfaces/read");
    assertThat(role.scopes()).containsExactly(GROUP, "/subscriptions/s");
  }

  @Test
  void role_inShadowModeWithoutAdminStates_readsOnly() {
    String hocon =
        """
        poolkeeper { mode = shadow, admin-state.enabled = false, spot.enabled = false }
        poolkeeper.admission.allowed-pools.team =
          ["/subscriptions/s/resourceGroups/Other/providers/Microsoft.Network/loadBalancers/x/backendAddressPools/*"]
        """;

    RoleDefinition role = RoleDefinition.of(settings(directory, hocon));

    assertThat(role.actions())
        .containsExactlyInAnyOrder(
            "Microsoft.Network/loadBalancers/read",
            "Microsoft.Network/loadBalancers/backendAddressPools/read");
    assertThat(role.scopes()).containsExactly(GROUP, "/subscriptions/s/resourceGroups/other");
  }
}
