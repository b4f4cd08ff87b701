package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.model.Calls;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which action a call needs, who has it, and the words for who has not. */
class RightsTest {
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final String LB = GROUP + "/providers/Microsoft.Network/loadBalancers/lb";
  private static final String POOL = LB + "/backendAddressPools/p";
  private static final String NET = "/subscriptions/n/vnet";
  private static final Caller ME = new Caller("hash", "me", "my-object");

  private final Rights rights = new Rights();

  private static JsonNode json(String text) {
    return Calls.json(text.replace('\'', '"'));
  }

  private static ArmCall call(Method method, String path, Body body) {
    return Calls.call(method, path, Optional.empty(), body);
  }

  private static ArmCall call(Method method, String path) {
    return call(method, path, new Body.Absent());
  }

  private static ArmCall put(String path, String body) {
    return call(Method.PUT, path, new Body.Json(json(body)));
  }

  private static Denial denial(String text) {
    return Denial.parse(json(text));
  }

  private static String bearer(String claims) {
    return "Bearer e30."
        + Base64.getUrlEncoder()
            .encodeToString(json(claims).toString().getBytes(StandardCharsets.UTF_8))
        + ".";
  }

  @ParameterizedTest
  @CsvSource({
    "GET, LB, Microsoft.Network/loadBalancers/read, LB",
    "HEAD, LB, Microsoft.Network/loadBalancers/read, LB",
    "PUT, LB, Microsoft.Network/loadBalancers/write, LB",
    "PATCH, LB, Microsoft.Network/loadBalancers/write, LB",
    "DELETE, LB, Microsoft.Network/loadBalancers/delete, LB",
    "PUT, LB/backendAddressPools/p, Microsoft.Network/loadBalancers/backendAddressPools/write, LB/backendAddressPools/p",
    "GET, LB/backendAddressPools, Microsoft.Network/loadBalancers/backendAddressPools/read, LB",
    "POST, LB/migrateToIpBased, Microsoft.Network/loadBalancers/migrateToIpBased/action, LB",
    "GET, RG/providers/Microsoft.Network/loadBalancers, Microsoft.Network/loadBalancers/read, RG/providers/Microsoft.Network",
    "GET, RG/providers/a/providers/b, a/providers/read, RG/providers/a/providers/b",
    "PUT, LB/providers/Microsoft.Authorization/locks/l, Microsoft.Authorization/locks/write, LB/providers/Microsoft.Authorization/locks/l",
    "GET, /subscriptions/s/providers/Microsoft.Network/locations/eastus/operations/1, Microsoft.Network/locations/operations/read, /subscriptions/s/providers/Microsoft.Network/locations/eastus/operations/1",
    "POST, /subscriptions/s/providers/Microsoft.Network/register, Microsoft.Network/register/action, /subscriptions/s/providers/Microsoft.Network",
    "GET, /subscriptions/s/providers/Microsoft.Network, Microsoft.Resources/subscriptions/providers/read, /subscriptions/s/providers/Microsoft.Network",
    "GET, RG, Microsoft.Resources/subscriptions/resourceGroups/read, RG",
    "GET, RG/resources, Microsoft.Resources/subscriptions/resourceGroups/resources/read, RG",
    "GET, /subscriptions/s/resourceGroups, Microsoft.Resources/subscriptions/resourceGroups/read, /subscriptions/s",
    "GET, /subscriptions/s, Microsoft.Resources/subscriptions/read, /subscriptions/s",
    "GET, /a%20b/c, Microsoft.Resources/a b/read, /a b/c"
  })
  void action_ofAMethodAndAPath_isAzures(Method method, String path, String name, String scope) {
    assertThat(Action.of(call(method, placed(path)))).contains(new Action(name, placed(scope)));
  }

  private static String placed(String path) {
    return path.replaceFirst("^LB", LB).replaceFirst("^RG", GROUP);
  }

  @ParameterizedTest
  @CsvSource({"GET, /subscriptions", "GET, /tenants", "OTHER, /a/b", "GET, /a/%zz", "GET, /a//b"})
  void action_ofWhatNeedsNoRight_isNone(Method method, String path) {
    rights.take(denial("{'action':'*'}"));

    assertThat(rights.refusal(ME, call(method, path))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, *, /, true",
        "me, *, /, true",
        "ME, *, /, true",
        "My-Object, *, /, true",
        "hash, *, /, false",
        "you, *, /, false",
        "-, Microsoft.Network/loadBalancers/read, /, true",
        "-, microsoft.network/LOADBALANCERS/read, /, true",
        "-, Microsoft.Network/loadBalancers/write, /, false",
        "-, Microsoft.Network/loadBalancers, /, false",
        "-, MicrosoftxNetwork/loadBalancers/read, /, false",
        "-, Microsoft.Network/*, /, true",
        "-, */read, /, true",
        "-, *.Network/*/read, /, true",
        "-, */write, /, false",
        "-, *, /subscriptions/s, true",
        "-, *, /SUBSCRIPTIONS/s/resourcegroups/RG/, true",
        "-, *, /subscriptions/s/resourceGroups/r, false",
        "-, *, /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/lb, true",
        "-, *, /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/lb/x, false"
      })
  void refusal_byIdentityActionAndScope(
      String identity, String action, String scope, boolean refused) {
    rights.take(new Denial(Optional.ofNullable(identity), action, scope));

    assertThat(rights.refusal(ME, call(Method.GET, LB)).isPresent()).isEqualTo(refused);
  }

  @Test
  void refusal_withoutTheRight_hasAzuresText() {
    rights.take(denial("{'action':'*/write'}"));

    ArmAnswer answer = rights.refusal(ME, put(POOL, "{}")).orElseThrow();

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.headers()).containsEntry("x-ms-failure-cause", "gateway");
    assertThat(answer.text())
        .isEqualTo(
            "{\"error\":{\"code\":\"AuthorizationFailed\",\"message\":\"The client 'me' with object"
                + " id 'my-object' does not have authorization to perform action"
                + " 'Microsoft.Network/loadBalancers/backendAddressPools/write' over scope '"
                + POOL
                + "' or the scope is invalid. If access was recently granted, please refresh your"
                + " credentials.\"}}");
  }

  @Test
  void refusal_withoutTheRightToJoinANetwork_hasAzuresText() {
    rights.take(denial("{'action':'*/joinLoadBalancer/action','scope':'/subscriptions/n'}"));
    String body =
        """
        {'properties':{'virtualNetwork':{'id':'/subscriptions/s/vnet'},
         'loadBalancerBackendAddresses':[
          {'properties':{'virtualNetwork':{'id':'/subscriptions/n/vnet'}}},
          {'properties':{'virtualNetwork':{'id':'/subscriptions/n/vnet'}}},
          {'properties':{'virtualNetwork':{'id':'/subscriptions/n/other'}}},
          {'properties':{'virtualNetwork':{}}}]}}
        """;

    ArmAnswer answer = rights.refusal(ME, put(POOL, body)).orElseThrow();

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.text())
        .isEqualTo(
            "{\"error\":{\"code\":\"LinkedAuthorizationFailed\",\"message\":\"The client 'me' with"
                + " object id 'my-object' has permission to perform action"
                + " 'Microsoft.Network/loadBalancers/backendAddressPools/write' on scope '"
                + POOL
                + "'; however, it does not have permission to perform action(s) '"
                + "Microsoft.Network/virtualNetworks/joinLoadBalancer/action,"
                + "Microsoft.Network/virtualNetworks/joinLoadBalancer/action"
                + "' on the linked scope(s) '/subscriptions/n/vnet,/subscriptions/n/other'"
                + " (respectively) or the linked scope(s) are invalid.\"}}");
  }

  @Test
  void linked_onlyInWritesOfABalancerThatNameANetwork() {
    rights.take(new Denial(Optional.empty(), Action.JOIN, "/"));
    String body = "{'virtualNetwork':{'id':'" + NET + "'}}";
    String gateway = GROUP + "/providers/Microsoft.Network/virtualNetworkGateways/g";

    assertThat(rights.refusal(ME, put(LB, body))).isPresent();
    assertThat(rights.refusal(ME, put(gateway, body))).isEmpty();
    assertThat(rights.refusal(ME, put(POOL, "{}"))).isEmpty();
    assertThat(rights.refusal(ME, call(Method.PUT, POOL, new Body.Malformed("?")))).isEmpty();
    assertThat(rights.refusal(ME, call(Method.DELETE, POOL))).isEmpty();
  }

  @Test
  void linked_manyNetworks_tenAreNamed() {
    rights.take(new Denial(Optional.empty(), Action.JOIN, "/"));
    List<String> networks =
        IntStream.range(0, 11).mapToObj("{'virtualNetwork':{'id':'/n%d'}}"::formatted).toList();

    ArmAnswer answer = rights.refusal(ME, put(POOL, "{'a':" + networks + "}")).orElseThrow();

    assertThat(answer.text()).contains("/n9").doesNotContain("/n10");
  }

  @Test
  void giveBack_ofOneOfTwoDenials_leavesTheOther() {
    long first = rights.take(denial("{'action':'*'}")).orElseThrow();
    long second = rights.take(denial("{'action':'*/read','identity':'me'}")).orElseThrow();

    assertThat(rights.giveBack(first)).isTrue();

    assertThat(rights.giveBack(first)).isFalse();
    assertThat(rights.denials()).containsOnlyKeys(second);
    assertThat(rights.refusal(ME, call(Method.GET, LB))).isPresent();
    assertThat(rights.refusal(ME, call(Method.DELETE, LB))).isEmpty();
    assertThat(rights.refusal(Caller.ANONYMOUS, call(Method.GET, LB))).isEmpty();
  }

  @Test
  void take_tooMany_isRefused() {
    IntStream.range(0, 1_000).forEach(i -> rights.take(denial("{'action':'a'}")));

    assertThat(rights.take(denial("{'action':'*'}"))).isEmpty();

    assertThat(rights.refusal(ME, call(Method.GET, LB))).isEmpty();
    rights.clear();
    assertThat(rights.take(denial("{'action':'*'}"))).hasValue(1_001L);
  }

  @Test
  void denial_wrong_saysEverythingThatIs() {
    assertThatThrownBy(
            () -> denial("{'actions':['*'],'scope':'rg','identity':'a b','action':'a?'}"))
        .hasMessage(
            "denial: action must be like Microsoft.Network/loadBalancers/write, with * for any"
                + " text, found 'a?'; scope must be a path such as"
                + " /subscriptions/s/resourceGroups/rg, found 'rg'; identity must be a client or"
                + " object id, 1 to 100 characters without spaces; unknown member 'actions';"
                + " allowed are [action, identity, scope]");
    assertThatThrownBy(() -> denial("{}")).hasMessageContaining("action must be like");
    assertThatThrownBy(() -> denial("[]")).hasMessage("a denial is a JSON object, found ARRAY");
  }

  @ParameterizedTest
  @CsvSource({
    "'{''appid'':''a'',''oid'':''o''}', a, o",
    "'{''azp'':''a'',''oid'':''o''}', a, o",
    "'{''appid'':''a''}', a, a",
    "'{''oid'':''o''}', o, o"
  })
  void caller_withAToken_isWhoItNames(String claims, String client, String object) {
    Caller caller = Caller.of(bearer(claims));

    assertThat(caller.client()).isEqualTo(client);
    assertThat(caller.object()).isEqualTo(object);
  }

  @Test
  void caller_withoutIdentity_isItsHeadersHash() {
    String tooLong = bearer("{'appid':'" + "a".repeat(101) + "','oid':' '}");

    for (String header : List.of("Bearer secret", "Basic secret", bearer("{}"), tooLong)) {
      Caller caller = Caller.of(header);
      assertThat(caller.client()).isEqualTo(caller.object()).isEqualTo(caller.principal());
      assertThat(caller.principal()).hasSize(36).isNotEqualTo(Caller.ANONYMOUS.principal());
    }
  }
}
