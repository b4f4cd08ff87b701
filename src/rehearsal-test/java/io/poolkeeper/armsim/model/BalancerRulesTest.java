package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.delete;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.pool;
import static io.poolkeeper.armsim.model.Calls.put;
import static io.poolkeeper.armsim.model.Calls.refusal;
import static io.poolkeeper.armsim.model.Calls.text;
import static io.poolkeeper.armsim.model.Calls.written;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.model.Terms.Contention;
import io.poolkeeper.armsim.model.Terms.Fate;
import io.poolkeeper.armsim.model.Terms.ParentAddresses;
import io.poolkeeper.armsim.model.Terms.UpdatingShown;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The constraints between the parts of a load balancer. */
class BalancerRulesTest {
  private static final String WHOLE =
      """
      {"location":"eastus","properties":{
        "frontendIPConfigurations":[{"name":"f"}],
        "backendAddressPools":[{"name":"p"},{"name":"q"}],
        "probes":[{"name":"h","properties":{"port":80}}],
        "loadBalancingRules":[{"name":"r","properties":{
          "frontendIPConfiguration":{"id":"LB/frontendIPConfigurations/F"},
          "backendAddressPool":{"id":"LB/backendAddressPools/p"},
          "probe":{"id":"LB/probes/h"}}}],
        "outboundRules":[{"name":"o","properties":{
          "frontendIPConfigurations":[{"id":"LB/frontendIPConfigurations/f"}],
          "backendAddressPool":{"id":"LB/backendAddressPools/q"}}}]}}
      """;

  private final ArmModel model = new ArmModel(Calls.counting(), 100, 1);

  @BeforeEach
  void aLoadBalancer() {
    written(model, GROUP, "{\"location\":\"eastus\"}");
    written(model, LB, whole());
  }

  private static String whole() {
    return WHOLE.replace("LB/", LB + "/");
  }

  private String refused(String body) {
    String before = text(model.handle(get(LB)));
    String refusal = refusal(model.handle(put(LB, body)));
    assertThat(text(model.handle(get(LB)))).isEqualTo(before);
    return refusal;
  }

  @ParameterizedTest
  @ValueSource(strings = {"frontendIPConfigurations/F", "probes/h", "backendAddressPools/q"})
  void put_pointerToAPartThatIsNotThere_isRefused(String part) {
    String there = "\"" + LB + "/" + part + "\"";
    String missing = "\"" + LB + "/" + part + "x\"";
    assertThat(refused(whole().replace(there, missing))).isEqualTo("400 InvalidResourceReference");
    String foreign = "\"" + LB + "2/" + part + "\"";
    assertThat(refused(whole().replace(there, foreign))).isEqualTo("400 InvalidResourceReference");
  }

  @Test
  void put_pointerThatIsNone_saysWhatIsMissing() {
    String wrong = whole().replace(LB + "/probes/h", LB + "/probes/none");
    assertThat(text(model.handle(put(LB, wrong))))
        .isEqualTo(
            """
            {"error":{"code":"InvalidResourceReference","message":"Resource %1$s/probes/none \
            referenced by resource %1$s/loadBalancingRules/r was not found. Please make sure that \
            the referenced resource exists, and that both resources are in the same region.",\
            "details":[]}}"""
                .formatted(LB));
    assertThat(refused(whole().replace(LB + "/probes/h", "h")))
        .isEqualTo("400 LinkedInvalidPropertyId");
  }

  @Test
  void put_rulesWithoutAnyFrontend_isRefusedAsUsersReport() {
    String without = whole().replace("\"frontendIPConfigurations\":[{\"name\":\"f\"}]", "\"x\":[]");
    assertThat(text(model.handle(put(LB, without))))
        .isEqualTo(
            """
            {"error":{"code":"LoadBalancerWithoutFrontendIPCantHaveChildResources","message":\
            "Load Balancer %s does not have Frontend IP Configuration, but it has other child \
            resources. This setup is not supported.","details":[]}}"""
                .formatted(LB));
  }

  @Test
  void put_ruleWithTwoMindsAboutItsPool_isRefused() {
    String both = "\"backendAddressPools\":[{\"id\":\"%s/backendAddressPools/%s\"}],\"probe\"";
    assertThat(refused(whole().replace("\"probe\"", both.formatted(LB, "q"))))
        .isEqualTo(
            "400 LoadBalancingRuleBackendAdressPoolAndBackendAddressPoolsCannotBeSetAtTheSameTimeWithDifferentValue");
    String agreeing = whole().replace("\"probe\"", both.formatted(LB, "P"));
    assertThat(model.handle(put(LB, agreeing)).answer().status()).isEqualTo(200);
  }

  @Test
  void put_moreThanDocumented_isRefused() {
    assertThat(refused(many("frontendIPConfigurations", 601)))
        .isEqualTo("400 FrontendIPConfigurationCountLimitReached");
    assertThat(refused(many("outboundRules", 601))).isEqualTo("400 OutboundRuleCountLimitReached");
    String rules = names(1_000);
    String both =
        "{\"location\":\"eastus\",\"properties\":{\"loadBalancingRules\":%s,\"inboundNatRules\":%s}}"
            .formatted(rules, rules);
    assertThat(refused(both)).isEqualTo("400 LoadBalancerRuleCountLimitReached");
  }

  private static String many(String member, int count) {
    return "{\"location\":\"eastus\",\"properties\":{\"%s\":%s}}".formatted(member, names(count));
  }

  private static String names(int count) {
    return IntStream.range(0, count)
        .mapToObj("{\"name\":\"n%d\"}"::formatted)
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void put_anotherSku_isRefusedAndNoneKeepsIt() {
    String with =
        whole().replace("\"properties\":{\n", "\"sku\":{\"name\":\"SKU\"},\"properties\":{\n");
    Handled changed = model.handle(put(LB, with.replace("SKU", "Basic")));
    assertThat(changed.answer().status()).isEqualTo(400);
    assertThat(text(changed))
        .contains(
            "Sku property is set at creation time and cannot be changed from Standard to Basic on"
                + " resource update for resource "
                + LB);
    assertThat(model.handle(put(LB, with.replace("SKU", "standard"))).answer().status())
        .isEqualTo(200);
    assertThat(refused(with.replace("SKU", "Golden")))
        .isEqualTo("400 InvalidRequestFormat/InvalidJson");
    String gateway = "{\"location\":\"eastus\",\"sku\":{\"name\":\"Gateway\"}}";
    written(model, LB + "2", gateway);
    written(model, LB + "2", "{\"location\":\"eastus\",\"tags\":{\"a\":\"b\"}}");
    assertThat(text(model.handle(get(LB + "2")))).contains("\"sku\":{\"name\":\"Gateway\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"location\":7}",
        "{\"location\":\"eastus\",\"tags\":[]}",
        "{\"location\":\"eastus\",\"tags\":{\"a\":1}}",
        "{\"location\":\"eastus\",\"sku\":\"Standard\"}",
        "{\"location\":\"eastus\",\"sku\":{\"name\":1}}",
        "{\"location\":\"eastus\",\"properties\":\"x\"}",
        "{\"location\":\"eastus\",\"properties\":{\"probes\":{}}}",
        "{\"location\":\"eastus\",\"properties\":{\"probes\":[7]}}",
        "{\"location\":\"eastus\",\"properties\":{\"probes\":[{\"name\":\"h\",\"properties\":{\"port\":\"80\"}}]}}",
        "{\"location\":\"eastus\",\"properties\":{\"backendAddressPools\":7}}",
        "{\"location\":\"eastus\",\"properties\":{\"loadBalancingRules\":[{\"name\":\"r\","
            + "\"properties\":{\"enableTcpReset\":\"yes\"}}]}}",
        "{\"location\":\"eastus\",\"properties\":{\"loadBalancingRules\":[{\"name\":\"r\","
            + "\"properties\":{\"backendAddressPools\":[{}]}}]}}"
      })
  void put_wrongJsonTypes_areRefused(String body) {
    assertThat(refused(body)).isEqualTo("400 InvalidRequestFormat/InvalidJson");
  }

  @Test
  void delete_poolThatARuleUses_isRefusedAndAnUnusedOneIsNot() {
    assertThat(refusal(model.handle(delete(POOL))))
        .isEqualTo("400 InUseBackendAddressPoolCannotBeDeleted");
    assertThat(refusal(model.handle(delete(LB + "/backendAddressPools/Q"))))
        .isEqualTo("400 InUseBackendAddressPoolCannotBeDeleted");
    written(model, LB + "/backendAddressPools/free", pool());
    assertThat(model.handle(delete(LB + "/backendAddressPools/free")).answer().status())
        .isEqualTo(202);
  }

  /** A load balancer with the pools p and new, each with the address 10.0.0.2. */
  private static String withAddresses() {
    String listed = pool("b=10.0.0.2").substring(1);
    return """
    {"location":"eastus","properties":{"backendAddressPools":[{"name":"P",%s,{"name":"new",%s]}}
    """
        .formatted(listed, listed);
  }

  @Test
  void put_wholeLoadBalancer_changesPoolsAndNoAddress() {
    written(model, POOL, pool("a=10.0.0.1"));
    assertThat(written(model, LB, withAddresses()).answer().status()).isEqualTo(200);
    assertThat(text(model.handle(get(POOL)))).contains("10.0.0.1").doesNotContain("10.0.0.2");
    assertThat(text(model.handle(get(LB + "/backendAddressPools/new"))))
        .contains("\"loadBalancerBackendAddresses\":[]");
    assertThat(model.handle(get(LB + "/backendAddressPools/q")).answer().status()).isEqualTo(404);
  }

  @Test
  void put_wholeLoadBalancerThatDiffersInAddressesOnly_changesNothing() {
    written(model, POOL, pool("a=10.0.0.1"));
    written(model, LB, withAddresses());
    Handled again = model.handle(put(LB, withAddresses()));
    assertThat(again.answer().status()).isEqualTo(200);
    assertThat(again.started()).isEmpty();
  }

  @Test
  void put_newLoadBalancer_hasEmptyPools() {
    String other = LB + "-2";
    assertThat(written(model, other, withAddresses()).answer().status()).isEqualTo(201);
    assertThat(text(model.handle(get(other)))).contains("\"P\"").doesNotContain("10.0.0.2");
  }

  @Test
  void put_wholeLoadBalancerWithAddressesReplaced_replacesThem() {
    written(model, POOL, pool("a=10.0.0.1"));
    Terms terms =
        new Terms(
            Contention.SUPERSEDE,
            0,
            ParentAddresses.REPLACED,
            UpdatingShown.SIBLINGS,
            Set.of(),
            Fate.APPLIED);
    model.handle(put(LB, withAddresses()), terms);
    assertThat(text(model.handle(get(POOL)))).contains("10.0.0.2").doesNotContain("10.0.0.1");
    assertThat(text(model.handle(get(LB + "/backendAddressPools/new")))).contains("10.0.0.2");
  }
}
