package io.poolkeeper.armsim.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.poolkeeper.armsim.identity.IdentityCall.IdentityAnswer;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {
  private static final String ORIGIN = "https://127.0.0.1:8443";
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final String RESOURCE = "https://management.azure.com/";
  private static final String ASSERTION_TYPE =
      "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

  private static IdentityRoute route(String path) {
    return IdentityRoute.parse(path).orElseThrow();
  }

  private IdentityAnswer get(String path, Map<String, String> query, Map<String, String> headers) {
    return new IdentityCall("GET", route(path), ORIGIN, query, headers, Map.of()).answer(NOW);
  }

  private IdentityAnswer post(String path, Map<String, String> form) {
    return new IdentityCall("POST", route(path), ORIGIN, Map.of(), Map.of(), form).answer(NOW);
  }

  private static Map<String, String> form(String... overrides) {
    Map<String, String> form = new HashMap<>();
    form.put("grant_type", "client_credentials");
    form.put("client_id", "app");
    form.put("client_secret", "hush");
    form.put("scope", RESOURCE + "/.default openid profile offline_access");
    form.put("resource", RESOURCE);
    for (int i = 0; i < overrides.length; i += 2) {
      form.put(overrides[i], overrides[i + 1]);
    }
    return form;
  }

  private static JsonNode claims(String token) throws Exception {
    String[] parts = token.split("\\.", -1);
    assertThat(parts).hasSize(3);
    return new JsonMapper().readTree(Base64.getUrlDecoder().decode(parts[1]));
  }

  private static String jwt(long expiry) {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return encoder.encodeToString("{}".getBytes(UTF_8))
        + "."
        + encoder.encodeToString(("{\"exp\":" + expiry + "}").getBytes(UTF_8))
        + ".c2ln";
  }

  @Test
  void token_bySecret_isGoodForTheScopesResource() throws Exception {
    IdentityAnswer answer = post("/tenant/oauth2/v2.0/token", form());

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().path("token_type").asText()).isEqualTo("Bearer");
    assertThat(answer.body().path("expires_in").isIntegralNumber()).isTrue();
    JsonNode claims = claims(answer.body().path("access_token").asText());
    assertThat(claims.path("aud").asText()).isEqualTo(RESOURCE);
    assertThat(claims.path("iss").asText()).isEqualTo(ORIGIN + "/tenant/v2.0");
    assertThat(claims.path("tid").asText()).isEqualTo("tenant");
    assertThat(claims.path("azp").asText()).isEqualTo("app");
    assertThat(claims.path("iat").asLong()).isEqualTo(NOW.getEpochSecond());
    assertThat(claims.path("exp").asLong()).isEqualTo(NOW.getEpochSecond() + 3600);
  }

  @Test
  void token_versionOne_saysItsTimesAsText() throws Exception {
    IdentityAnswer answer = post("/tenant/oauth2/token", form());

    assertThat(answer.body().path("expires_on").textValue())
        .isEqualTo(Long.toString(NOW.getEpochSecond() + 3600));
    assertThat(answer.body().path("resource").asText()).isEqualTo(RESOURCE);
    assertThat(claims(answer.body().path("access_token").asText()).path("appid").asText())
        .isEqualTo("app");
  }

  @Test
  void token_byAssertionOrRefreshToken_isIssued() {
    Map<String, String> assertion =
        form(
            "client_secret",
            "",
            "client_assertion_type",
            ASSERTION_TYPE,
            "client_assertion",
            jwt(NOW.getEpochSecond() + 1));
    Map<String, String> refresh = form("grant_type", "refresh_token", "refresh_token", "r");

    assertThat(post("/t/oauth2/v2.0/token", assertion).status()).isEqualTo(200);
    assertThat(post("/t/oauth2/v2.0/token", refresh).body().path("refresh_token").asText())
        .isEqualTo("r");
  }

  @ParameterizedTest
  @CsvSource({
    "grant_type, '', 400, invalid_request, 900144",
    "grant_type, password, 400, unsupported_grant_type, 70003",
    "grant_type, refresh_token, 400, invalid_request, 900144",
    "client_id, '', 400, invalid_request, 900144",
    "client_secret, '', 401, invalid_client, 7000216",
    "client_secret, invalid, 401, invalid_client, 7000215",
    "scope, '', 400, invalid_request, 900144",
    "scope, openid, 400, invalid_scope, 1002012",
    "scope, /.default, 400, invalid_scope, 1002012",
    "scope, https://management.azure.com/read, 400, invalid_scope, 1002012",
  })
  void token_badForm_isRefusedAsTheDirectoryDoes(
      String parameter, String value, int status, String error, int number) {
    IdentityAnswer answer = post("/t/oauth2/v2.0/token", form(parameter, value));

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body().path("error").asText()).isEqualTo(error);
    assertThat(answer.body().path("error_codes").get(0).asInt()).isEqualTo(number);
    assertThat(answer.body().path("error_description").asText())
        .startsWith("AADSTS" + number + ": ")
        .contains("Timestamp: 2026-11-21 10:00:00Z");
    assertThat(answer.body().has("access_token")).isFalse();
  }

  @Test
  void token_versionOneWithoutResource_isRefused() {
    assertThat(post("/t/oauth2/token", form("resource", "")).body().toString())
        .contains("'resource'");
  }

  @ParameterizedTest
  @CsvSource({
    "'', eyJ9.e30.x, 900144",
    "urn:other, a.e30.c, 50027",
    "urn:ietf:params:oauth:client-assertion-type:jwt-bearer, garbage, 50027",
    "urn:ietf:params:oauth:client-assertion-type:jwt-bearer, a.W10.c, 50027",
  })
  void token_badAssertion_isRefused(String type, String assertion, int number) {
    IdentityAnswer answer =
        post(
            "/t/oauth2/v2.0/token",
            form(
                "client_secret", "", "client_assertion_type", type, "client_assertion", assertion));

    assertThat(answer.body().path("error_codes").get(0).asInt()).isEqualTo(number);
  }

  @Test
  void token_assertionWhoseTimeIsOver_isRefused() {
    IdentityAnswer answer =
        post(
            "/t/oauth2/v2.0/token",
            form(
                "client_secret",
                "",
                "client_assertion_type",
                ASSERTION_TYPE,
                "client_assertion",
                jwt(NOW.getEpochSecond())));

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.body().path("error_codes").get(0).asInt()).isEqualTo(700024);
  }

  @Test
  void token_get_isRefused() {
    assertThat(get("/t/oauth2/v2.0/token", Map.of(), Map.of()).status()).isEqualTo(405);
  }

  @Test
  void error_withTheCallersCorrelation_repeatsIt() {
    IdentityAnswer answer =
        new IdentityCall(
                "POST",
                route("/t/oauth2/v2.0/token"),
                ORIGIN,
                Map.of(),
                Map.of("client-request-id", "mine"),
                Map.of())
            .answer(NOW);

    assertThat(answer.body().path("correlation_id").asText()).isEqualTo("mine");
  }

  @Test
  void nothingThatHoldsASecret_isPrinted() {
    IdentityCall call =
        new IdentityCall("POST", route("/t/oauth2/v2.0/token"), ORIGIN, Map.of(), Map.of(), form());
    IdentityAnswer answer = call.answer(NOW);

    assertThat(call.toString()).doesNotContain("hush");
    assertThat(answer.toString())
        .doesNotContain(answer.body().path("access_token").asText().substring(0, 20));
  }

  @Test
  void managedIdentity_askedAsAMachineAsks_getsAToken() throws Exception {
    Map<String, String> query =
        Map.of("api-version", "2018-02-01", "resource", RESOURCE, "client_id", "mine");

    IdentityAnswer answer =
        get("//metadata/identity/oauth2/token", query, Map.of("metadata", "true"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().path("client_id").asText()).isEqualTo("mine");
    assertThat(answer.body().path("expires_in").textValue()).isEqualTo("86400");
    assertThat(claims(answer.body().path("access_token").asText()).path("aud").asText())
        .isEqualTo(RESOURCE);
  }

  @Test
  void managedIdentity_askedWrongly_isRefused() {
    String path = "/metadata/identity/oauth2/token";
    Map<String, String> metadata = Map.of("metadata", "true");
    Map<String, String> complete = Map.of("api-version", "2018-02-01", "resource", RESOURCE);

    assertThat(get(path, complete, Map.of()).status()).isEqualTo(400);
    assertThat(get(path, complete, Map.of("metadata", "false")).status()).isEqualTo(400);
    assertThat(get(path, Map.of("resource", RESOURCE), metadata).status()).isEqualTo(400);
    assertThat(get(path, Map.of("api-version", "2018-02-01"), metadata).status()).isEqualTo(400);
    assertThat(get("/msi/token", complete, Map.of("x-identity-header", "h")).status())
        .isEqualTo(200);
  }

  @Test
  void endpoints_ofEachVersion_nameThisSimulator() {
    JsonNode first = endpoints("2015-01-01");
    JsonNode list = endpoints("2019-05-01");
    JsonNode object = endpoints("2022-09-01");

    assertThat(first.at("/authentication/loginEndpoint").asText()).isEqualTo(ORIGIN + "/");
    assertThat(list.isArray()).isTrue();
    assertThat(list.findValuesAsText("name")).contains("AzureCloud", "AzureStackCloud");
    assertThat(list).allSatisfy(IdentityTest::assertCloud);
    assertCloud(object);
    assertThat(object.path("name").asText()).isEqualTo("AzureCloud");
  }

  private static void assertCloud(JsonNode cloud) {
    assertThat(cloud.path("resourceManager").asText()).isEqualTo(ORIGIN + "/");
    assertThat(cloud.at("/authentication/loginEndpoint").asText()).isEqualTo(ORIGIN);
    assertThat(cloud.at("/authentication/audiences").get(0).asText()).isEqualTo(ORIGIN + "/");
    assertThat(cloud.at("/authentication/tenant").asText()).isEqualTo("common");
    assertThat(cloud.at("/authentication/identityProvider").asText()).isEqualTo("AAD");
  }

  private JsonNode endpoints(String version) {
    return get("/metadata/endpoints", Map.of("api-version", version), Map.of()).body();
  }

  @Test
  void endpoints_ofNoOrAnotherVersion_areRefused() {
    assertThat(get("/metadata/endpoints", Map.of(), Map.of()).status()).isEqualTo(400);
    assertThat(endpoints("2000-01-01").at("/error/message").asText()).contains("2019-05-01");
  }

  @Test
  void openId_ofATenant_leadsBackHere() {
    JsonNode v2 = get("/t/v2.0/.well-known/openid-configuration", Map.of(), Map.of()).body();
    JsonNode v1 = get("/t/.well-known/openid-configuration", Map.of(), Map.of()).body();
    JsonNode instances = get("/common/discovery/instance", Map.of(), Map.of()).body();

    assertThat(v2.path("token_endpoint").asText()).isEqualTo(ORIGIN + "/t/oauth2/v2.0/token");
    assertThat(v1.path("token_endpoint").asText()).isEqualTo(ORIGIN + "/t/oauth2/token");
    assertThat(IdentityRoute.parse(v2.path("jwks_uri").asText().substring(ORIGIN.length())))
        .contains(new IdentityRoute.Keys());
    assertThat(instances.at("/metadata/0/preferred_network").asText()).isEqualTo("127.0.0.1:8443");
    assertThat(get("/discovery/v2.0/keys", Map.of(), Map.of()).body().path("keys")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/_state",
        "/subscriptions/s",
        "/subscriptions/s/resourceGroups/oauth2/token",
        "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/token",
        "/t/v2.0/oauth2/token",
        "/t/oauth2/v3.0/token",
        "/metadata/instance",
      })
  void route_ofSomethingElse_isNone(String path) {
    assertThat(IdentityRoute.parse(path)).isEmpty();
  }
}
