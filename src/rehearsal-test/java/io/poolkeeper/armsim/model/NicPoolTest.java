package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.body;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.pool;
import static io.poolkeeper.armsim.model.Calls.put;
import static io.poolkeeper.armsim.model.Calls.refusal;
import static io.poolkeeper.armsim.model.Calls.text;
import static io.poolkeeper.armsim.model.Calls.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.armsim.protocol.Refused;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NicPoolTest {
  private static final PoolId POOL_ID = new PoolId(new LoadBalancerId("s", "rg", "lb"), "p");
  private static final String NIC_1 = nic("vm1");
  private static final String NIC_2 = nic("vm2");
  private static final String REFUSAL = "400 ModificationOfNICIpConfigBackendPoolNotSupported";

  private final ArmModel model = new ArmModel(Calls.counting(), 100, 1);

  private static String nic(String name) {
    return GROUP
        + "/providers/Microsoft.Network/networkInterfaces/"
        + name
        + "/ipConfigurations/ipconfig1";
  }

  @BeforeEach
  void aPoolOfTwoNics() {
    written(model, GROUP, "{\"location\":\"eastus\"}");
    written(model, LB, "{\"location\":\"eastus\"}");
    written(model, POOL, "{}");
    model.joinNic(POOL_ID, NIC_1);
    model.joinNic(POOL_ID, NIC_2);
  }

  private String read() {
    return text(model.handle(get(POOL)));
  }

  private static String entry(String name, String properties) {
    return "{\"name\":\"%s\",\"properties\":{%s}}".formatted(name, properties);
  }

  /** What a write must say about a member, before what it sets. */
  private static String of(String nic) {
    return "\"networkInterfaceIPConfiguration\":{\"id\":\"%s\"}".formatted(nic);
  }

  private static String withEntries(String... entries) {
    return "{\"properties\":{\"loadBalancerBackendAddresses\":[%s]}}"
        .formatted(String.join(",", entries));
  }

  private List<String> members() {
    return model.resources().balancers().getFirst().members("p").orElseThrow().stream()
        .map(PoolMember::name)
        .toList();
  }

  @Test
  void join_isShownAsAnEntryAndInTheOldViewUnderANewEtag() {
    String before = body(model.handle(get(LB))).path("etag").asText();
    model.joinNic(POOL_ID, nic("vm3"));
    assertThat(read())
        .contains(
            "\"properties\":{\"provisioningState\":\"Succeeded\","
                + "\"networkInterfaceIPConfiguration\":{\"id\":\"%s\"}}".formatted(NIC_1),
            "\"name\":\"rg_vm1ipconfig1\"",
            "\"backendIPConfigurations\":[{\"id\":\"%s\"},{\"id\":\"%s\"},{\"id\":\"%s\"}]"
                .formatted(NIC_1, NIC_2, nic("vm3")));
    assertThat(members()).containsExactly("rg_vm1ipconfig1", "rg_vm2ipconfig1", "rg_vm3ipconfig1");
    assertThat(body(model.handle(get(LB))).path("etag").asText()).isNotEqualTo(before);
    assertThat(model.running()).isEmpty();
  }

  @Test
  void join_again_changesNothingInAnyCase() {
    String before = read();
    model.joinNic(POOL_ID, NIC_1.toUpperCase(java.util.Locale.ROOT));
    assertThat(read()).isEqualTo(before);
  }

  @Test
  void leave_takesTheEntryAwayAndIsIdempotent() {
    model.leaveNic(POOL_ID, NIC_1);
    String once = read();
    model.leaveNic(POOL_ID, NIC_1);
    model.leaveNic(POOL_ID.loadBalancer().pool("none"), NIC_1);
    assertThat(read()).isEqualTo(once).doesNotContain(NIC_1).contains(NIC_2);
    model.leaveNic(POOL_ID, NIC_2);
    assertThat(read()).doesNotContain("backendIPConfigurations");
  }

  @Test
  void join_poolOfAddressesOrNoPool_isRefused() {
    String other = LB + "/backendAddressPools/q";
    written(model, other, pool("a=10.0.0.1"));
    PoolId addresses = POOL_ID.loadBalancer().pool("q");
    assertThatThrownBy(() -> model.joinNic(addresses, NIC_1))
        .isInstanceOf(Refused.class)
        .hasMessage("CannotMixIPBasedAddressesAndIPConfigurationsOnLoadBalancerBackendAddressPool");
    PoolId none = POOL_ID.loadBalancer().pool("none");
    assertThatThrownBy(() -> model.joinNic(none, NIC_1))
        .isInstanceOf(Refused.class)
        .hasMessage("InvalidResourceReference");
    assertThatIllegalArgumentException().isThrownBy(() -> model.joinNic(POOL_ID, "/nic"));
  }

  @Test
  void put_theSameMembersWithAdminStates_setsThem() {
    String states =
        withEntries(
            entry("RG_vm2ipconfig1", of(NIC_2) + ",\"adminState\":\"down\""),
            entry("rg_vm1ipconfig1", of(NIC_1)));
    Handled accepted = written(model, POOL, states);
    assertThat(accepted.answer().status()).isEqualTo(200);
    assertThat(read())
        .contains(
            "{\"provisioningState\":\"Succeeded\",\"adminState\":\"Down\","
                + "\"networkInterfaceIPConfiguration\":{\"id\":\"%s\"}}".formatted(NIC_2))
        .containsOnlyOnce("adminState");
    assertThat(members()).containsExactly("rg_vm1ipconfig1", "rg_vm2ipconfig1");
    assertThat(accepted.poolWrite().orElseThrow().members())
        .contains(new PoolMember("rg_vm2ipconfig1", Optional.empty(), Optional.of("Down")));
  }

  @Test
  void put_whatWasRead_changesNothing() {
    assertThat(model.handle(put(POOL, read())).started()).isEmpty();
    assertThat(model.handle(put(LB, text(model.handle(get(LB))))).started()).isEmpty();
  }

  @Test
  void put_otherMembers_isRefusedAsUsersReport() {
    String vm1 = entry("rg_vm1ipconfig1", of(NIC_1));
    String vm2 = entry("rg_vm2ipconfig1", of(NIC_2));
    String before = read();
    Handled added = model.handle(put(POOL, withEntries(vm1, vm2, entry("x", ""))));
    assertThat(text(added))
        .isEqualTo(
            """
            {"error":{"code":"ModificationOfNICIpConfigBackendPoolNotSupported","message":\
            "Operation on backend pool %s not allowed since it adds/modifies/deletes backend \
            address pool members that are specified with a network interface IP configuration.",\
            "details":[]}}"""
                .formatted(POOL));
    assertThat(refusal(model.handle(put(POOL, withEntries(vm1))))).isEqualTo(REFUSAL);
    assertThat(refusal(model.handle(put(POOL, withEntries())))).isEqualTo(REFUSAL);
    assertThat(refusal(model.handle(put(POOL, pool("a=10.0.0.1", "b=10.0.0.2")))))
        .isEqualTo(REFUSAL);
    String address = entry("rg_vm2ipconfig1", "\"ipAddress\":\"10.0.0.2\"");
    assertThat(refusal(model.handle(put(POOL, withEntries(vm1, address))))).isEqualTo(REFUSAL);
    String exchanged = entry("rg_vm2ipconfig1", of(NIC_1));
    assertThat(refusal(model.handle(put(POOL, withEntries(vm1, exchanged))))).isEqualTo(REFUSAL);
    String silent = entry("rg_vm2ipconfig1", "\"adminState\":\"Down\"");
    assertThat(refusal(model.handle(put(POOL, withEntries(vm1, silent))))).isEqualTo(REFUSAL);
    assertThat(read()).isEqualTo(before);
  }

  @Test
  void put_withoutAList_leavesTheMembersAndTakesTheirStates() {
    written(
        model,
        POOL,
        withEntries(
            entry("rg_vm1ipconfig1", of(NIC_1) + ",\"adminState\":\"Down\""),
            entry("rg_vm2ipconfig1", of(NIC_2))));
    written(
        model,
        LB,
        "{\"location\":\"eastus\",\"properties\":{\"backendAddressPools\":[{\"name\":\"p\"}]}}");
    assertThat(members()).containsExactly("rg_vm1ipconfig1", "rg_vm2ipconfig1");
    assertThat(read()).doesNotContain("adminState");
  }

  @Test
  void put_newPoolOfNics_isRefusedWithOrWithoutAdminState() {
    String nic = of(NIC_1);
    String other = LB + "/backendAddressPools/q";
    assertThat(refusal(model.handle(put(other, withEntries(entry("x", nic)))))).isEqualTo(REFUSAL);
    String down = nic + ",\"adminState\":\"Down\"";
    assertThat(refusal(model.handle(put(other, withEntries(entry("x", down)))))).isEqualTo(REFUSAL);
    assertThat(model.handle(get(other)).answer().status()).isEqualTo(404);
  }

  @Test
  void put_withoutTheStates_takesThemAway() {
    written(
        model,
        POOL,
        withEntries(
            entry("rg_vm1ipconfig1", of(NIC_1) + ",\"adminState\":\"Down\""),
            entry("rg_vm2ipconfig1", of(NIC_2))));
    assertThat(read()).containsOnlyOnce("\"adminState\":\"Down\"");
    written(
        model,
        POOL,
        withEntries(entry("rg_vm1ipconfig1", of(NIC_1)), entry("rg_vm2ipconfig1", of(NIC_2))));
    assertThat(read()).doesNotContain("adminState");
  }

  @Test
  void dump_keepsTheNicsOfAPool() {
    ArmModel other = new ArmModel(Calls.counting(), 100, 1);
    other.restore(ArmState.load(Calls.json(Calls.dump(model).toString())));
    assertThat(text(other.handle(get(POOL)))).isEqualTo(read());
    assertThat(refusal(other.handle(put(POOL, withEntries())))).isEqualTo(REFUSAL);
  }
}
