package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.pool;
import static io.poolkeeper.armsim.model.Calls.refusal;
import static io.poolkeeper.armsim.model.Calls.text;
import static io.poolkeeper.armsim.model.Calls.written;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a write of a pool must not contain. */
class EntryValidationTest {
  private static final String VNETS = GROUP + "/providers/Microsoft.Network/virtualNetworks/";

  private final ArmModel model = new ArmModel(Calls.counting(), 100, 1);

  @BeforeEach
  void aLoadBalancer() {
    written(model, GROUP, "{\"location\":\"eastus\"}");
    written(model, LB, "{\"location\":\"eastus\"}");
    written(
        model,
        VNETS + "known",
        """
        {"location":"eastus","properties":{"addressSpace":{"addressPrefixes":["10.0.0.0/8"]},
         "subnets":[{"name":"x","properties":{"addressPrefix":"10.1.0.0/16"}}]}}""");
  }

  @Test
  void put_networkInAGroupWithoutAnyNetwork_isTaken() {
    String other = GROUP.replace("/rg", "/bare");
    written(model, other, "{\"location\":\"eastus\"}");
    String network = VNETS.replace("/rg/", "/bare/") + "none";

    assertThat(put(placed("virtualNetwork", network)).answer().status()).isEqualTo(201);
  }

  private Handled put(String body) {
    return model.handle(Calls.put(POOL, body));
  }

  /** A pool with one address and a network. */
  private static String placed(String member, String id) {
    return pool("a=10.0.0.1")
        .replace("\"ipAddress\"", "\"%s\":{\"id\":\"%s\"},\"ipAddress\"".formatted(member, id));
  }

  @Test
  void put_twiceTheSameAddress_isRefusedInAnySpelling() {
    Handled refused = put(pool("a=fd00::1", "b=10.0.0.1", "c=fd00:0::1"));
    assertThat(text(refused))
        .isEqualTo(
            """
            {"error":{"code":"InvalidRequestFormat","message":"Cannot parse the request.",\
            "details":[{"code":"DuplicateIpConfigurationReferenceOnBackendAddressPool","message":\
            "Found duplicate ipConfiguration reference fd00:0::1 on backend pool addresses \
            %1$s/loadBalancerBackendAddresses/a and %1$s/loadBalancerBackendAddresses/c."}]}}"""
                .formatted(POOL));
    assertThat(model.handle(get(POOL)).answer().status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.0.0", "10.0.0.256", "example.com", "fd00::g", "10.0.0.1/32"})
  void put_noAddress_isRefused(String address) {
    assertThat(refusal(put(pool("a=" + address))))
        .isEqualTo("400 InvalidRequestFormat/InvalidIPAddressFormat");
  }

  @Test
  void put_asManyEntriesAsDocumented_isTakenAndOneMoreIsNot() {
    String[] most =
        IntStream.range(0, 5_000)
            .mapToObj(i -> "n%d=10.1.%d.%d".formatted(i, i / 250, i % 250))
            .toArray(String[]::new);
    assertThat(put(pool(most)).answer().status()).isEqualTo(201);
    String[] more = java.util.Arrays.copyOf(most, 5_001);
    more[5_000] = "last=10.2.0.0";
    assertThat(refusal(put(pool(more))))
        .isEqualTo("400 LoadBalancerBackendAddressPoolSizeLimitReached");
  }

  @Test
  void put_addressWithoutANetwork_isTakenUnlessSynchronisedAutomatically() {
    assertThat(put(pool("a=10.0.0.1")).answer().status()).isEqualTo(201);
    String manual = pool("a=10.0.0.1").replace("]}}", "],\"syncMode\":\"Manual\"}}");
    assertThat(put(manual).answer().status()).isEqualTo(200);
    String automatic = manual.replace("Manual", "Automatic");
    Handled refused = put(automatic);
    assertThat(refused.answer().status()).isEqualTo(400);
    assertThat(text(refused)).contains("should be specified when sync mode is not Manual");
    String onPool =
        automatic.replace(
            "\"syncMode\"",
            "\"virtualNetwork\":{\"id\":\"%sknown\"},\"syncMode\"".formatted(VNETS));
    assertThat(put(onPool).answer().status()).isEqualTo(200);
    assertThat(refusal(put(manual.replace("Manual", "Sometimes"))))
        .isEqualTo("400 InvalidRequestFormat/InvalidJson");
  }

  @Test
  void put_idThatIsNone_isRefused() {
    assertThat(refusal(put(placed("virtualNetwork", "vnet"))))
        .isEqualTo("400 LinkedInvalidPropertyId");
    String format = "400 InvalidRequestFormat/InvalidJsonReferenceFormat";
    assertThat(refusal(put(placed("virtualNetwork", "/subscriptions/s")))).isEqualTo(format);
    assertThat(refusal(put(placed("virtualNetwork", VNETS + "known/subnets/x")))).isEqualTo(format);
    assertThat(refusal(put(placed("subnet", VNETS + "known")))).isEqualTo(format);
  }

  @Test
  void put_idInAnotherSubscription_isRefused() {
    String foreign = VNETS.replace("/s/", "/other/") + "known";
    assertThat(text(put(placed("virtualNetwork", foreign))))
        .isEqualTo(
            """
            {"error":{"code":"InvalidResourceReference","message":"Resource %s referenced by \
            resource %s/loadBalancerBackendAddresses/a was not found. Please make sure that the \
            referenced resource exists, and that both resources are in the same region.",\
            "details":[]}}"""
                .formatted(foreign, POOL));
    String shouted = VNETS.replace("/s/", "/S/") + "known";
    assertThat(put(placed("virtualNetwork", shouted)).answer().status()).isEqualTo(201);
  }

  @Test
  void put_networkThatIsNotThere_isRefusedIfItsGroupIsKnown() {
    assertThat(refusal(put(placed("virtualNetwork", VNETS + "none"))))
        .isEqualTo("400 InvalidResourceReference");
    assertThat(refusal(put(placed("subnet", VNETS + "none/subnets/x"))))
        .isEqualTo("400 InvalidResourceReference");
    assertThat(put(placed("subnet", VNETS + "known/subnets/x")).answer().status()).isEqualTo(201);
    String elsewhere = VNETS.replace("/rg/", "/elsewhere/") + "none";
    assertThat(put(placed("virtualNetwork", elsewhere)).answer().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"properties\":[]}",
        "{\"properties\":{\"virtualNetwork\":\"x\"}}",
        "{\"properties\":{\"virtualNetwork\":{}}}",
        "{\"properties\":{\"drainPeriodInSeconds\":\"7\"}}",
        "{\"properties\":{\"tunnelInterfaces\":{}}}",
        "{\"properties\":{\"syncMode\":{}}}",
        "{\"properties\":{\"loadBalancerBackendAddresses\":\"x\"}}",
        "{\"properties\":{\"loadBalancerBackendAddresses\":[null]}}",
        "{\"properties\":{\"loadBalancerBackendAddresses\":[{\"name\":{}}]}}",
        "{\"properties\":{\"loadBalancerBackendAddresses\":[{\"name\":\"a\",\"properties\":1}]}}",
        "{\"properties\":{\"loadBalancerBackendAddresses\":"
            + "[{\"name\":\"a\",\"properties\":{\"ipAddress\":7}}]}}",
        "{\"properties\":{\"loadBalancerBackendAddresses\":"
            + "[{\"name\":\"a\",\"properties\":{\"subnet\":[]}}]}}"
      })
  void put_wrongJsonTypes_areRefused(String body) {
    assertThat(refusal(put(body))).isEqualTo("400 InvalidRequestFormat/InvalidJson");
  }

  @Test
  void put_basicSku_isRefused() {
    String basic = LB + "2";
    written(model, basic, "{\"location\":\"eastus\",\"sku\":{\"name\":\"Basic\"}}");
    assertThat(refusal(model.handle(Calls.put(basic + "/backendAddressPools/p", pool()))))
        .isEqualTo("400 OperationNotSupportedOnBasicSkuLoadBalancer");
  }
}
