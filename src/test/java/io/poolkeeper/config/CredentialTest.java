package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.Azure.Credential;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a kind of credential lacks, and ids that nobody has filled in. */
class CredentialTest {
  private static final String WORKLOAD =
      ConfigDir.REQUIRED + "poolkeeper.azure.credential = workload-identity";

  @TempDir private Path temp;
  private ConfigDir dir;

  @BeforeEach
  void start() {
    dir = new ConfigDir(temp);
  }

  @Test
  void workloadIdentity_withoutAnything_namesAllThatIsMissing() {
    assertThat(dir.problemsOf(WORKLOAD, Map.of()))
        .containsExactly(
            "p.conf: poolkeeper.azure.tenant-id: found nothing; allowed: a value, as"
                + " azure.credential is workload-identity; here, as tenantId in azure.json, or as"
                + " AZURE_TENANT_ID in the environment",
            "p.conf: poolkeeper.azure.client-id: found nothing; allowed: a value, as"
                + " azure.credential is workload-identity; here, as aadClientId in azure.json, or"
                + " as AZURE_CLIENT_ID in the environment",
            "p.conf:3: poolkeeper.azure.credential: found workload-identity without"
                + " AZURE_FEDERATED_TOKEN_FILE in the environment; allowed: the file of the"
                + " federated token; a Pod with the label azure.workload.identity/use: \"true\" has"
                + " it");
  }

  @Test
  void workloadIdentity_tokenFileThatDoesNotExist_isNamed() {
    var env =
        Map.of(
            "AZURE_TENANT_ID",
            "t",
            "AZURE_CLIENT_ID",
            "c",
            "AZURE_FEDERATED_TOKEN_FILE",
            "/no/token");

    assertThat(dir.problemsOf(WORKLOAD, env))
        .singleElement()
        .asString()
        .contains("found AZURE_FEDERATED_TOKEN_FILE=/no/token, no such file");
  }

  @Test
  void workloadIdentity_environmentOfThePod_isEnough() {
    var token = dir.write("token", "t").toString();
    var env =
        Map.of("AZURE_TENANT_ID", "t", "AZURE_CLIENT_ID", "c", "AZURE_FEDERATED_TOKEN_FILE", token);

    assertThat(dir.loadFile(WORKLOAD, env).settings().azure().credential())
        .isEqualTo(new Credential.WorkloadIdentity(Optional.empty(), Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "subscription-id, 00000000-0000-0000-0000-000000000000",
    "subscription-id, YOUR-SUBSCRIPTION",
    "resource-group, your_group",
    "tenant-id, 11111111-1111-1111-1111-111111111111",
    "client-id, xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
    "client-id, <client id>",
    "vnet-id,"
        + " /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v"
  })
  void placeholder_whereATokenIsNeeded_isRefused(String key, String value) {
    String line = "poolkeeper.azure.%s = \"%s\"".formatted(key, value);

    assertThat(dir.problems(line))
        .singleElement()
        .asString()
        .startsWith("p.conf:3: poolkeeper.azure." + key + ": found ")
        .contains(value.substring(0, 5))
        .endsWith("; allowed: your own value instead of the example's");
  }

  @Test
  void placeholder_atASimulator_isAnId() {
    String zero = "00000000-0000-0000-0000-000000000000";

    var loaded =
        dir.load(
            "poolkeeper.azure { subscription-id = \"" + zero + "\", credential = none",
            "endpoint = \"http://127.0.0.1:1\" }");

    assertThat(loaded.settings().azure().subscriptionId()).isEqualTo(zero);
  }
}
