package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.body;
import static io.poolkeeper.armsim.model.Calls.delete;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.json;
import static io.poolkeeper.armsim.model.Calls.pool;
import static io.poolkeeper.armsim.model.Calls.put;
import static io.poolkeeper.armsim.model.Calls.putIfMatch;
import static io.poolkeeper.armsim.model.Calls.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups, subscriptions, providers, and resources of unknown types. */
class GeneralTest {
  private static final String STORE = GROUP + "/providers/Microsoft.Storage/storageAccounts/store";
  private static final String VNET = GROUP + "/providers/Microsoft.Network/virtualNetworks/v";
  private static final String HERE = "{\"location\":\"eastus\"}";

  private final ArmModel model = new ArmModel(Calls.counting(), 2, 1);

  @BeforeEach
  void aGroup() {
    model.handle(put(GROUP, HERE));
  }

  private static ArmCall call(Method method, String uri) {
    return Calls.call(method, uri, Optional.empty(), new Body.Absent());
  }

  private static ArmCall patch(String uri, String body) {
    return Calls.call(Method.PATCH, uri, Optional.empty(), new Body.Json(json(body)));
  }

  private int status(ArmCall call) {
    return model.handle(call).answer().status();
  }

  private JsonNode read(String path) {
    Handled handled = model.handle(get(path));
    assertThat(handled.answer().status()).as(text(handled)).isEqualTo(200);
    return body(handled);
  }

  @Test
  void put_unknownType_keepsWhatWasWrittenAndIsDoneAtOnce() {
    Handled created =
        model.handle(
            put(
                STORE,
                """
                {"location":"eastus","kind":"x","id":"forged","properties":{"a":{"b":[1]},
                 "provisioningState":"Failed"}}
                """));
    assertThat(created.answer().status()).isEqualTo(201);
    assertThat(created.started()).isEmpty();
    assertThat(created.answer().headers()).doesNotContainKey("Azure-AsyncOperation");
    assertThat(text(created))
        .isEqualTo(
            """
            {"name":"store","id":"%s","etag":"W/\\"%s\\"",\
            "type":"Microsoft.Storage/storageAccounts","location":"eastus",\
            "properties":{"provisioningState":"Succeeded","a":{"b":[1]}},"kind":"x"}"""
                .formatted(STORE, body(created).path("etag").asText().substring(3, 39)));
    assertThat(read(STORE)).isEqualTo(body(created));
    assertThat(status(call(Method.HEAD, STORE))).isEqualTo(204);
    assertThat(status(call(Method.HEAD, STORE + "x"))).isEqualTo(404);
    assertThat(status(call(Method.POST, STORE))).isEqualTo(405);
    assertThat(status(delete(STORE))).isEqualTo(200);
    assertThat(status(delete(STORE))).isEqualTo(204);
  }

  @Test
  void put_inAnotherCase_isTheSameResourceUnderItsFirstId() {
    model.handle(put(STORE, HERE));
    String first = read(STORE).path("etag").asText();
    Handled shouted =
        model.handle(
            put(STORE.toUpperCase(java.util.Locale.ROOT), "{\"location\":\"East US\",\"x\":1}"));
    assertThat(shouted.answer().status()).isEqualTo(200);
    assertThat(body(shouted).path("id").asText()).isEqualTo(STORE);
    assertThat(body(shouted).path("etag").asText()).isNotEqualTo(first);
    Handled moved = model.handle(put(STORE, "{\"location\":\"westus\"}"));
    assertThat(moved.answer().code()).isEqualTo("InvalidResourceLocation");
  }

  @Test
  void put_staleEtag_isRefusedAndChangesNothing() {
    model.handle(put(STORE, HERE));
    JsonNode before = read(STORE);
    Handled refused =
        model.handle(putIfMatch(STORE, "W/\"x\"", "{\"location\":\"eastus\",\"y\":1}"));
    assertThat(refused.answer().status()).isEqualTo(412);
    assertThat(text(refused)).contains("of resource " + STORE + " in NRP data store");
    assertThat(status(putIfMatch(STORE + "x", "*", HERE))).isEqualTo(412);
    assertThat(read(STORE)).isEqualTo(before);
    assertThat(status(putIfMatch(STORE, before.path("etag").asText(), HERE))).isEqualTo(200);
  }

  @Test
  void patch_mergesTagsAndProperties() {
    model.handle(
        put(
            STORE,
            "{\"location\":\"eastus\",\"tags\":{\"a\":\"1\",\"b\":\"2\"},\"properties\":{\"p\":1}}"));
    Handled patched =
        model.handle(patch(STORE, "{\"tags\":{\"b\":null,\"c\":\"3\"},\"properties\":{\"q\":2}}"));
    assertThat(patched.answer().status()).isEqualTo(200);
    assertThat(read(STORE).path("tags")).isEqualTo(json("{\"a\":\"1\",\"c\":\"3\"}"));
    assertThat(read(STORE).at("/properties/p").asInt()).isEqualTo(1);
    assertThat(read(STORE).at("/properties/q").asInt()).isEqualTo(2);
    assertThat(status(patch(STORE + "x", "{}"))).isEqualTo(404);
    assertThat(status(patch(GROUP, "{\"tags\":{\"t\":\"u\"}}"))).isEqualTo(200);
    assertThat(read(GROUP).at("/tags/t").asText()).isEqualTo("u");
  }

  @Test
  void list_goesThroughGroupsAndSubscriptionsPageByPage() {
    String other = GROUP.replace("/rg", "/rg2");
    model.handle(put(other, HERE));
    for (String path : new String[] {STORE + "1", STORE + "2", STORE.replace("/rg/", "/rg2/")}) {
      model.handle(put(path, HERE));
    }
    String type = "/providers/microsoft.storage/STORAGEACCOUNTS";
    assertThat(read(GROUP + type).path("value").findValuesAsText("name"))
        .containsExactly("store1", "store2");
    JsonNode first = read("/subscriptions/S" + type);
    assertThat(first.path("value").findValuesAsText("name")).containsExactly("store1", "store2");
    assertThat(first.path("nextLink").asText()).contains("store2").doesNotContain("rg2");
    assertThat(read("/subscriptions/other" + type).path("value")).isEmpty();
    assertThat(status(get(GROUP + "x" + type))).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "Microsoft.Nonsense/things/x, 404, InvalidResourceNamespace",
    "Microsoft.Network/nonsense/x, 404, InvalidResourceType",
    "Microsoft.Network/nonsense, 404, InvalidResourceType",
    "microsoft.network/VIRTUALNETWORKS/x, 404, ResourceNotFound",
    "Microsoft.Network/loadBalancers/lb/nonsense/x/y, 404, InvalidResourceType",
    "Microsoft.Network, 404, InvalidResourceType",
    "Microsoft.Network//x, 404, InvalidResourceType",
    "Microsoft.Network/virtualNetworks/x/subnets, 404, ParentResourceNotFound",
  })
  void get_whatCannotBe_saysWhy(String path, int status, String code) {
    Handled handled = model.handle(get(GROUP + "/providers/" + path));
    assertThat(handled.answer().status()).isEqualTo(status);
    assertThat(handled.answer().code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | LocationRequired",
        "{\"location\":7} | InvalidRequestFormat",
        "{\"location\":\"eastus\",\"properties\":[]} | InvalidRequestFormat",
        "{\"location\":\"eastus\",\"tags\":{\"a\":1}} | InvalidRequestFormat",
        "{\"location\":\"eastus\",\"properties\":{\"subnets\":{}}} | InvalidRequestFormat",
        "{\"location\":\"eastus\",\"properties\":{\"subnets\":[1]}} | InvalidRequestFormat",
        "{\"location\":\"eastus\",\"properties\":{\"subnets\":[{}]}} | InvalidResourceName",
        "[] | InvalidRequestContent",
      })
  void put_wrongBody_isRefused(String body, String code) {
    Handled handled = model.handle(put(VNET, body));
    assertThat(handled.answer().status()).isEqualTo(400);
    assertThat(handled.answer().code()).isEqualTo(code);
    assertThat(model.snapshot().resources()).isEmpty();
  }

  @Test
  void get_withoutApiVersion_isRefused() {
    assertThat(model.handle(get("/subscriptions?x=1")).answer().code())
        .isEqualTo("MissingApiVersionParameter");
    assertThat(status(get(VNET + "?api-version=2015-06-15"))).isEqualTo(404);
  }

  @Test
  void group_deleted_takesEverythingAlongAndTakesNothingMore() {
    model.handle(put(LB, HERE));
    model.handle(put(POOL, pool()));
    model.handle(put(STORE, HERE));
    model.handle(put(VNET, HERE));
    assertThat(read(GROUP + "/resources").path("value").findValuesAsText("name"))
        .contains("lb", "v")
        .doesNotContain("store");
    assertThat(
            read(GROUP
                    + "/resources?api-version=2021-04-01&$filter=resourceType%20eq%20'microsoft.storage/storageAccounts'")
                .path("value")
                .findValuesAsText("name"))
        .containsExactly("store");
    // When
    Handled deleted = model.handle(delete(GROUP));
    // Then
    assertThat(deleted.answer().status()).isEqualTo(202);
    assertThat(deleted.answer().headers()).containsEntry("Retry-After", "15");
    assertThat(read(GROUP).at("/properties/provisioningState").asText()).isEqualTo("Deleting");
    assertThat(model.handle(put(STORE, HERE)).answer().code())
        .isEqualTo("ResourceGroupBeingDeleted");
    assertThat(model.handle(put(LB, HERE)).answer().status()).isEqualTo(409);
    assertThat(model.handle(delete(GROUP)).answer().status()).isEqualTo(202);
    ArmCall result =
        get(deleted.answer().headers().get("Location").substring(Calls.ORIGIN.length()));
    assertThat(status(result)).isEqualTo(202);
    model.complete(deleted.started().orElseThrow());
    assertThat(status(result)).isEqualTo(200);
    assertThat(status(call(Method.HEAD, GROUP))).isEqualTo(404);
    assertThat(model.resources().balancers()).isEmpty();
    assertThat(model.snapshot().resources()).isEmpty();
  }

  @Test
  void whatAClientAsksAtItsStart_isThere() {
    assertThat(read("/tenants").at("/value/0/tenantId").isTextual()).isTrue();
    assertThat(read("/subscriptions").at("/value/0/subscriptionId").asText()).isEqualTo("s");
    assertThat(read("/subscriptions/abc").path("state").asText()).isEqualTo("Enabled");
    assertThat(read("/subscriptions/s/locations").path("value").findValuesAsText("name"))
        .contains("eastus", "westeurope");
    assertThat(read("/subscriptions/s/resourceGroups").path("value").findValuesAsText("name"))
        .containsExactly("rg");
    JsonNode network = read("/subscriptions/s/providers/microsoft.network");
    assertThat(network.path("registrationState").asText()).isEqualTo("Registered");
    assertThat(network.path("resourceTypes").findValuesAsText("resourceType"))
        .contains("loadBalancers", "publicIPAddresses");
    assertThat(read("/subscriptions/s/providers").path("value").findValuesAsText("namespace"))
        .contains("Microsoft.Compute", "Microsoft.Network");
    String register = "/subscriptions/s/providers/Microsoft.Network/register";
    assertThat(status(call(Method.POST, register))).isEqualTo(200);
    assertThat(status(get(register))).isEqualTo(405);
    assertThat(status(call(Method.POST, register.replace("Network", "Nonsense")))).isEqualTo(404);
    assertThat(
            read("/subscriptions/s/providers/Microsoft.Compute/locations/eastus/vmSizes")
                .path("value"))
        .isEmpty();
  }

  @Test
  void dump_loadedElsewhere_isTheSameAgain() {
    model.handle(put(STORE, HERE));
    Handled running =
        model.handle(
            put(
                GROUP + "/providers/Microsoft.Network/publicIPAddresses/ip",
                "{\"location\":\"eastus\",\"properties\":{\"publicIPAllocationMethod\":\"Static\"}}"));
    // When
    ArmModel other = new ArmModel(Calls.counting(), 2, 1);
    other.restore(ArmState.load(json(Calls.dump(model).toString())));
    // Then
    assertThat(Calls.dump(other)).isEqualTo(Calls.dump(model));
    assertThat(other.complete(running.started().orElseThrow())).isTrue();
    assertThat(text(other.handle(get(GROUP + "/providers/Microsoft.Network/publicIPAddresses/ip"))))
        .contains("\"ipAddress\":\"20.");
  }

  @Test
  void load_dumpOfAnEarlierRelease_hasNoOtherResources() {
    ObjectNode dump = Calls.dump(model);
    dump.remove("resources");
    assertThat(ArmState.load(dump).resources()).isEmpty();
    dump.putArray("resources").addObject().put("id", "x").putObject("document");
    org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> ArmState.load(dump))
        .withMessage("resources[0]: id: no resource id: x");
  }
}
