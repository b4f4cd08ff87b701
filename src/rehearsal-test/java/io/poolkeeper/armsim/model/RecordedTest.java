package io.poolkeeper.armsim.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmCall.Body;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Recorded exchanges with Azure: the simulator gives the same status, relevant headers and body to
 * the byte, except for guids and public addresses.
 */
class RecordedTest {
  private static final String GUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final String PUBLIC_ADDRESS =
      "(\"resourceGuid\":\"[^\"]*\",\"ipAddress\":\")[0-9.]+";
  private static final String ZERO = "00000000-0000-0000-0000-000000000000";

  private final ArmModel model = new ArmModel(Calls.counting(), 100, 1);
  private String operation = "";
  private String location = "";

  @Test
  void aPoolsLifeCycle_recordedByTheCloudProvider_isAnsweredTheSame() throws IOException {
    JsonNode exchanges = read("backendaddresspoolclient.AZURECLOUD.json");
    for (JsonNode exchange : exchanges) {
      replay(exchange);
    }
    assertThat(exchanges).hasSize(23);
    assertThat(model.snapshot().groups()).isEmpty();
  }

  @Test
  void aPoolWithAdminStates_recordedByPowerShell_isAnsweredTheSame() throws IOException {
    String group = "/subscriptions/" + ZERO + "/resourceGroups/ps7108";
    String balancer = group + "/providers/Microsoft.Network/loadBalancers/ps270";
    model.handle(Calls.put(group, "{\"location\":\"westcentralus\"}"));
    model.handle(Calls.put(balancer, "{\"location\":\"westcentralus\"}"));
    int replayed = 0;
    for (JsonNode exchange : read("adminstate-pool-create-2024-05.json").path("interactions")) {
      if (!exchange.path("request").path("method").asText().equals("DELETE")) {
        replay(exchange);
        replayed++;
      }
    }
    assertThat(replayed).isEqualTo(4);
  }

  private void replay(JsonNode exchange) {
    JsonNode request = exchange.path("request");
    JsonNode response = exchange.path("response");
    ArmCall call = call(request);

    Handled handled = model.handle(call);

    ArmAnswer answer = handled.answer();
    String what = request.path("method").asText() + " " + request.path("url").asText();
    assertThat(answer.status()).as(what).isEqualTo(response.path("status").asInt(201));
    assertThat(masked(answer.text())).as(what).isEqualTo(masked(compact(response)));
    checkHeader("Azure-AsyncOperation", response, answer, what);
    checkHeader("Location", response, answer, what);
    checkHeader("ETag", response, answer, what);
    checkHeader("x-ms-failure-cause", response, answer, what);
    if (answer.headers().containsKey("Azure-AsyncOperation")) {
      operation = answer.headers().get("Azure-AsyncOperation");
    }
    location = answer.headers().getOrDefault("Location", location);
  }

  /**
   * The recorded call; a poll goes to the link of the last answer, after its operation has ended.
   */
  private ArmCall call(JsonNode request) {
    String url = request.path("url").asText();
    if (url.contains("/operations/") || url.contains("Azure-AsyncOperation")) {
      String link = operation.substring(Calls.ORIGIN.length());
      model.complete(link.replaceAll(".*/operations/(" + GUID + ").*", "$1"));
      return Calls.get(link);
    }
    if (url.contains("/operationresults/")) {
      model.running().forEach(model::complete);
      return Calls.get(location.substring(Calls.ORIGIN.length()));
    }
    JsonNode body = request.path("body");
    return Calls.call(
        Method.valueOf(request.path("method").asText()),
        url.startsWith("/") ? url : URI.create(url).getPath() + "?" + URI.create(url).getQuery(),
        Optional.empty(),
        body.isObject() ? new Body.Json(body) : new Body.Absent());
  }

  private static void checkHeader(String name, JsonNode response, ArmAnswer answer, String what) {
    Optional<String> recorded = Optional.empty();
    for (var header : response.path("headers").properties()) {
      if (header.getKey().equalsIgnoreCase(name)) {
        recorded = Optional.of(form(header.getValue().asText()));
      }
    }
    assertThat(Optional.ofNullable(answer.headers().get(name)).map(RecordedTest::form))
        .as("%s of %s", name, what)
        .isEqualTo(recorded);
  }

  /** A link without its origin and signature, a guid without its digits. */
  private static String form(String header) {
    return masked(header)
        .replaceAll("^https?://[^/]*", "")
        .replaceAll("(\\?api-version=[0-9-]*)&.*", "$1");
  }

  private static String masked(String text) {
    return text.replaceAll(GUID, ZERO).replaceAll(PUBLIC_ADDRESS, "$1*");
  }

  private static String compact(JsonNode response) {
    return response.path("body").isObject() ? response.path("body").toString() : "";
  }

  private static JsonNode read(String name) throws IOException {
    try (InputStream recorded = RecordedTest.class.getResourceAsStream("/arm/" + name)) {
      return ArmJson.MAPPER.readTree(recorded);
    }
  }
}
