package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.bare;
import static io.poolkeeper.armsim.model.Calls.body;
import static io.poolkeeper.armsim.model.Calls.delete;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.patch;
import static io.poolkeeper.armsim.model.Calls.put;
import static io.poolkeeper.armsim.model.Calls.putIfMatch;
import static io.poolkeeper.armsim.model.Calls.refusal;
import static io.poolkeeper.armsim.model.Calls.text;
import static io.poolkeeper.armsim.model.Calls.written;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.protocol.ArmCall.Method;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The routes of a load balancer's parts, and their back references. */
class PartsTest {
  private static final String WHOLE =
      """
      {"location":"eastus","properties":{
        "frontendIPConfigurations":[{"name":"f"}],
        "backendAddressPools":[{"name":"p"}],
        "probes":[{"name":"h","properties":{"port":80}}],
        "loadBalancingRules":[{"name":"r","properties":{
          "frontendIPConfiguration":{"id":"LB/frontendIPConfigurations/f"},
          "backendAddressPool":{"id":"LB/backendAddressPools/p"},
          "probe":{"id":"LB/probes/h"}}}],
        "outboundRules":[{"name":"o","properties":{
          "frontendIPConfigurations":[{"id":"LB/frontendIPConfigurations/f"}],
          "backendAddressPool":{"id":"LB/backendAddressPools/p"}}}]}}
      """;
  private static final String NAT_RULE = LB + "/inboundNatRules/n";

  private final ArmModel model = new ArmModel(Calls.counting(), 100, 1);

  @BeforeEach
  void aLoadBalancer() {
    written(model, GROUP, "{\"location\":\"eastus\"}");
    written(model, LB, WHOLE.replace("LB/", LB + "/"));
  }

  private static String natRule(int port) {
    return """
        {"properties":{"frontendIPConfiguration":{"id":"%1$s/frontendIPConfigurations/f"},
          "backendAddressPool":{"id":"%1$s/backendAddressPools/p"},"frontendPort":%2$d,
          "backendIPConfiguration":{"id":"forged"},"provisioningState":"Failed"}}
        """
        .formatted(LB, port);
  }

  private static String users(String kind, String name) {
    return "\"%1$s\":[{\"id\":\"%2$s/%1$s/%3$s\"}]".formatted(kind, LB, name);
  }

  private String etag() {
    return body(model.handle(get(LB))).path("etag").asText();
  }

  @Test
  void get_part_showsItAsTheLoadBalancerDoesWithTheOneEtag() {
    Handled read = model.handle(get(LB + "/LOADBALANCINGRULES/R"));
    assertThat(read.answer().status()).isEqualTo(200);
    assertThat(read.answer().headers()).containsEntry("ETag", etag());
    assertThat(text(model.handle(get(LB)))).contains(text(read));
    assertThat(body(read).path("type").asText())
        .isEqualTo("Microsoft.Network/loadBalancers/loadBalancingRules");
    Handled missing = model.handle(get(LB + "/probes/none"));
    assertThat(text(missing))
        .isEqualTo(
            """
            {"error":{"code":"NotFound","message":"Resource %s/probes/none not found.","details":[]}}"""
                .formatted(LB));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"frontendIPConfigurations", "loadBalancingRules", "probes", "outboundRules"})
  void list_parts_showsAll(String kind) {
    Handled list = model.handle(get(LB + "/" + kind));
    assertThat(list.answer().status()).isEqualTo(200);
    assertThat(body(list).path("value")).hasSize(1);
    assertThat(body(list).at("/value/0/id").asText()).startsWith(LB + "/" + kind + "/");
    assertThat(model.handle(get(LB + "x/" + kind)).answer().code()).isEqualTo("ResourceNotFound");
  }

  @Test
  void parts_showWhoUsesThem() {
    assertThat(text(model.handle(get(LB + "/frontendIPConfigurations/f"))))
        .contains(users("loadBalancingRules", "r") + "," + users("outboundRules", "o"));
    assertThat(text(model.handle(get(LB + "/probes/h"))))
        .contains(users("loadBalancingRules", "r"));
    assertThat(text(model.handle(get(POOL))))
        .contains(
            users("loadBalancingRules", "r")
                + ","
                + users("outboundRules", "o")
                + ",\"outboundRule\":{\"id\":\"%s/outboundRules/o\"}".formatted(LB));
    written(model, NAT_RULE, natRule(22));
    assertThat(text(model.handle(get(POOL)))).contains(users("inboundNatRules", "n"));
    assertThat(text(model.handle(get(LB)))).contains(users("inboundNatRules", "n"));
  }

  @Test
  void put_whatWasReadWithForgedReadOnlyMembers_changesNothing() {
    String forged =
        text(model.handle(get(LB)))
            .replace("\"provisioningState\":\"Succeeded\"", "\"provisioningState\":\"Failed\"")
            .replace("W/", "X/")
            .replace("\"type\":\"Microsoft", "\"type\":\"Forged")
            .replace("/loadBalancingRules/r\"}]", "/loadBalancingRules/forged\"}]");
    String before = text(model.handle(get(LB)));
    assertThat(model.handle(put(LB, forged)).started()).isEmpty();
    assertThat(text(model.handle(get(LB)))).isEqualTo(before);
  }

  @Test
  void putAndDelete_natRule_areOperationsOnTheLoadBalancer() {
    String before = etag();
    Handled created = model.handle(put(NAT_RULE, natRule(22)));
    assertThat(created.answer().status()).isEqualTo(201);
    assertThat(created.answer().headers()).containsKeys("Azure-AsyncOperation", "Retry-After");
    assertThat(body(created).at("/properties/provisioningState").asText()).isEqualTo("Updating");
    assertThat(text(created)).doesNotContain("forged");
    assertThat(etag()).isNotEqualTo(before);
    model.complete(created.started().orElseThrow());
    assertThat(model.handle(put(NAT_RULE, natRule(22))).started()).isEmpty();
    assertThat(written(model, NAT_RULE, natRule(23)).answer().status()).isEqualTo(200);
    assertThat(body(model.handle(get(NAT_RULE))).at("/properties/frontendPort").asInt())
        .isEqualTo(23);
    assertThat(model.handle(putIfMatch(NAT_RULE, before, natRule(24))).answer().status())
        .isEqualTo(412);
    Handled deleted = model.handle(delete(NAT_RULE));
    assertThat(deleted.answer().status()).isEqualTo(202);
    model.complete(deleted.started().orElseThrow());
    assertThat(model.handle(delete(NAT_RULE)).answer().status()).isEqualTo(204);
    assertThat(text(model.handle(get(LB)))).doesNotContain(users("inboundNatRules", "n"));
  }

  @Test
  void put_natRuleToNowhere_isRefused() {
    assertThat(refusal(model.handle(put(NAT_RULE, natRule(22).replace("/f\"", "/x\"")))))
        .isEqualTo("400 InvalidResourceReference");
    assertThat(refusal(model.handle(put(NAT_RULE, "{\"properties\":{\"frontendPort\":\"x\"}}"))))
        .isEqualTo("400 InvalidRequestFormat/InvalidJson");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "frontendIPConfigurations/f",
        "loadBalancingRules/r",
        "probes/h",
        "outboundRules/o"
      })
  void writeOfAnyOtherPart_isNotAllowed(String part) {
    assertThat(model.handle(put(LB + "/" + part, "{}")).answer().status()).isEqualTo(405);
    assertThat(model.handle(delete(LB + "/" + part)).answer().status()).isEqualTo(405);
  }

  @Test
  void patch_replacesTheTagsAtOnceUnderANewEtag() {
    String before = etag();
    Handled patched = model.handle(patch(LB, "{\"tags\":{\"a\":\"1\"}}"));
    assertThat(patched.answer().status()).isEqualTo(200);
    assertThat(patched.started()).isEmpty();
    assertThat(patched.changed()).isTrue();
    assertThat(patched.answer().headers()).doesNotContainKey("Azure-AsyncOperation");
    assertThat(body(patched).at("/properties/provisioningState").asText()).isEqualTo("Succeeded");
    assertThat(etag()).isNotEqualTo(before);
    model.handle(patch(LB, "{\"tags\":{\"b\":\"2\"}}"));
    assertThat(text(model.handle(get(LB)))).contains("\"tags\":{\"b\":\"2\"}", "\"name\":\"r\"");
    String last = etag();
    model.handle(patch(LB, "{}"));
    assertThat(refusal(model.handle(patch(LB, "{\"tags\":7}"))))
        .isEqualTo("400 InvalidRequestFormat/InvalidJson");
    assertThat(etag()).isEqualTo(last);
    assertThat(model.handle(patch(LB + "x", "{}")).answer().status()).isEqualTo(404);
  }

  @Test
  void list_ofASubscription_showsTheLoadBalancersOfAllItsGroups() {
    String list = "/subscriptions/S/providers/Microsoft.Network/loadBalancers";
    ArmModel paging = new ArmModel(Calls.counting(), 1, 1);
    for (String group : new String[] {GROUP, GROUP + "2", GROUP.replace("/s/", "/other/")}) {
      written(paging, group, "{\"location\":\"eastus\"}");
      written(paging, LB.replace(GROUP, group), "{\"location\":\"eastus\"}");
    }
    Handled first = paging.handle(get(list));
    assertThat(body(first).path("value").findValuesAsText("id")).containsExactly(LB);
    String next = body(first).path("nextLink").asText().substring(Calls.ORIGIN.length());
    Handled second =
        paging.handle(
            get(java.net.URLDecoder.decode(next, java.nio.charset.StandardCharsets.UTF_8)));
    assertThat(body(second).path("value").findValuesAsText("id"))
        .containsExactly(LB.replace(GROUP, GROUP + "2"));
    assertThat(body(second).has("nextLink")).isFalse();
  }

  @Test
  void whatAzureCanDoAndTheSimulatorCannot_isSaid() {
    for (String action :
        new String[] {
          LB + "/migrateToIpBased",
          LB + "/loadBalancingRules/r/health",
          POOL + "/queryInboundNatRulePortMapping"
        }) {
      assertThat(refusal(model.handle(bare(Method.POST, action)))).isEqualTo("501 NotImplemented");
      assertThat(model.handle(get(action)).answer().status()).isEqualTo(405);
    }
  }

  @Test
  void get_unknownType_isAnsweredAsUsersReport() {
    Handled unknown = model.handle(get(LB + "/wheels/w"));
    assertThat(unknown.answer().status()).isEqualTo(404);
    assertThat(text(unknown))
        .isEqualTo(
            """
            {"error":{"code":"InvalidResourceType","message":"The resource type could not be found \
            in the namespace 'Microsoft.Network' for api version '2025-05-01'."}}""");
  }
}
