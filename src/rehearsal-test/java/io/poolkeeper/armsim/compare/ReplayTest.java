package io.poolkeeper.armsim.compare;

import static io.poolkeeper.armsim.compare.ModelRecorder.GROUP;
import static io.poolkeeper.armsim.compare.ModelRecorder.LB;
import static io.poolkeeper.armsim.compare.ModelRecorder.LOCATED;
import static io.poolkeeper.armsim.compare.ModelRecorder.POOL;
import static io.poolkeeper.armsim.compare.ModelRecorder.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall.Method;
import io.poolkeeper.armsim.protocol.ArmJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulator against recordings of itself, of Azure, and of what it does not do. */
class ReplayTest {
  private static final String STATUS_LINK = "Azure-AsyncOperation";
  private static final List<String> ALL =
      List.of(
          "not compared: #5, #15 (poll of an operation that still ran)",
          "15 of 15 exchanges answered as recorded");

  private static Comparison replay(JsonNode interactions) {
    List<String> problems = new ArrayList<>();
    Recording recording = Recording.parse("report.json", interactions, problems).orElseThrow();
    assertThat(problems).isEmpty();
    return Replay.of(recording);
  }

  /** The lines but the notes. */
  private static List<String> differences(JsonNode interactions) {
    Comparison comparison = replay(interactions);
    List<String> lines = comparison.lines();
    assertThat(comparison.agrees()).isEqualTo(!lines.getFirst().startsWith("#"));
    return lines.stream().filter(line -> !line.startsWith("not compared")).toList();
  }

  @Test
  void of_aRecordingOfTheSimulator_agreesEverywhere() {
    Comparison comparison = replay(ModelRecorder.life());

    assertThat(comparison.lines()).isEqualTo(ALL);
    assertThat(comparison.agrees()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"adminstate-pool-create-2024-05", "backendaddresspoolclient.AZURECLOUD"})
  void of_aRecordingOfAzure_agreesEverywhere(String name) throws IOException {
    try (InputStream file = ReplayTest.class.getResourceAsStream("/arm/" + name + ".json")) {
      JsonNode recorded = ArmJson.MAPPER.readTree(file);
      int all = recorded.isArray() ? recorded.size() : recorded.path("interactions").size();

      assertThat(differences(recorded))
          .containsExactly("%d of %d exchanges answered as recorded".formatted(all, all));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "3 | /status | 200 | status 200 | status 201",
        "9 | /status | 410 | status 410, NotFound | status 404, NotFound",
        "8 | /status | 200 | status 200, PreconditionFailed, PreconditionFailedEtagMismatch"
            + " | status 412, PreconditionFailed, PreconditionFailedEtagMismatch",
        "8 | /body/error/code | 'Other' | error.code Other | error.code PreconditionFailed",
        "8 | /body/error/details/0/code | 'Other' | error.details[].code Other"
            + " | error.details[].code PreconditionFailedEtagMismatch",
        "8 | /body/error/target | 'x' | error.target | no error.target",
        "7 | /body/properties/added | {'a':{'b':1}} | properties.added | no properties.added",
        "7 | /body/properties/loadBalancerBackendAddresses/0/properties/more | [] |"
            + " properties.loadBalancerBackendAddresses[node-1].properties.more |"
            + " no properties.loadBalancerBackendAddresses[node-1].properties.more",
        "7 | /body/type | | no type | type",
        "7 | /body/properties/provisioningState | 'Failed' | properties.provisioningState Failed"
            + " | properties.provisioningState Succeeded",
        "7 | /body/properties/loadBalancerBackendAddresses/0/properties/adminState | 'Up' |"
            + " properties.loadBalancerBackendAddresses[node-1].properties.adminState Up |"
            + " properties.loadBalancerBackendAddresses[node-1].properties.adminState Down",
        "7 | /body/properties/loadBalancerBackendAddresses/0/properties/ipAddress | '10.0.0.5' |"
            + " properties.loadBalancerBackendAddresses[node-1].properties.ipAddress 10.0.0.5 |"
            + " properties.loadBalancerBackendAddresses[node-1].properties.ipAddress 10.0.0.4",
        "7 | /body/name | 'q' | name q | name p",
        "7 | /body/name | null | name null | name p",
        "6 | /body/status | 'Failed' | status Failed | status Succeeded",
        "6 | /body | null | no body | body",
        "14 | /body | {'a':1} | body | no body",
        "2 | /headers/ETag | | no header ETag | header ETag",
        "3 | /headers/ETag | 'x' | header ETag | no header ETag",
        "3 | /headers/Azure-AsyncOperation | | no header Azure-AsyncOperation |"
            + " header Azure-AsyncOperation",
        "3 | /headers/Retry-After | | no header Retry-After | header Retry-After",
        "11 | /headers/Location | | no header Location | header Location",
      })
  void of_oneDifference_namesExactlyThat(
      int at, String place, String value, String recorded, String simulated) {
    ArrayNode life = ModelRecorder.life();
    JsonPointer pointer = JsonPointer.compile("/response" + place);
    ObjectNode parent = (ObjectNode) life.get(at).at(pointer.head());
    String member = pointer.last().getMatchingProperty();
    if (value == null) {
      parent.remove(member);
    } else {
      parent.set(member, ArmJson.object("{\"v\":" + value.replace('\'', '"') + "}").get("v"));
    }

    List<String> found = differences(life);

    assertThat(found.getFirst()).startsWith("#" + at + " life: ");
    assertThat(found.subList(1, found.size() - 1))
        .containsExactly("  recorded:  " + recorded, "  simulated: " + simulated);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/id", "/etag", "/properties/resourceGuid", "/location"})
  void of_valuesThatDependOnWhenAndWhere_agrees(String place) {
    ArrayNode life = ModelRecorder.life();
    JsonPointer pointer = JsonPointer.compile("/2/response/body" + place);
    assertThat(life.at(pointer).isTextual()).isTrue();
    ((ObjectNode) life.at(pointer.head())).put(pointer.last().getMatchingProperty(), "other");

    assertThat(replay(life).lines()).isEqualTo(ALL);
  }

  @Test
  void of_aDifference_namesCheckMethodAndShortPath() {
    ArrayNode life = ModelRecorder.life();
    ((ObjectNode) life.get(7).path("response")).put("status", 203);
    ((ObjectNode) life.get(0).path("response")).put("status", 202);

    assertThat(differences(life))
        .containsExactly(
            "#0 life: PUT .../resourceGroups/rg",
            "  recorded:  status 202",
            "  simulated: status 200",
            "#7 life: GET .../loadBalancers/lb/backendAddressPools/p",
            "  recorded:  status 203",
            "  simulated: status 200",
            "13 of 15 exchanges answered as recorded");
  }

  @Test
  void of_manyDifferences_listsTwelveAndCountsTheRest() {
    ArrayNode life = ModelRecorder.life();
    for (int i = 0; i < 15; i++) {
      ((ObjectNode) life.get(7).at("/response/body")).put("more" + i, i);
    }

    assertThat(differences(life))
        .hasSize(1 + 2 * 12 + 2)
        .contains("  and 3 more differences", "14 of 15 exchanges answered as recorded");
  }

  @Test
  void of_aWriteThatOnlyTheSimulatorAccepts_takesItBack() {
    var azure = new ModelRecorder();
    azure.put(GROUP, LOCATED);
    azure.put(LB, LOCATED);
    azure.poll(azure.put(POOL, pool("node-1", "10.0.0.4", "None")), STATUS_LINK);
    String etag = azure.get(POOL).headers().get("ETag");
    azure.send(Method.PUT, POOL, "W/\"stale\"", pool("node-2", "10.0.0.5", "None"));
    ((ObjectNode) azure.interactions.get(5).path("request")).remove("headers");
    azure.send(Method.PUT, POOL, etag, pool("node-1", "10.0.0.4", "None"));
    azure.get(POOL);

    assertThat(differences(azure.interactions))
        .containsExactly(
            "#5 life: PUT .../loadBalancers/lb/backendAddressPools/p",
            "  recorded:  status 412, PreconditionFailed, PreconditionFailedEtagMismatch",
            "  simulated: status 200",
            "7 of 8 exchanges answered as recorded");
  }

  @Test
  void of_aWriteThatTheSimulatorRefuses_skipsWhatFollowsFromIt() {
    var azure = new ModelRecorder();
    azure.put(GROUP, LOCATED);
    azure.put(LB, LOCATED);
    azure.poll(azure.put(POOL, "{}"), STATUS_LINK);
    azure.get(POOL);
    ((ObjectNode) azure.interactions.get(1).path("request")).put("body", "no object");

    assertThat(replay(azure.interactions).lines())
        .containsExactly(
            "#1 life: PUT .../loadBalancers/lb",
            "  recorded:  status 201",
            "  simulated: status 400, InvalidRequestContent",
            "#2 life: PUT .../loadBalancers/lb/backendAddressPools/p",
            "  recorded:  status 201",
            "  simulated: status 404, ResourceNotFound",
            "not compared: #3 (poll of an operation that the simulator does not have)",
            "not compared: #4 (not known to the recording: not written in it, or the simulator"
                + " refused that write)",
            "not compared: Location (no recorded answer has it)",
            "1 of 3 exchanges answered as recorded");
  }

  @Test
  void of_aGetThatShowsAnEnd_endsTheOperation() {
    var azure = new ModelRecorder();
    azure.put(GROUP, LOCATED);
    azure.put(LB, LOCATED);
    ArmAnswer written = azure.put(POOL, "{}");
    azure.end(written, STATUS_LINK);
    azure.get(LB);
    ArmAnswer again = azure.put(POOL, pool("node-1", "10.0.0.4", "None"));
    azure.end(again, STATUS_LINK);
    azure.get(POOL);
    azure.end(azure.send(Method.DELETE, GROUP, "", ""), "Location");
    azure.get(GROUP);

    assertThat(differences(azure.interactions))
        .containsExactly("8 of 8 exchanges answered as recorded");
  }

  @Test
  void of_aGetThatShowsAnEndBeforeAPollThatDoesNot_differs() {
    ArrayNode life = ModelRecorder.life();
    ((ObjectNode) life.get(4).at("/response/body/properties"))
        .put("provisioningState", "Succeeded");

    assertThat(differences(life))
        .containsExactly(
            "#4 life: GET .../loadBalancers/lb/backendAddressPools/p",
            "  recorded:  properties.provisioningState Succeeded",
            "  simulated: properties.provisioningState Updating",
            "14 of 15 exchanges answered as recorded");
  }

  @Test
  void of_whatTheRecordingDidNotMake_skipsIt() {
    var azure = new ModelRecorder();
    azure.put(GROUP, "{\"location\":\"westeurope\",\"tags\":{\"a\":\"b\"}}");
    azure.put(LB, LOCATED);
    azure.put(POOL, "{}");
    azure.interactions.removeAll();
    azure.get(GROUP);
    azure.get(GROUP + "-2");
    azure.get(LB);
    azure.get(LB + "/backendAddressPools");
    azure.get(GROUP + "/resources");
    azure.get(LB + "/backendAddressPools/none");
    azure.put(LB + "/backendAddressPools/q", "{}");
    azure.get(LB + "/backendAddressPools/q");
    azure.send(Method.DELETE, POOL, "", "");

    assertThat(replay(azure.interactions).lines())
        .containsExactly(
            "not compared: #2, #3, #4, #8 (not known to the recording: not written in it, or the"
                + " simulator refused that write)",
            "5 of 5 exchanges answered as recorded");
  }

  @Test
  void of_whatARecordingDoesNotExplain_skipsIt() {
    ArrayNode life = ModelRecorder.life();
    int[] status = {403, 401, 503, 429, 429};
    String[] code = {"AuthorizationFailed", "", "", "TooManyRequests", "RetryableError"};
    for (int i = 0; i < status.length; i++) {
      ObjectNode refused = life.get(13).deepCopy();
      ObjectNode response = refused.put("id", "r" + i).withObject("/response");
      response.put("status", status[i]).withObject("/body").removeAll();
      response.withObject("/body/error").put("code", code[i]);
      life.insert(14 + i, refused);
    }
    ObjectNode unanswered = life.get(13).deepCopy();
    unanswered.put("id", "u").remove("response");
    ObjectNode later = life.get(13).deepCopy();
    later.put("id", "l").withObject("/request").put("url", LB + "?$skipToken=x");
    life.insert(14, unanswered).insert(14, later);

    assertThat(replay(life).lines())
        .containsExactly(
            "#r4 life: GET .../loadBalancers/lb/backendAddressPools",
            "  recorded:  status 429, RetryableError",
            "  simulated: status 200",
            "not compared: #u (no answer was recorded)",
            "not compared: #r0, #r1, #r2, #r3 (refused because of rights, quota or a failure, which"
                + " a recording does not explain)",
            ALL.getFirst(),
            "not compared: #l (later page of a list, whose link is Azure's own)",
            "15 of 16 exchanges answered as recorded");
  }

  @Test
  void of_permissions_answersAsForOneWhoMayDoEverything() {
    JsonNode asked =
        ArmJson.object(
            """
            {"interactions": [{"request": {"method": "GET", "url":
              "/subscriptions/s/providers/Microsoft.Authorization/permissions?api-version=2022-04-01"},
              "response": {"status": 200, "body": {"value": [{"actions": ["*"],
              "notActions": [], "dataActions": [], "notDataActions": []}]}}}]}
            """);

    assertThat(differences(asked)).containsExactly("1 of 1 exchanges answered as recorded");
  }

  @Test
  void agrees_withNothingCompared_isFalse() {
    ArrayNode nothing = ModelRecorder.life();
    while (nothing.size() > 1) {
      nothing.remove(1);
    }
    ((ObjectNode) nothing.get(0)).remove("response");

    assertThat(replay(nothing).agrees()).isFalse();
    assertThat(replay(nothing).lines()).contains("0 of 0 exchanges answered as recorded");
  }
}
