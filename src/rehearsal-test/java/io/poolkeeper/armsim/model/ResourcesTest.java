package io.poolkeeper.armsim.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.model.NicMembers.PoolMembership;
import io.poolkeeper.armsim.model.ResourceMap.LoadBalancer;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.GroupId;
import io.poolkeeper.armsim.protocol.ResourceId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  private static final String NETWORK =
      "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network";
  private static final String VNET = NETWORK + "/virtualNetworks/v";
  private static final String NIC = NETWORK + "/networkInterfaces/nic";
  private static final String BALANCER = NETWORK.replace("/rg/", "/other/") + "/loadBalancers/lb";
  private static final String POOL = BALANCER + "/backendAddressPools/";

  private int guids;
  private final Resources resources = new Resources(() -> "guid" + ++guids);
  private final ResourceWrites writes = new ResourceWrites(resources);

  /** In another group than the interface. */
  private void twoPools() {
    resources.store(
        resources.made(
            id(BALANCER),
            ArmJson.object(
                """
                {"properties":{"backendAddressPools":[
                 {"name":"p","properties":{"loadBalancerBackendAddresses":[]}},
                 {"name":"q","properties":{"loadBalancerBackendAddresses":[]}}]}}
                """)));
  }

  private Resource balancer() {
    return resources.find(id(BALANCER)).orElseThrow();
  }

  private List<String> members(String pool) {
    return new LoadBalancer(balancer())
        .members(pool).orElseThrow().stream().map(PoolMember::name).toList();
  }

  private static ResourceId id(String path) {
    return Providers.canonical(ResourceId.parse(path).orElseThrow());
  }

  private void put(String path, String body) {
    writes.put(id(path), ArmJson.object(body), Optional.empty(), "operation");
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
    assertThat(resources.contains(id(VNET.toUpperCase(Locale.ROOT)))).isTrue();
    assertThat(resources.contains(id((VNET + "/subnets/S").toLowerCase(Locale.ROOT)))).isTrue();
    assertThat(resources.contains(id(VNET + "/subnets/t"))).isFalse();
    assertThat(resources.contains(id(NIC))).isFalse();
  }

  @Test
  void interfaces_thatJoinAndLeavePools_areInThemAndChangeNothingTwice() {
    aNetwork();
    twoPools();
    // When
    nic("p");
    // Then
    assertThat(members("p")).containsExactly("rg_nicc");
    String etag = balancer().etag();
    nic("p");
    assertThat(balancer().etag()).isEqualTo(etag);
    // When
    nic("q");
    // Then
    assertThat(members("p")).isEmpty();
    assertThat(members("q")).containsExactly("rg_nicc");
    assertThat(NetworkInterface.memberships(resources.find(id(NIC)).orElseThrow()))
        .containsExactly(new PoolMembership(POOL + "q", NIC + "/ipConfigurations/c", "10.1.0.4"));
    // When
    resources.removeAll(new GroupId("S", "RG"));
    // Then
    assertThat(members("q")).isEmpty();
    assertThat(resources.all()).containsExactly(balancer());
  }

  @Test
  void restore_leavesThePoolsAloneAndKnowsTheUsedAddresses() {
    aNetwork();
    twoPools();
    nic("p");
    List<Resource> kept = List.copyOf(resources.all());
    // When
    resources.restore(kept);
    // Then
    assertThat(resources.all()).containsExactlyElementsOf(kept);
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
