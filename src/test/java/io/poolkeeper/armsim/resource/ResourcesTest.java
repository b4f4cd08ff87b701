package io.poolkeeper.armsim.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  private static final String NETWORK =
      "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network";
  private static final String VNET = NETWORK + "/virtualNetworks/v";
  private static final String NIC = NETWORK + "/networkInterfaces/nic";
  private static final String POOL = NETWORK + "/loadBalancers/lb/backendAddressPools/";

  private final List<String> moves = new ArrayList<>();
  private int guids;
  private final Resources resources = new Resources(() -> "guid" + ++guids, new Recorder());
  private final ResourceWrites writes = new ResourceWrites(resources);

  private final class Recorder implements BalancerLinks {
    @Override
    public boolean contains(ResourceId id) {
      return true;
    }

    @Override
    public Map<String, String> frontendsByAddress() {
      return Map.of();
    }

    @Override
    public void moved(List<PoolMembership> left, List<PoolMembership> joined) {
      left.forEach(one -> moves.add("-" + one.pool() + " " + one.privateAddress()));
      joined.forEach(one -> moves.add("+" + one.pool() + " " + one.privateAddress()));
    }
  }

  private static ResourceId id(String path) {
    return Providers.canonical(ResourceId.parse(path).orElseThrow());
  }

  private void put(String path, String body) {
    try {
      JsonNode document = ArmJson.MAPPER.readTree(body);
      writes.put(id(path), document, Optional.empty(), "operation");
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  private void aNetwork() {
    put(
        VNET,
        """
        {"location":"eastus","properties":{
         "subnets":[{"name":"s","properties":{"addressPrefix":"10.1.0.0/16"}}]}}
        """);
  }

  private void nic(String pool) {
    put(
        NIC,
        """
        {"location":"eastus","properties":{"ipConfigurations":[{"name":"c","properties":{
         "subnet":{"id":"%s/subnets/s"},"loadBalancerBackendAddressPools":[{"id":"%s"}]}}]}}
        """
            .formatted(VNET, POOL + pool));
  }

  @Test
  void contains_idsInAnyCase_findsResourcesAndTheirParts() {
    aNetwork();
    assertThat(resources.contains(VNET.toUpperCase(Locale.ROOT))).isTrue();
    assertThat(resources.contains((VNET + "/subnets/S").toLowerCase(Locale.ROOT))).isTrue();
    assertThat(resources.contains(VNET + "/subnets/t")).isFalse();
    assertThat(resources.contains(NIC)).isFalse();
    assertThat(resources.contains("nonsense")).isFalse();
  }

  @Test
  void interfaces_thatJoinAndLeavePools_areReportedOnceEach() {
    aNetwork();
    nic("p");
    nic("p");
    nic("q");
    assertThat(moves)
        .containsExactly(
            "+" + POOL + "p 10.1.0.4", "-" + POOL + "p 10.1.0.4", "+" + POOL + "q 10.1.0.4");
    assertThat(NetworkInterface.memberships(resources.find(id(NIC)).orElseThrow()))
        .containsExactly(new PoolMembership(POOL + "q", NIC + "/ipConfigurations/c", "10.1.0.4"));
    moves.clear();
    // When
    resources.removeAll(new GroupId("S", "RG"));
    // Then
    assertThat(moves).containsExactly("-" + POOL + "q 10.1.0.4");
    assertThat(resources.all()).isEmpty();
  }

  @Test
  void restore_reportsNothingAndKnowsTheUsedAddresses() {
    aNetwork();
    nic("p");
    List<Resource> kept = resources.all();
    moves.clear();
    // When
    resources.restore(kept);
    // Then
    assertThat(moves).isEmpty();
    put(
        NIC + "2",
        """
        {"location":"eastus","properties":{"ipConfigurations":[{"name":"c","properties":{
         "subnet":{"id":"%s/subnets/s"}}}]}}
        """
            .formatted(VNET));
    assertThat(resources.find(id(NIC + "2")).orElseThrow().document().toString())
        .contains("\"10.1.0.5\"");
  }
}
