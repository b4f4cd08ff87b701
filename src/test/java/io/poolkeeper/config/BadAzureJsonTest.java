package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input in the cloud provider's file: each case with the whole message. */
class BadAzureJsonTest {
  @TempDir private Path temp;
  private ConfigDir dir;

  @BeforeEach
  void setUp() {
    dir = new ConfigDir(temp);
  }

  @Test
  void file_missing() {
    assertThat(dir.problems("poolkeeper.azure.config-file = no.json"))
        .containsExactly("no.json: found no such file; allowed: an azure.json of at most 1 MiB");
  }

  @Test
  void file_malformed_namesLineAndColumn() {
    assertThat(dir.azureJsonProblems("{\n  \"cloud\": nope\n}"))
        .singleElement()
        .asString()
        .startsWith("azure.json:2:12: found text that is not JSON: Unrecognized token 'nope'")
        .endsWith("; allowed: a JSON object");
  }

  @Test
  void file_malformedBesideASecret_doesNotQuote() {
    assertThat(dir.azureJsonProblems("{\"aadClientSecret\": hush}"))
        .containsExactly("azure.json:1:21: found text that is not JSON; allowed: a JSON object");
  }

  @Test
  void file_emptyOrNoObjectOrTrailingText() {
    assertThat(dir.azureJsonProblems(""))
        .containsExactly("azure.json: found an empty file; allowed: a JSON object");
    assertThat(dir.azureJsonProblems("[1]"))
        .containsExactly("azure.json: found a JSON array; allowed: a JSON object");
    assertThat(dir.azureJsonProblems("{} {}"))
        .singleElement()
        .asString()
        .startsWith("azure.json:1:4: found text that is not JSON: Trailing token");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"subscriptionId\": 5 | subscriptionId | a JSON number (5) | a text",
        "\"resourceGroup\": [\"a\"] | resourceGroup | a JSON array | a text",
        "\"aadClientSecret\": 12345 | aadClientSecret | a JSON number | a text",
        "\"useManagedIdentityExtension\": \"yes\" | useManagedIdentityExtension"
            + " | a JSON string (\"yes\") | true or false",
        "\"loadBalancerBackendPoolUpdateIntervalInSeconds\": \"30\""
            + " | loadBalancerBackendPoolUpdateIntervalInSeconds"
            + " | a JSON string (\"30\") | a whole number",
        "\"loadBalancerBackendPoolUpdateIntervalInSeconds\": 1.5"
            + " | loadBalancerBackendPoolUpdateIntervalInSeconds"
            + " | a JSON number (1.5) | a whole number",
        "\"loadBalancerAdminStateEnabled\": \"on\" | loadBalancerAdminStateEnabled"
            + " | a JSON string (\"on\") | true or false",
        "\"excludeMasterFromStandardLB\": 0 | excludeMasterFromStandardLB"
            + " | a JSON number (0) | true or false",
        "\"loadBalancerSku\": \"basic\" | loadBalancerSku | basic | standard",
        "\"loadBalancerBackendPoolConfigurationType\": \"nic\""
            + " | loadBalancerBackendPoolConfigurationType | nic"
            + " | nodeIP, podIP or nodeIPConfiguration",
        "\"multipleStandardLoadBalancerConfigurations\": {}"
            + " | multipleStandardLoadBalancerConfigurations | a JSON object | a list of objects",
        "\"multipleStandardLoadBalancerConfigurations\": [\"lb\"]"
            + " | multipleStandardLoadBalancerConfigurations[0]"
            + " | a JSON string (\"lb\") | an object",
        "\"multipleStandardLoadBalancerConfigurations\": [{\"name\": \"lb\"}, {}]"
            + " | multipleStandardLoadBalancerConfigurations[1].name | nothing"
            + " | the load balancer's name",
      })
  void member_notAllowed(String member, String path, String found, String allowed) {
    // No key is reported as missing while the file cannot be read.
    assertThat(dir.azureJsonProblems("{" + member + "}"))
        .containsExactly("azure.json: %s: found %s; allowed: %s".formatted(path, found, allowed));
  }

  @Test
  void poolsOfNetworkInterfaces_withSeveralLoadBalancers() {
    assertThat(
            dir.azureJsonProblems(
                """
                {"subscriptionId": "s", "resourceGroup": "r",
                 "loadBalancerBackendPoolConfigurationType": "nodeIPConfiguration",
                 "multipleStandardLoadBalancerConfigurations": [{"name": "lb"}]}
                """))
        .containsExactly(
            "azure.json: loadBalancerBackendPoolConfigurationType: found nodeIPConfiguration;"
                + " allowed: nodeIP, as multipleStandardLoadBalancerConfigurations is given");
  }

  @Test
  void value_notAllowedForUs_namesBothKeys() {
    assertThat(
            dir.azureJsonProblems(
                """
                {"subscriptionId": "s", "resourceGroup": "r", "cloud": "AZURESTACKCLOUD",
                 "loadBalancerBackendPoolUpdateIntervalInSeconds": 7200,
                 "multipleStandardLoadBalancerConfigurations": [{"name": "a"}, {"name": "A"}]}
                """))
        .containsExactly(
            "azure.json: multipleStandardLoadBalancerConfigurations:"
                + " poolkeeper.azure.load-balancers: found \"A\" twice; allowed: names that differ"
                + " in more than upper and lower case",
            "azure.json: cloud: poolkeeper.azure.cloud: found AZURESTACKCLOUD; allowed: one of"
                + " AzurePublicCloud, AzureCloud, AzureChinaCloud, AzureUSGovernment,"
                + " AzureUSGovernmentCloud",
            "azure.json: loadBalancerBackendPoolUpdateIntervalInSeconds:"
                + " poolkeeper.updater.interval: found \"7200s\"; allowed: a duration with a unit,"
                + " 100ms to 1h");
  }
}
