package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.protocol.ArmJson;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rights that are taken and given back while the simulator runs, over real HTTP. */
class ArmSimRightsTest extends SimulatorTest {
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final String LB = GROUP + "/providers/Microsoft.Network/loadBalancers/lb";
  private static final String POOL = LB + "/backendAddressPools/p";

  @BeforeEach
  void startSimulator() throws Exception {
    sim =
        done(
            ArmSim.start(
                kit.system(),
                ArmSimSettings.fast(System::nanoTime, InstantSource.fixed(Instant.EPOCH))));
    put(GROUP, "{\"location\":\"eastus\"}");
    put(LB, "{\"location\":\"eastus\"}");
  }

  @AfterEach
  void stopSimulator() {
    done(sim.close());
  }

  private HttpResponse<String> own(String method, String path, String body) throws Exception {
    return send(method, at(path), body.replace('\'', '"'));
  }

  private HttpResponse<String> as(String client, String method, String body) throws Exception {
    HttpResponse<String> issued =
        send(
            "POST",
            at("/t/oauth2/v2.0/token"),
            "grant_type=client_credentials&client_secret=s&client_id="
                + client
                + "&scope=https%3A%2F%2Fmanagement.azure.com%2F.default",
            "Content-Type",
            "application/x-www-form-urlencoded");
    String token = ArmJson.MAPPER.readTree(issued.body()).path("access_token").asText();
    return send(method, at(POOL) + VERSION, body, "Authorization", "Bearer " + token);
  }

  @Test
  void denials_takenAndGivenBack_refuseWhomTheyNameMeanwhile() throws Exception {
    assertThat(as("me", "PUT", pool("10.0.0.1")).statusCode()).isEqualTo(201);

    HttpResponse<String> taken =
        own("POST", "/_denials", "{'identity':'me','action':'*/write','scope':'" + LB + "'}");
    HttpResponse<String> refused = as("me", "PUT", pool("10.0.0.2"));
    HttpResponse<String> read = as("me", "GET", "");
    HttpResponse<String> another = as("you", "PUT", pool("10.0.0.3"));
    HttpResponse<String> nobody = put(POOL, pool("10.0.0.4"));
    HttpResponse<String> listed = own("GET", "/_denials", "");
    HttpResponse<String> given = own("DELETE", "/_denials/1", "");
    HttpResponse<String> again = as("me", "PUT", pool("10.0.0.5"));

    assertThat(taken.statusCode()).isEqualTo(201);
    assertThat(taken.body()).isEqualTo("{\"id\":\"1\"}");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.headers().firstValue("x-ms-failure-cause")).contains("gateway");
    assertThat(refused.body())
        .startsWith("{\"error\":{\"code\":\"AuthorizationFailed\",\"message\":\"The client 'me'")
        .contains("'Microsoft.Network/loadBalancers/backendAddressPools/write'", "'" + POOL + "'");
    assertThat(read.body()).contains("10.0.0.1");
    assertThat(another.statusCode()).isEqualTo(200);
    assertThat(nobody.statusCode()).isEqualTo(200);
    assertThat(listed.body())
        .isEqualTo(
            "[{\"id\":\"1\",\"identity\":\"me\",\"action\":\"*/write\",\"scope\":\"" + LB + "\"}]");
    assertThat(given.statusCode()).isEqualTo(204);
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(sim.log())
        .filteredOn(entry -> entry.status() == 403)
        .extracting(ArmLogEntry::code)
        .containsExactly("AuthorizationFailed");
    assertThat(sim.maxInFlightPerLoadBalancer()).as("refused writes end").isEqualTo(2);
  }

  @Test
  void denials_withoutIdentity_takeFromEverybodyUntilReset() throws Exception {
    own("POST", "/_faults", "{'status':500,'times':1}");
    own("POST", "/_denials", "{'action':'Microsoft.Network/loadBalancers/read'}");

    HttpResponse<String> refused = get(LB);
    HttpResponse<String> faulty = get(POOL);

    assertThat(refused.body()).contains("The client '00000000-0000-0000-0000-000000000000'");
    assertThat(faulty.statusCode()).as("a refused call uses up no fault").isEqualTo(500);
    assertThat(own("POST", "/_reset", "").statusCode()).isEqualTo(204);
    assertThat(get(LB).statusCode()).isEqualTo(404);
    own("POST", "/_denials", "{'action':'*'}");
    assertThat(own("DELETE", "/_denials", "").statusCode()).isEqualTo(204);
    assertThat(get(LB).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({"/subscriptions/s, false", GROUP + ", true", LB + ", true", LB + "x, true"})
  void permissions_atAScope_areEverythingButWhatIsDeniedThere(String scope, boolean denied)
      throws Exception {
    own("POST", "/_denials", "{'action':'Microsoft.Network/*/write','scope':'" + GROUP + "'}");
    own("POST", "/_denials", "{'action':'Microsoft.Compute/*','identity':'someone-else'}");

    HttpResponse<String> answer = get(scope + "/providers/Microsoft.Authorization/permissions");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"value\":[{\"actions\":[\"*\"],\"notActions\":[%s],\"dataActions\":[],\"notDataActions\":[]}]}"
                .formatted(denied ? "\"Microsoft.Network/*/write\"" : ""));
  }

  @Test
  void permissions_themselvesDeniedOrFaulty_areRefused() throws Exception {
    String path = GROUP + "/providers/microsoft.authorization/Permissions";
    own("POST", "/_faults", "{'status':500,'times':1}");

    HttpResponse<String> faulty = get(path);
    own("POST", "/_denials", "{'action':'Microsoft.Authorization/*'}");
    HttpResponse<String> refused = get(path);
    own("DELETE", "/_denials", "");
    HttpResponse<String> bare = send("GET", at(path), "");

    assertThat(faulty.statusCode()).isEqualTo(500);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(bare.body()).contains("MissingApiVersionParameter");
  }

  @Test
  void denials_wrong_areRefusedInWords() throws Exception {
    HttpResponse<String> wrong = own("POST", "/_denials", "{'actions':['*']}");

    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("unknown member 'actions'");
    assertThat(own("DELETE", "/_denials/7", "").statusCode()).isEqualTo(404);
    assertThat(own("PUT", "/_denials", "{}").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /subscriptions/s/resourceGroups/rg/providers/Microsoft.Resources/deployments/d",
    "PATCH, /subscriptions/s/resourceGroups/rg/providers/Microsoft.Resources/deployments/d",
    "PUT, /subscriptions/s/resourcegroups/rg/providers/microsoft.resources/%44eployments/d",
    "PUT, /subscriptions/s/providers/Microsoft.Resources/deployments/d",
    "PUT, /subscriptions/s/resourceGroups/rg/providers/Microsoft.Resources/deploymentStacks/d",
    "POST, /subscriptions/s/resourceGroups/rg/providers/Microsoft.Resources/deployments/d/validate"
  })
  void aTemplate_isRefusedInWordsThatSayWhatWorks(String method, String path) throws Exception {
    HttpResponse<String> refused = send(method, at(path) + VERSION, "{\"properties\":{}}");

    assertThat(refused.statusCode()).isEqualTo(501);
    assertThat(refused.body()).contains("\"NotImplemented\"", "az rest --method put");
    assertThat(get(path).statusCode()).as("nothing was made").isIn(404, 405);
  }
}
