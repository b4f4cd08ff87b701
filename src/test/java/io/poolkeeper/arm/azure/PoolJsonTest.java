package io.poolkeeper.arm.azure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaders;
import com.azure.core.util.BinaryData;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The body of a PUT: only what the edit names may differ from what was read. */
class PoolJsonTest {
  private static final Optional<String> VNET = Optional.of("/vnets/v");
  private static final String RICH =
      """
      {"name":"p","id":"/x/p","etag":"W/\\"e\\"","future":{"a":[1,2.50,null,1e400]},"properties":{
        "location":"westeurope","provisioningState":"Succeeded","syncMode":"Automatic",
        "tunnelInterfaces":[{"port":10800,"identifier":800}],"unknown":true,
        "virtualNetwork":{"id":"/vnets/own","more":1},
        "loadBalancerBackendAddresses":[
          {"name":"a","id":"/x/p/a","etag":"W/\\"e\\"","properties":{
             "ipAddress":"10.0.0.1","adminState":"Down","new":{"x":"y"}}},
          {"name":"nic","properties":{"networkInterfaceIPConfiguration":{"id":"/nic"}}},
          {"name":"b","properties":{"ipAddress":"10.0.0.2"}}],
        "loadBalancingRules":[{"id":"/x/rules/r"}]},"type":"t"}\
      """;

  private static ObjectNode tree(String json) {
    return Json.of(new Answer(200, new HttpHeaders(), BinaryData.fromString(json))).node();
  }

  private static String entry(String name, String address) {
    return "{\"name\":\"%s\",\"properties\":{\"ipAddress\":\"%s\"}}".formatted(name, address);
  }

  private static ObjectNode pool(String... entries) {
    return tree(
        "{\"properties\":{\"loadBalancerBackendAddresses\":[%s]}}"
            .formatted(String.join(",", entries)));
  }

  private static PoolEdit remove(String... addresses) {
    return PoolEdit.of(
        Arrays.stream(addresses).map(Address::of).collect(Collectors.toSet()), Map.of());
  }

  private static PoolEdit add(String address, String name) {
    return PoolEdit.of(Set.of(), Map.of(Address.of(address), name));
  }

  @Test
  void apply_emptyEdit_sendsBackWhatWasRead() {
    ObjectNode raw = tree(RICH);

    ObjectNode body = PoolBody.apply(raw, remove(), VNET);

    assertThat(body).isEqualTo(raw).isNotSameAs(raw);
    assertThat(new String(Json.bytes(body), UTF_8)).contains("\"a\":[1,2.50,null,1E+400]");
  }

  @Test
  void apply_edit_changesNothingButWhatItNames() {
    ObjectNode raw = tree(RICH);
    PoolEdit edit =
        PoolEdit.of(Set.of(Address.of("10.0.0.2")), Map.of(Address.of("10.0.0.3"), "c"));

    ObjectNode body = PoolBody.apply(raw, edit, VNET);

    ObjectNode expected = tree(RICH.replace(entry("b", "10.0.0.2"), entry("c", "10.0.0.3")));
    assertThat(body).isEqualTo(expected);
    assertThat(body.fieldNames()).toIterable().containsExactlyElementsOf(() -> raw.fieldNames());
    assertThat(raw).isEqualTo(tree(RICH));
  }

  @Test
  void apply_addressWrittenDifferently_isRemovedAllTheSame() {
    ObjectNode raw = pool(entry("a", "FD00:0:0:0:0:0:0:A"), entry("b", "fd00::b"));

    ObjectNode body = PoolBody.apply(raw, remove("fd00::a"), VNET);

    assertThat(body).isEqualTo(pool(entry("b", "fd00::b")));
  }

  @Test
  void apply_editOfAMark_removesTheEntryThatCarriesItOnly() {
    Mark mark = Mark.of("0123456789abcdef");
    ObjectNode raw = pool(entry(mark.name("a"), "10.0.0.1"), entry("theirs", "10.0.0.1"));
    PoolEdit edit = PoolEdit.of(Set.of(Address.of("10.0.0.1")), Map.of(), Optional.of(mark));

    assertThat(PoolBody.apply(raw, edit, VNET)).isEqualTo(pool(entry("theirs", "10.0.0.1")));
  }

  @Test
  void apply_poolWithoutEntries_getsThem() {
    ObjectNode body =
        PoolBody.apply(tree("{\"properties\":{}}"), add("10.0.0.1", "a"), Optional.empty());

    assertThat(body).isEqualTo(pool(entry("a", "10.0.0.1")));
  }

  @Test
  void apply_removalOnly_doesNotTouchTheNetwork() {
    ObjectNode body = PoolBody.apply(pool(entry("a", "10.0.0.1")), remove("10.0.0.1"), VNET);

    assertThat(body).isEqualTo(pool());
  }

  @Test
  void apply_poolWithoutNetwork_getsTheConfiguredOne() {
    ObjectNode body = PoolBody.apply(pool(entry("a", "10.0.0.1")), add("10.0.0.2", "b"), VNET);

    ObjectNode expected = pool(entry("a", "10.0.0.1"), entry("b", "10.0.0.2"));
    expected.withObjectProperty("properties").putObject("virtualNetwork").put("id", "/vnets/v");
    assertThat(body).isEqualTo(expected);
  }

  @Test
  void apply_entriesWithNetworksOfTheirOwn_givesOneToTheAddedEntryOnly() {
    String own =
        """
        {"name":"a","properties":{"ipAddress":"10.0.0.1","virtualNetwork":{"id":"/vnets/own"}}}\
        """;

    ObjectNode body = PoolBody.apply(pool(own), add("10.0.0.2", "b"), VNET);

    String added =
        """
        {"name":"b","properties":{"ipAddress":"10.0.0.2","virtualNetwork":{"id":"/vnets/v"}}}\
        """;
    assertThat(body).isEqualTo(pool(own, added));
  }

  @Test
  void apply_theOnlyEntryWithItsOwnNetworkIsRemoved_setsThePoolsNetwork() {
    String own =
        """
        {"name":"a","properties":{"ipAddress":"10.0.0.1","virtualNetwork":{"id":"/vnets/own"}}}\
        """;
    PoolEdit edit =
        PoolEdit.of(Set.of(Address.of("10.0.0.1")), Map.of(Address.of("10.0.0.2"), "b"));

    ObjectNode body = PoolBody.apply(pool(own), edit, VNET);

    assertThat(body.at("/properties/virtualNetwork/id").asText()).isEqualTo("/vnets/v");
  }

  @Test
  void apply_noneConfigured_takesThatOfAnEntry() {
    String own =
        """
        {"name":"a","properties":{"ipAddress":"10.0.0.1","virtualNetwork":{"id":"/vnets/own"}}}\
        """;

    ObjectNode body = PoolBody.apply(pool(own), add("10.0.0.2", "b"), Optional.empty());

    assertThat(body).isEqualTo(pool(own, own.replace("\"a\"", "\"b\"").replace(".1", ".2")));
  }

  @Test
  void apply_noneConfiguredAndAnEntryInASubnet_takesTheNetworkOfTheSubnet() {
    String own =
        """
        {"name":"a","properties":{"ipAddress":"10.0.0.1","subnet":{"id":"/vnets/v/subnets/s"}}}\
        """;
    String added =
        """
        {"name":"b","properties":{"ipAddress":"10.0.0.2","virtualNetwork":{"id":"/vnets/v"}}}\
        """;

    ObjectNode body = PoolBody.apply(pool(own), add("10.0.0.2", "b"), Optional.empty());

    assertThat(body).isEqualTo(pool(own, added));
  }

  @Test
  void apply_adminStates_changesNothingButThem() {
    ObjectNode raw = tree(RICH);
    SortedMap<String, AdminState> states =
        new TreeMap<>(Map.of("a", AdminState.NONE, "b", AdminState.DOWN, "gone", AdminState.DOWN));

    ObjectNode body = PoolBody.apply(raw, PoolEdit.NONE.with(states), VNET);

    String expected =
        RICH.replace("\"adminState\":\"Down\"", "\"adminState\":\"None\"")
            .replace("\"10.0.0.2\"", "\"10.0.0.2\",\"adminState\":\"Down\"");
    assertThat(Json.bytes(body)).isEqualTo(Json.bytes(tree(expected)));
    assertThat(raw).isEqualTo(tree(RICH));
  }

  @Test
  void apply_adminStateOfAnAddedEntry_isWrittenWithIt() {
    PoolEdit edit =
        add("10.0.0.2", "b")
            .with(new TreeMap<>(Map.of("a", AdminState.DOWN, "b", AdminState.DOWN)));

    ObjectNode body = PoolBody.apply(pool(entry("a", "10.0.0.1")), edit, Optional.empty());

    String down = "\",\"adminState\":\"Down\"}}";
    assertThat(body)
        .isEqualTo(
            pool(
                entry("a", "10.0.0.1").replace("\"}}", down),
                entry("b", "10.0.0.2").replace("\"}}", down)));
  }

  /** Spec 2, Testing Strategy. */
  @Test
  void testing_regression_editWithoutAdminStates_isByteForByteWhatWasReadButForTheMembers() {
    PoolEdit edit =
        PoolEdit.of(Set.of(Address.of("10.0.0.2")), Map.of(Address.of("10.0.0.3"), "c"))
            .with(new TreeMap<>());

    byte[] body = Json.bytes(PoolBody.apply(tree(RICH), edit, VNET));

    String expected = RICH.replace(entry("b", "10.0.0.2"), entry("c", "10.0.0.3"));
    assertThat(new String(body, UTF_8))
        .isEqualTo(new String(Json.bytes(tree(expected)), UTF_8))
        .isEqualTo(expected.replaceAll("\\s*\\n\\s*", "").replace("1e400", "1E+400"));
  }

  @Test
  void apply_membersOnly_keepsStatesAndTheirAbsence() {
    String up = entry("up", "10.0.0.1").replace("\"}}", "\",\"adminState\":\"Up\"}}");
    String unset = entry("unset", "10.0.0.2");

    ObjectNode body = PoolBody.apply(pool(up, unset), add("10.0.0.3", "c"), Optional.empty());

    assertThat(body).isEqualTo(pool(up, unset, entry("c", "10.0.0.3")));
  }

  @Test
  void apply_poolOfNetworkInterfaces_echoesTheAnswerByteForByteButForTheState() {
    String answer =
        """
        {"name":"p","etag":"W/\\"e\\"","properties":{"provisioningState":"Succeeded",\
        "loadBalancerBackendAddresses":[\
        {"name":"a","id":"/p/a","etag":"W/\\"e\\"","properties":{"provisioningState":"Succeeded",\
        "networkInterfaceIPConfiguration":{"id":"/nics/A/ipConfigurations/x"}},"type":"t"},\
        {"name":"b","properties":{"adminState":"Up",\
        "networkInterfaceIPConfiguration":{"id":"/nics/B/ipConfigurations/x"}}}],\
        "backendIPConfigurations":[{"id":"/nics/A/ipConfigurations/x"}],\
        "loadBalancingRules":[{"id":"/rules/r"}]},"type":"t"}\
        """;

    ObjectNode body =
        PoolBody.apply(
            read(answer, VNET).raw(),
            PoolEdit.NONE.with(new TreeMap<>(Map.of("a", AdminState.DOWN))),
            VNET);

    String state = "A/ipConfigurations/x\"},\"adminState\":\"Down\"},\"type\"";
    assertThat(new String(Json.bytes(body), UTF_8))
        .isEqualTo(answer.replace("A/ipConfigurations/x\"}},\"type\"", state));
  }

  @ParameterizedTest
  @CsvSource({"Down,DOWN", "dOWN,DOWN", "Up,UP", "Drain,UP", "None,NONE", ",NONE"})
  void read_adminState_isThatOfTheEntry(String shown, AdminState state) {
    String member = shown == null ? "" : ",\"adminState\":\"" + shown + "\"";
    String entry = entry("a", "10.0.0.1").replace("}}", member + "}}");

    assertThat(read(pool(entry).toString(), VNET).view().entries())
        .containsExactly(
            new PoolEntry("a", Optional.of(Address.of("10.0.0.1")), Optional.empty(), state));
  }

  @Test
  void read_ipConfiguration_isThatOfAnEntryWithoutAddress() {
    String member = "\"networkInterfaceIPConfiguration\":{\"id\":\"/nics/A/ipConfigurations/x\"}";
    String nic = "{\"name\":\"a\",\"properties\":{%s}}".formatted(member);
    String both = entry("b", "10.0.0.1").replace("}}", "," + member + "}}");

    assertThat(read(pool(nic, both).toString(), VNET).view().entries())
        .extracting(PoolEntry::ipConfiguration)
        .containsExactly(Optional.of("/nics/A/ipConfigurations/x"), Optional.empty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | false",
        "'\"outboundRules\":[],' | false",
        "'\"outboundRules\":[{\"id\":\"/o\"}],' | true",
        "'\"outboundRule\":{\"id\":\"/o\"},' | true"
      })
  void read_outboundRule_isNoticed(String member, boolean outbound) {
    String json = "{\"properties\":{%s\"location\":\"westeurope\"}}".formatted(member);

    assertThat(read(json, VNET).view().outbound()).isEqualTo(outbound);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | | false",
        "'' | /vnets/v | true",
        "'\"virtualNetwork\":{\"id\":\"/v\"},' | | true",
        "'\"virtualNetwork\":{},' | | false"
      })
  void read_networkOfThePoolOrTheSettings_isNoticed(String member, String vnet, boolean named) {
    assertThat(networked(member, "", Optional.ofNullable(vnet))).isEqualTo(named);
  }

  @ParameterizedTest
  @CsvSource({"virtualNetwork, true", "subnet, true", "networkInterfaceIPConfiguration, false"})
  void read_networkOfAnEntry_isNoticed(String member, boolean named) {
    String entry =
        "{\"properties\":{\"ipAddress\":\"10.0.0.1\",\"%s\":{\"id\":\"/x\"}}}".formatted(member);

    assertThat(networked("", entry, Optional.empty())).isEqualTo(named);
  }

  private static boolean networked(String member, String entry, Optional<String> vnet) {
    String json =
        "{\"properties\":{%s\"loadBalancerBackendAddresses\":[%s]}}".formatted(member, entry);
    return read(json, vnet).view().networked();
  }

  private static RawPool read(String json, Optional<String> vnet) {
    Answer answer = new Answer(200, new HttpHeaders(), BinaryData.fromString(json));
    return PoolBody.read(new LoadBalancerId("s", "r", "lb").pool("p"), answer, vnet);
  }
}
