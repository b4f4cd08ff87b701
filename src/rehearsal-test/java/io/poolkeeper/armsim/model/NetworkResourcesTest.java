package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.body;
import static io.poolkeeper.armsim.model.Calls.delete;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.put;
import static io.poolkeeper.armsim.model.Calls.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmCall;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Public addresses, networks, interfaces and what belongs to them. */
class NetworkResourcesTest {
  private static final String NETWORK = GROUP + "/providers/Microsoft.Network";
  private static final String ADDRESS = NETWORK + "/publicIPAddresses/ip";
  private static final String VNET = NETWORK + "/virtualNetworks/v";
  private static final String SUBNET = VNET + "/subnets/s";
  private static final String NIC = NETWORK + "/networkInterfaces/nic";
  private static final String STATIC =
      "{\"location\":\"eastus\",\"properties\":{\"publicIPAllocationMethod\":\"Static\"}}";
  private static final String TWO_SUBNETS =
      """
      {"location":"eastus","properties":{"addressSpace":{"addressPrefixes":["10.0.0.0/8"]},
       "subnets":[{"name":"s","properties":{"addressPrefix":"10.1.0.0/29"}},
                  {"name":"t","properties":{"addressPrefix":"10.2.0.0/16"}}]}}
      """;

  private final ArmModel model = new ArmModel(Calls.counting(), 2, 1);

  @BeforeEach
  void aGroup() {
    model.handle(put(GROUP, "{\"location\":\"eastus\"}"));
  }

  private Handled settled(ArmCall call) {
    Handled handled = model.handle(call);
    handled.started().ifPresent(model::complete);
    return handled;
  }

  private JsonNode read(String path) {
    Handled handled = model.handle(get(path));
    assertThat(handled.answer().status()).as(text(handled)).isEqualTo(200);
    return body(handled);
  }

  private String code(ArmCall call, int status) {
    Handled handled = model.handle(call);
    assertThat(handled.answer().status()).as(text(handled)).isEqualTo(status);
    return handled.answer().code();
  }

  private static String nic(String subnet, String pools) {
    return """
        {"location":"eastus","properties":{"ipConfigurations":[{"name":"c","properties":{
         "subnet":{"id":"%s"},"loadBalancerBackendAddressPools":[%s]}}]}}
        """
        .formatted(subnet, pools);
  }

  @Test
  void put_staticAddresses_areGivenOnceEachAtTheEnd() {
    String six = STATIC.replace("{\"publicIPA", "{\"publicIPAddressVersion\":\"IPv6\",\"publicIPA");
    Handled accepted = model.handle(put(ADDRESS, STATIC));
    assertThat(body(accepted).at("/properties/ipAddress").isMissingNode()).isTrue();
    assertThat(body(accepted).at("/properties/provisioningState").asText()).isEqualTo("Updating");
    // When
    model.complete(accepted.started().orElseThrow());
    settled(put(ADDRESS + "2", STATIC));
    settled(put(ADDRESS + "6", six));
    // Then
    String first = read(ADDRESS).at("/properties/ipAddress").asText();
    assertThat(first).startsWith("20.");
    assertThat(read(ADDRESS + "2").at("/properties/ipAddress").asText())
        .startsWith("20.")
        .isNotEqualTo(first);
    assertThat(read(ADDRESS + "6").at("/properties/ipAddress").asText()).startsWith("2603:1000:");
  }

  @Test
  void put_addressAgain_isANoOpOrKeepsTheAddress() {
    settled(put(ADDRESS, STATIC));
    JsonNode before = read(ADDRESS);
    Handled same = model.handle(put(ADDRESS, before.toString()));
    assertThat(same.started()).isEmpty();
    assertThat(body(same)).isEqualTo(before);
    assertThat(same.answer().headers()).containsKey("Azure-AsyncOperation");
    // When
    Handled other = settled(put(ADDRESS, before.toString().replace(":4,\"ipTags", ":9,\"ipTags")));
    // Then
    assertThat(other.answer().status()).isEqualTo(200);
    JsonNode after = read(ADDRESS);
    assertThat(after.at("/properties/idleTimeoutInMinutes").asInt()).isEqualTo(9);
    assertThat(after.at("/properties/ipAddress")).isEqualTo(before.at("/properties/ipAddress"));
    assertThat(after.at("/properties/resourceGuid"))
        .isEqualTo(before.at("/properties/resourceGuid"));
    assertThat(after.path("etag")).isNotEqualTo(before.path("etag"));
  }

  @Test
  void delete_addressOfAFrontend_isRefusedUntilTheLoadBalancerIsGone() {
    settled(put(ADDRESS, STATIC));
    settled(
        put(
            LB,
            """
            {"location":"eastus","properties":{"frontendIPConfigurations":[
             {"name":"f","properties":{"publicIPAddress":{"id":"%s"}}}]}}
            """
                .formatted(ADDRESS)));
    String frontend = LB + "/frontendIPConfigurations/f";
    assertThat(read(ADDRESS).at("/properties/ipConfiguration/id").asText()).isEqualTo(frontend);
    assertThat(code(delete(ADDRESS), 400)).isEqualTo("PublicIPAddressCannotBeDeleted");
    settled(delete(LB));
    assertThat(model.handle(delete(ADDRESS)).answer().status()).isEqualTo(202);
    assertThat(model.handle(delete(ADDRESS)).answer().status()).isEqualTo(204);
  }

  @Test
  void subnets_writtenInTheNetworkOrAlone_areTheSame() {
    settled(put(VNET, TWO_SUBNETS));
    assertThat(read(SUBNET).path("etag")).isEqualTo(read(VNET).path("etag"));
    // When
    Handled added =
        settled(put(VNET + "/subnets/u", "{\"properties\":{\"addressPrefix\":\"10.3.0.0/16\"}}"));
    // Then
    assertThat(added.answer().status()).isEqualTo(201);
    assertThat(body(added).path("type").asText())
        .isEqualTo("Microsoft.Network/virtualNetworks/subnets");
    assertThat(read(VNET).at("/properties/subnets").findValuesAsText("name"))
        .containsExactly("s", "t", "u");
    assertThat(read(VNET + "/SUBNETS").path("value").findValuesAsText("name"))
        .containsExactly("s", "t");
    settled(put(VNET, "{\"location\":\"eastus\"}"));
    assertThat(read(VNET).at("/properties/subnets")).hasSize(3);
    settled(delete(VNET + "/subnets/T"));
    assertThat(read(VNET).at("/properties/subnets").findValuesAsText("name"))
        .containsExactly("s", "u");
    assertThat(code(get(VNET + "/subnets/t"), 404)).isEqualTo("NotFound");
    assertThat(code(put(VNET + "x/subnets/t", "{}"), 404)).isEqualTo("ParentResourceNotFound");
  }

  @Test
  void securityRules_haveIdsAndUnwrittenDefaults() {
    String group = NETWORK + "/networkSecurityGroups/g";
    settled(put(group, "{\"location\":\"eastus\"}"));
    settled(put(group + "/securityRules/r", "{\"properties\":{\"priority\":100}}"));
    JsonNode read = read(group);
    assertThat(read.at("/properties/securityRules/0/id").asText())
        .isEqualTo(group + "/securityRules/r");
    assertThat(read.at("/properties/defaultSecurityRules")).hasSize(6);
    String byDefault = group + "/defaultSecurityRules/DenyAllInBound";
    assertThat(read(byDefault).at("/properties/access").asText()).isEqualTo("Deny");
    assertThat(code(put(byDefault, "{}"), 405)).isEqualTo("HttpMethodNotAllowed");
  }

  @Test
  void interfaces_getAddressesOfTheirSubnetAndKeepThem() {
    settled(put(VNET, TWO_SUBNETS));
    settled(put(NIC, nic(SUBNET, "")));
    settled(put(NIC + "2", nic(SUBNET, "")));
    JsonNode configuration = read(NIC).at("/properties/ipConfigurations/0");
    assertThat(configuration.at("/properties/privateIPAddress").asText()).isEqualTo("10.1.0.4");
    assertThat(configuration.path("id").asText()).isEqualTo(NIC + "/ipConfigurations/c");
    assertThat(
            read(NIC + "2")
                .at("/properties/ipConfigurations/0/properties/privateIPAddress")
                .asText())
        .isEqualTo("10.1.0.5");
    assertThat(model.handle(put(NIC, nic(SUBNET, ""))).started()).isEmpty();
    settled(put(NIC + "3", nic(SUBNET, "")));
    assertThat(code(put(NIC + "4", nic(SUBNET, "")), 400)).isEqualTo("SubnetIsFull");
    assertThat(read(SUBNET).at("/properties/ipConfigurations")).hasSize(3);
    assertThat(code(delete(SUBNET), 400)).isEqualTo("InUseSubnetCannotBeDeleted");
    settled(delete(NIC));
    settled(put(NIC + "4", nic(SUBNET, "")));
    assertThat(read(NIC + "4/ipConfigurations/c").at("/properties/privateIPAddress").asText())
        .isEqualTo("10.1.0.4");
  }

  @Test
  void put_referencesThatLeadNowhere_areRefused() {
    settled(put(VNET, TWO_SUBNETS));
    assertThat(code(put(NIC, nic(VNET + "/subnets/x", "")), 400))
        .isEqualTo("InvalidResourceReference");
    assertThat(code(put(NIC, nic(SUBNET.replace("/s/", "/other/"), "")), 400))
        .isEqualTo("InvalidResourceReference");
    String noPool = "{\"id\":\"" + Calls.POOL + "\"}";
    assertThat(code(put(NIC, nic(SUBNET, noPool)), 400)).isEqualTo("InvalidResourceReference");
    assertThat(code(put(NIC, nic("subnet", "")), 400)).isEqualTo("LinkedInvalidPropertyId");
    assertThat(code(put(NIC, "{\"location\":\"eastus\"}"), 400)).isEqualTo("InvalidRequestFormat");
    assertThat(code(get(NIC), 404)).isEqualTo("ResourceNotFound");
  }
}
