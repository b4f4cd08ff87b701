package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.Azure.Cloud;
import io.poolkeeper.arm.Azure.Credential;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AzureJsonTest {
  private static final String PRINCIPAL =
      """
      {"subscriptionId": "s", "resourceGroup": "r", "tenantId": "t",
       "aadClientId": "id", "aadClientSecret": "hush"%s}
      """;

  @TempDir private Path temp;
  private ConfigDir dir;

  @BeforeEach
  void setUp() {
    dir = new ConfigDir(temp);
  }

  private Credential credential(String more, Map<String, String> env) {
    var loaded = dir.loadAzureJson(PRINCIPAL.formatted(more), env);
    return loaded.settings().azure().credential();
  }

  @Test
  void file_ofACluster_givesEverythingItHolds() {
    var settings =
        dir.loadAzureJson(
                """
                \uFEFF{
                  "cloud": "AzureUSGovernmentCloud", "TENANTID": "t", "subscriptionId": "s",
                  "resourceGroup": "My-RG", "location": "x", "vnetName": "v",
                  "vnetResourceGroup": "Net", "loadBalancerResourceGroup": "lbs",
                  "loadBalancerSku": "Standard", "useManagedIdentityExtension": true,
                  "aadClientId": "msi", "aadClientSecret": "msi",
                  "userAssignedIdentityID": "assigned", "somethingNew": [1],
                  "resourceManagerEndpoint": "https://arm.example.net/",
                  "loadBalancerBackendPoolConfigurationType": "nodeIP",
                  "loadBalancerBackendPoolUpdateIntervalInSeconds": 45,
                  "multipleStandardLoadBalancerConfigurations": [
                    {"name": "kubernetes", "primaryVMSet": "a"}, {"name": "Lb-2"}]
                }
                """,
                Map.of())
            .settings();

    assertThat(settings.azure())
        .isEqualTo(
            new Azure(
                "s",
                "my-rg",
                "lbs",
                Optional.of(
                    "/subscriptions/s/resourceGroups/Net/providers/Microsoft.Network"
                        + "/virtualNetworks/v"),
                List.of("kubernetes", "Lb-2"),
                Cloud.US_GOVERNMENT,
                Optional.of(URI.create("https://arm.example.net")),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new Credential.ManagedIdentity(Optional.of("assigned"), Optional.empty()),
                "2025-05-01"));
    assertThat(settings.pools().interval()).isEqualTo(Duration.ofSeconds(45));
    assertThat(settings.pools().verifyAfter()).isEqualTo(Duration.ofSeconds(50));
  }

  @Test
  void networkSubscription_holdsTheLoadBalancersButNotTheVirtualNetwork() {
    var azure =
        dir.loadAzureJson(
                """
                {"subscriptionId": "s", "networkResourceSubscriptionID": "net",
                 "resourceGroup": "RG", "vnetName": "v"}
                """,
                Map.of())
            .settings()
            .azure();

    assertThat(azure.subscriptionId()).isEqualTo("net");
    assertThat(azure.vnetId())
        .contains(
            "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v");
  }

  @ParameterizedTest
  @CsvSource({"null,3", "0,0", "-1,0", "-9000000000,0", "1,1", "100,100"})
  @DisplayName("spec 1 updater test 22: an explicit 0 stays and disables retries")
  void maxRetries_anyForm_isNormalised(String json, int expected) {
    assertThat(maxRetries(",\"loadBalancerBackendPoolUpdateMaxRetries\": " + json))
        .isEqualTo(expected);
  }

  @Test
  void maxRetries_unset_isThree() {
    assertThat(maxRetries("")).isEqualTo(3);
  }

  private int maxRetries(String member) {
    return dir.loadAzureJson(
            "{\"subscriptionId\": \"s\", \"resourceGroup\": \"r\"" + member + "}", Map.of())
        .settings()
        .pools()
        .maxRetries();
  }

  @ParameterizedTest
  @CsvSource({"false,false", "true,true", "null,true"})
  void adminStateSwitch_isThatOfTheProvider(String json, boolean expected) {
    var loaded =
        dir.loadAzureJson(
            PRINCIPAL.formatted(", \"loadBalancerAdminStateEnabled\": " + json), Map.of());

    assertThat(loaded.settings().nodes().enabled()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"false,true", "true,false", "null,false"})
  void controlPlane_reported8_isExcludedInAnyCase_withAWarning(String json, boolean warns) {
    var loaded =
        dir.loadAzureJson(
            PRINCIPAL.formatted(", \"excludeMasterFromStandardLB\": " + json), Map.of());

    assertThat(
            loaded.warnings().stream()
                .anyMatch(
                    text ->
                        text.endsWith(
                            "azure.json: excludeMasterFromStandardLB is false, which concerns pools of"
                                + " network interfaces: nodes of the control plane get no entry in"
                                + " pools of IP addresses, as from cloud-provider-azure")))
        .isEqualTo(warns);
  }

  @Test
  void zeroNullAndEmpty_meanUnset() {
    var settings =
        dir.loadAzureJson(
                """
                {"subscriptionId": "s", "resourceGroup": "r", "cloud": null, "vnetName": "",
                 "loadBalancerSku": "", "resourceManagerEndpoint": "",
                 "loadBalancerBackendPoolUpdateIntervalInSeconds": 0}
                """,
                Map.of())
            .settings();

    assertThat(settings.pools().interval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.pools().verifyAfter()).isEqualTo(Duration.ofSeconds(35));
    assertThat(settings.azure().cloud()).isEqualTo(Cloud.PUBLIC);
    assertThat(settings.azure().vnetId()).isEmpty();
    assertThat(settings.azure().credential()).isEqualTo(new Credential.Default());
  }

  @Test
  void credential_principal_isAClientSecret() {
    assertThat(credential("", Map.of()))
        .isEqualTo(
            new Credential.ClientSecret(
                "t", "id", "hush", Optional.of(new AzureJson.Secret(temp.resolve("azure.json")))));
  }

  @Test
  void credential_principal_followsTheSecretOfTheFile() throws IOException {
    var read = (Credential.ClientSecret) credential("", Map.of());
    assertThat(read.current()).isEqualTo(read);

    dir.write("azure.json", "{\"AADClientSecret\": \"new\"}");
    assertThat(read.current().secret()).isEqualTo("new");

    for (var unusable : List.of("{", "[]", "{\"aadClientSecret\": 7}", "{}")) {
      dir.write("azure.json", unusable);
      assertThat(read.current()).as(unusable).isEqualTo(read);
    }
    Files.delete(temp.resolve("azure.json"));
    assertThat(read.current()).isEqualTo(read);
  }

  @Test
  void credential_managedIdentity_comesBeforeThePrincipal() {
    assertThat(credential(", \"useManagedIdentityExtension\": true", Map.of()))
        .isEqualTo(new Credential.ManagedIdentity(Optional.empty(), Optional.empty()));
  }

  @Test
  void credential_workloadIdentity_comesFirst() {
    var workload = new Credential.WorkloadIdentity(Optional.of("t"), Optional.of("id"));
    var pod = Map.of("AZURE_FEDERATED_TOKEN_FILE", dir.write("token", "t").toString());

    assertThat(
            credential(
                ", \"useManagedIdentityExtension\": true,"
                    + " \"useFederatedWorkloadIdentityExtension\": true",
                pod))
        .isEqualTo(workload);
    assertThat(credential("", pod)).isEqualTo(workload);
  }

  @Test
  void credential_environment_overridesAsForTheProvider() {
    var env =
        Map.of("AZURE_TENANT_ID", "t2", "AZURE_CLIENT_ID", "id2", "AZURE_CLIENT_SECRET", "hush2");

    assertThat(credential("", env))
        .isEqualTo(new Credential.ClientSecret("t2", "id2", "hush2", Optional.empty()));
  }

  @Test
  void credential_userSaysOtherwise_userWins() {
    var loaded =
        dir.loadAzureJson(
            PRINCIPAL.formatted(""), Map.of(), "poolkeeper.azure.credential = default");

    assertThat(loaded.settings().azure().credential()).isEqualTo(new Credential.Default());
    assertThat(loaded.toString()).doesNotContain("hush");
  }
}
