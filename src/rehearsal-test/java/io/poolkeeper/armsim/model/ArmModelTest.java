package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.body;
import static io.poolkeeper.armsim.model.Calls.delete;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.guid;
import static io.poolkeeper.armsim.model.Calls.pool;
import static io.poolkeeper.armsim.model.Calls.put;
import static io.poolkeeper.armsim.model.Calls.putIfMatch;
import static io.poolkeeper.armsim.model.Calls.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.model.ResourceMap.LoadBalancer;
import io.poolkeeper.armsim.protocol.ArmCall;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ArmModelTest {
  private static final String RULES =
      """
      {"location":"eastus","properties":{
        "frontendIPConfigurations":[{"name":"f"}],
        "backendAddressPools":[{"name":"p"},{"name":"q"}],
        "loadBalancingRules":[
          {"name":"r1","properties":{"backendAddressPool":{"id":"LB/backendAddressPools/P"}}},
          {"name":"r2","properties":{"backendAddressPools":[
            {"id":"LB/backendAddressPools/p"},{"id":"LB/backendAddressPools/q"}]}}]}}
      """;

  private final ArmModel model = new ArmModel(Calls.counting(), 2, 1);

  @BeforeEach
  void aLoadBalancer() {
    model.handle(put(GROUP, "{\"location\":\"eastus\"}"));
    // Guids 1 to 3: resource guid, etag, operation.
    model.handle(put(LB, "{\"location\":\"eastus\"}"));
  }

  private String etag() {
    return body(model.handle(get(LB))).path("etag").asText();
  }

  private static String started(Handled handled) {
    return handled.started().orElseThrow();
  }

  @Test
  void put_newPool_isUpdatingUnderANewEtagThenSucceededUnderAnother() {
    // When
    Handled accepted = model.handle(put(POOL, pool("a=10.0.0.1")));
    // Then
    assertThat(accepted.answer().status()).isEqualTo(201);
    assertThat(text(accepted))
        .isEqualTo(
            """
            {"name":"p","id":"%1$s","etag":"W/\\"%2$s\\"",\
            "properties":{"provisioningState":"Updating","loadBalancerBackendAddresses":[\
            {"name":"a","id":"%1$s/loadBalancerBackendAddresses/a","etag":"W/\\"%2$s\\"",\
            "properties":{"provisioningState":"Updating","ipAddress":"10.0.0.1"},\
            "type":"Microsoft.Network/loadBalancers/backendAddressPools/loadBalancerBackendAddresses"}]},\
            "type":"Microsoft.Network/loadBalancers/backendAddressPools"}"""
                .formatted(POOL, guid(5)));
    assertThat(started(accepted)).isEqualTo(guid(4));
    assertThat(accepted.answer().headers())
        .containsEntry("Retry-After", "1")
        .containsEntry("x-ms-request-id", guid(4))
        .doesNotContainKey("ETag");
    assertThat(etag()).isEqualTo("W/\"" + guid(5) + "\"");

    assertThat(model.complete(guid(4))).isTrue();

    assertThat(etag()).isEqualTo("W/\"" + guid(6) + "\"");
    Handled read = model.handle(get(POOL));
    assertThat(read.answer().headers()).containsEntry("ETag", "W/\"" + guid(6) + "\"");
    assertThat(body(read).at("/properties/provisioningState").asText()).isEqualTo("Succeeded");
  }

  @Test
  void put_nothingNew_isSucceededWithAnOperationAndTheSameEtag() {
    model.complete(started(model.handle(put(POOL, pool("a=10.0.0.1")))));
    String before = etag();
    Handled again = model.handle(put(POOL, text(model.handle(get(POOL)))));
    assertThat(again.answer().status()).isEqualTo(200);
    assertThat(again.accepted()).isTrue();
    assertThat(again.started()).isEmpty();
    assertThat(body(again).at("/properties/provisioningState").asText()).isEqualTo("Succeeded");
    assertThat(again.answer().headers()).containsKey("Azure-AsyncOperation");
    assertThat(etag()).isEqualTo(before);
  }

  @Test
  void put_staleEtag_isRefusedAsRecordedAndChangesNothing() {
    String current = etag();
    Handled refused = model.handle(putIfMatch(POOL, "W/\"invalid\"", pool("a=10.0.0.1")));
    assertThat(refused.answer().status()).isEqualTo(412);
    assertThat(text(refused))
        .isEqualTo(
            """
            {"error":{"code":"PreconditionFailed","message":"Precondition failed.","details":[\
            {"code":"PreconditionFailedEtagMismatch","message":"Etag provided in if-match header \
            W/\\"invalid\\" does not match etag W/\\"%s\\" of resource %s in NRP data store."}]}}"""
                .formatted(guid(2), LB));
    assertThat(etag()).isEqualTo(current);
    assertThat(model.handle(get(POOL)).answer().status()).isEqualTo(404);
  }

  @Test
  void put_etagOfThePutAnswer_isStaleOnceTheOperationEnded() {
    Handled first = model.handle(put(POOL, pool("a=10.0.0.1")));
    String ofAnswer = body(first).path("etag").asText();
    model.complete(started(first));
    assertThat(model.handle(putIfMatch(POOL, ofAnswer, pool())).answer().status()).isEqualTo(412);
    assertThat(model.handle(putIfMatch(POOL, etag(), pool())).answer().status()).isEqualTo(200);
  }

  @Test
  void put_otherPoolOfTheSameLoadBalancer_changesTheEtagOfAll() {
    model.complete(started(model.handle(put(POOL, pool()))));
    String before = body(model.handle(get(POOL))).path("etag").asText();
    model.complete(started(model.handle(put(LB + "/backendAddressPools/q", pool()))));
    assertThat(body(model.handle(get(POOL))).path("etag").asText()).isNotEqualTo(before);
  }

  @Test
  void put_whileAnotherRuns_supersedesItAndBothWritesStay() {
    Handled first = model.handle(put(POOL, pool("a=10.0.0.1")));
    // When
    Handled second = model.handle(put(LB + "/backendAddressPools/q", pool("b=10.0.0.2")));
    // Then
    assertThat(second.superseded()).isTrue();
    assertThat(text(model.handle(poll(first))))
        .isEqualTo(
            """
            {"status":"Canceled","error":{"code":"Canceled","message":"Operation was canceled.",\
            "details":[{"code":"CanceledAndSupersededDueToAnotherOperation","message":"Operation \
            PutLoadBalancerBackendAddressPoolOperation (%s) was canceled and superseded by \
            operation PutLoadBalancerBackendAddressPoolOperation (%s)."}]}}"""
                .formatted(started(first), started(second)));
    assertThat(model.complete(started(first))).isFalse();
    assertThat(text(model.handle(poll(second)))).isEqualTo("{\"status\":\"InProgress\"}");
    assertThat(model.complete(started(second))).isTrue();
    assertThat(text(model.handle(poll(second)))).isEqualTo("{\"status\":\"Succeeded\"}");
    LoadBalancer balancer = model.resources().balancers().getFirst();
    assertThat(balancer.members("p")).contains(java.util.List.of(member("a", "10.0.0.1")));
    assertThat(balancer.members("Q")).contains(java.util.List.of(member("b", "10.0.0.2")));
  }

  private static ArmCall poll(Handled started) {
    String link = started.answer().headers().get("Azure-AsyncOperation");
    return get(link.substring(Calls.ORIGIN.length()));
  }

  private static PoolMember member(String name, String ip) {
    return new PoolMember(name, Optional.of(ip), Optional.empty());
  }

  @Test
  void put_adminState_isEchoedWhenSetAndLostWhenOmitted() {
    String down =
        pool("a=10.0.0.1").replace("\"ipAddress\"", "\"adminState\":\"Down\",\"ipAddress\"");
    model.complete(started(model.handle(put(POOL, down))));
    assertThat(entry().path("adminState").asText()).isEqualTo("Down");
    model.complete(started(model.handle(put(POOL, pool("a=10.0.0.1")))));
    assertThat(entry().has("adminState")).isFalse();
  }

  private com.fasterxml.jackson.databind.JsonNode entry() {
    return body(model.handle(get(POOL)))
        .at("/properties/loadBalancerBackendAddresses/0/properties");
  }

  @Test
  void put_unknownMembers_areKeptAndForgedReadOnlyOnesAreNot() {
    String given =
        """
        {"etag":"forged","x":1,"properties":{"provisioningState":"Failed","y":{"z":2},
         "loadBalancingRules":[{"id":"forged"}],
         "loadBalancerBackendAddresses":[{"name":"a","id":"forged","u":3,
          "properties":{"v":4,"ipAddress":"10.0.0.1","provisioningState":"Failed"}}]}}
        """;
    model.complete(started(model.handle(put(POOL, given))));
    String read = text(model.handle(get(POOL)));
    assertThat(read).doesNotContain("forged", "Failed");
    assertThat(read)
        .contains(
            "\"y\":{\"z\":2}}", "\"x\":1}", "\"u\":3}", "\"ipAddress\":\"10.0.0.1\",\"v\":4}");
  }

  @Test
  void rulesOfALoadBalancer_areShownInThePoolsTheySendTo() {
    model.complete(started(model.handle(put(LB, RULES.replace("LB/", LB + "/")))));
    String both =
        "\"loadBalancingRules\":[{\"id\":\"%1$s/loadBalancingRules/r1\"},{\"id\":\"%1$s/loadBalancingRules/r2\"}]"
            .formatted(LB);
    String second =
        "\"loadBalancerBackendAddresses\":[],\"loadBalancingRules\":[{\"id\":\"%s/loadBalancingRules/r2\"}]"
            .formatted(LB);
    assertThat(text(model.handle(get(POOL)))).contains(both);
    assertThat(text(model.handle(get(LB)))).contains(both, second);
    assertThat(text(model.handle(get(LB + "/backendAddressPools")))).contains(both, second);
  }

  @Test
  void put_loadBalancer_replacesItsPools() {
    model.complete(started(model.handle(put(POOL, pool("a=10.0.0.1")))));
    String whole = text(model.handle(get(LB)));
    assertThat(model.handle(put(LB, whole)).started()).isEmpty();
    Handled replaced = model.handle(put(LB, "{\"location\":\"eastus\"}"));
    assertThat(body(replaced).at("/properties/provisioningState").asText()).isEqualTo("Updating");
    assertThat(model.handle(get(POOL)).answer().status()).isEqualTo(404);
  }

  @Test
  void put_entryNames_mustBeThereAndDiffer() {
    Handled empty = model.handle(put(POOL, pool("=10.0.0.1")));
    assertThat(empty.answer().status()).isEqualTo(400);
    assertThat(empty.answer().code()).isEqualTo("InvalidResourceName");
    Handled twice = model.handle(put(POOL, pool("a=10.0.0.1", "A=10.0.0.2")));
    assertThat(text(twice))
        .isEqualTo(
            """
            {"error":{"code":"InvalidRequestFormat","message":"Cannot parse the request.",\
            "details":[{"code":"DuplicateResourceName","message":"Resource %s has two child \
            resources with the same name (A)."}]}}"""
                .formatted(POOL));
  }

  @Test
  void put_badBodies_areRefused() {
    assertThat(code(put(POOL, "[]"))).isEqualTo("InvalidRequestContent");
    assertThat(code(put(POOL, "{\"properties\":{\"loadBalancerBackendAddresses\":1}}")))
        .isEqualTo("InvalidRequestFormat");
    assertThat(code(put(POOL, "{\"properties\":{\"loadBalancerBackendAddresses\":[1]}}")))
        .isEqualTo("InvalidRequestFormat");
    assertThat(code(put(POOL, "{\"properties\":7}"))).isEqualTo("InvalidRequestFormat");
    assertThat(code(put(LB, "{}"))).isEqualTo("LocationRequired");
  }

  private String code(ArmCall call) {
    Handled handled = model.handle(call);
    assertThat(handled.answer().status()).isEqualTo(400);
    return handled.answer().code();
  }

  @Test
  void anyCall_apiVersion_mustBeThereAndNotBeTooOld() {
    assertThat(code(get(LB + "?x=1"))).isEqualTo("MissingApiVersionParameter");
    assertThat(code(get(LB + "?api-version=soon"))).isEqualTo("InvalidApiVersionParameter");
    assertThat(code(get(LB + "?api-version=2021-08-01"))).isEqualTo("NoRegisteredProviderFound");
    assertThat(model.handle(get(LB + "?api-version=2022-11-01")).answer().status()).isEqualTo(200);
    assertThat(model.handle(get(GROUP + "?api-version=2021-04-01")).answer().status())
        .isEqualTo(200);
  }

  @Test
  void get_missing_saysWhatIsMissing() {
    assertThat(text(model.handle(get(LB + "x"))))
        .isEqualTo(
            """
            {"error":{"code":"ResourceNotFound","message":"The Resource \
            'Microsoft.Network/loadBalancers/lbx' under resource group 'rg' was not found. For more \
            details please go to https://aka.ms/ARMResourceNotFoundFix"}}""");
    assertThat(text(model.handle(get(POOL.replace("/rg/", "/other/")))))
        .isEqualTo(
            """
            {"error":{"code":"ResourceGroupNotFound","message":"Resource group 'other' could not be \
            found."}}""");
  }

  @Test
  void paths_inAnyCase_nameTheSameAndAnswersKeepTheFirst() {
    model.complete(started(model.handle(put(POOL, pool("a=10.0.0.1")))));
    Handled shouted =
        model.handle(put(POOL.toUpperCase(java.util.Locale.ROOT), pool("b=10.0.0.2")));
    assertThat(shouted.answer().status()).isEqualTo(200);
    assertThat(body(shouted).path("id").asText()).isEqualTo(POOL);
    assertThat(shouted.poolWrite().orElseThrow().members())
        .containsExactly(member("b", "10.0.0.2"));
  }

  @Test
  void list_moreThanAPage_isFollowedByNextLinks() {
    for (String name : new String[] {"c", "B", "a"}) {
      model.handle(put(LB + "/backendAddressPools/" + name, pool()));
    }
    Handled first = model.handle(get(LB + "/backendAddressPools"));
    assertThat(body(first).path("value").findValuesAsText("name")).containsExactly("a", "B");
    String next = body(first).path("nextLink").asText();
    assertThat(next)
        .isEqualTo("http://arm" + LB + "/backendAddressPools?api-version=2025-05-01&$skipToken=B");
    Handled second = model.handle(get(next.substring(Calls.ORIGIN.length())));
    assertThat(body(second).path("value").findValuesAsText("name")).containsExactly("c");
    assertThat(body(second).has("nextLink")).isFalse();
  }

  @Test
  void delete_isAppliedAtOnceAndFollowedLikeAWrite() {
    model.complete(started(model.handle(put(POOL, pool()))));
    Handled deleted = model.handle(delete(POOL));
    assertThat(deleted.answer().status()).isEqualTo(202);
    assertThat(deleted.answer().headers()).containsKeys("Azure-AsyncOperation", "Location");
    ArmCall result =
        get(deleted.answer().headers().get("Location").substring(Calls.ORIGIN.length()));
    assertThat(model.handle(result).answer().status()).isEqualTo(202);
    model.complete(started(deleted));
    assertThat(model.handle(result).answer().status()).isEqualTo(204);
    assertThat(model.handle(delete(POOL)).answer().status()).isEqualTo(204);
    model.complete(started(model.handle(delete(LB))));
    assertThat(model.handle(get(LB)).answer().status()).isEqualTo(404);
  }

  @Test
  void dump_loadedElsewhere_isTheSameAgain() {
    model.handle(put(LB, RULES.replace("LB/", LB + "/")));
    Handled running = model.handle(put(POOL, pool("a=10.0.0.1", "b=fd00::1")));
    // When
    ArmModel other = new ArmModel(Calls.counting(), 2, 1);
    other.restore(ArmState.load(Calls.json(Calls.dump(model).toString())));
    // Then
    assertThat(Calls.dump(other)).isEqualTo(Calls.dump(model));
    assertThat(text(other.handle(get(LB)))).isEqualTo(text(model.handle(get(LB))));
    assertThat(other.running()).containsExactly(started(running));
    assertThat(other.complete(started(running))).isTrue();
  }

  @Test
  void load_noDump_namesThePlace() {
    var noDump = Calls.json("{\"resourceGroups\":[{\"subscription\":7}]}");
    org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> ArmState.load(noDump))
        .withMessage("resourceGroups[0]: subscription: expected a text but found NUMBER");
  }
}
