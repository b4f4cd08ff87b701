package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Acknowledged writes survive the process, whenever it ends, and failed saves are reported. */
class ArmSimStateTest extends SimulatorTest {
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final String LB = GROUP + "/providers/Microsoft.Network/loadBalancers/lb";
  private static final String POOL = LB + "/backendAddressPools/";

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void aLoadBalancer() throws Exception {
    file = Files.createDirectory(folder.resolve("state")).resolve("arm.json");
    sim = done(ArmSim.start(kit.system(), settings(file)));
    put(GROUP, "{\"location\":\"eastus\"}");
    put(LB, "{\"location\":\"eastus\"}");
  }

  @AfterEach
  void close() throws Exception {
    Files.createDirectories(file.getParent());
    done(sim.close());
  }

  private static ArmSimSettings settings(Path file) {
    return ArmSimSettings.fast(System::nanoTime, InstantSource.fixed(Instant.EPOCH))
        .withStateFile(file);
  }

  /** A simulator as after a kill and a restart. */
  private ArmSim successor() throws IOException {
    Path copy = Files.copy(file, folder.resolve("copy.json"));
    return done(ArmSim.start(kit.system(), settings(copy)));
  }

  @Test
  void anAcknowledgedWriteIsInTheFileWhenItsAnswerComes() throws Exception {
    HttpResponse<String> accepted = put(POOL + "p", pool("10.0.0.1"));
    ArmSim other = successor();
    JsonNode found = json(send("GET", other.endpoint() + POOL + "p" + VERSION, ""));
    assertThat(found.path("etag")).isEqualTo(json(accepted).path("etag"));
    assertThat(found.toString()).contains("10.0.0.1");
    done(other.close());
  }

  @Test
  void writesOfManyClientsAreAllInTheFileWhenTheLastOneIsAnswered() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      answers.add(
          http.sendAsync(
              request("PUT", sim.endpoint() + POOL + "p" + i + VERSION, pool("10.0.0." + i)),
              BodyHandlers.ofString()));
    }
    answers.forEach(answer -> assertThat(done(answer).statusCode()).isEqualTo(201));
    JsonNode pools =
        new JsonMapper()
            .readTree(file.toFile())
            .at("/loadBalancers/0/document/properties/backendAddressPools");
    assertThat(pools).hasSize(40);
  }

  @Test
  void aChangeWithoutAWaitingCallerIsSavedSoon() throws Exception {
    HttpResponse<String> accepted = put(POOL + "p", pool("10.0.0.1"));
    assertThat(Files.readString(file)).contains("\"status\":\"running\"");
    poll(accepted);
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(Files.readString(file)).doesNotContain("\"running\""));
  }

  @Test
  void aFailingDiskIsReportedToEveryWriterUntilItRecovers() throws Exception {
    Files.delete(file);
    Files.delete(file.getParent());
    HttpResponse<String> lost = put(POOL + "p", pool("10.0.0.1"));
    assertThat(lost.statusCode()).isEqualTo(500);
    assertThat(json(lost).at("/error/code").asText()).isEqualTo("InternalServerError");
    assertThat(json(lost).at("/error/message").asText())
        .contains("may be lost", "state file " + file + " cannot be written");
    assertThat(send("POST", sim.endpoint() + "/_reset", "").body())
        .contains("state file " + file + " cannot be written");
    assertThat(put(GROUP, "{\"location\":\"eastus\"}").statusCode()).isEqualTo(500);
    assertThat(get(GROUP).statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> done(sim.load(done(sim.dump())))).hasMessageContaining("" + file);

    Files.createDirectory(file.getParent());

    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .ignoreException(NoSuchFileException.class)
        .untilAsserted(() -> assertThat(Files.readString(file)).contains("\"name\":\"rg\""));
    assertThat(put(LB, "{\"location\":\"eastus\"}").statusCode()).isEqualTo(201);
  }

  @Test
  void aStopThatCannotSaveSaysSo() throws Exception {
    Path gone = Files.createDirectory(folder.resolve("gone"));
    ArmSim other = done(ArmSim.start(kit.system(), settings(gone.resolve("arm.json"))));
    send("PUT", other.endpoint() + GROUP + VERSION, "{\"location\":\"eastus\"}");
    Files.delete(gone.resolve("arm.json"));
    Files.delete(gone);
    send("PUT", other.endpoint() + GROUP + "2" + VERSION, "{\"location\":\"eastus\"}");
    assertThatThrownBy(() -> done(other.close())).hasMessageContaining("cannot be written");
  }

  @Test
  void aSpoiledOperationStaysSpoiledAfterARestart() throws Exception {
    fault("{\"method\":\"PUT\",\"path\":\"/stuck$\",\"lro\":\"stuck\"}");
    fault("{\"method\":\"PUT\",\"path\":\"/failed$\",\"lro\":\"failed\",\"code\":\"Odd\"}");
    fault("{\"method\":\"PUT\",\"path\":\"/slow$\",\"lro\":\"poll429\",\"polls\":1}");
    put(LB + "2", "{\"location\":\"eastus\"}");
    put(LB + "3", "{\"location\":\"eastus\"}");
    HttpResponse<String> stuck = put(POOL + "stuck", "{}");
    HttpResponse<String> failed = put(LB + "2/backendAddressPools/failed", "{}");
    HttpResponse<String> slow = put(LB + "3/backendAddressPools/slow", "{}");
    JsonNode before = done(sim.dump());

    done(sim.close());
    sim = done(ArmSim.start(kit.system(), settings(file).withPort(sim.endpoint().getPort())));

    assertThat(done(sim.dump())).isEqualTo(before);
    assertThat(poll(stuck).body()).isEqualTo("{\"status\":\"InProgress\"}");
    assertThat(poll(failed).body()).contains("\"status\":\"Failed\"", "\"code\":\"Odd\"");
    assertThat(poll(slow).statusCode()).isEqualTo(429);
    assertThat(poll(slow).body()).isEqualTo("{\"status\":\"Succeeded\"}");
    // The rules themselves are not saved.
    assertThat(poll(put(LB + "2/backendAddressPools/failed", pool("10.0.0.1"))).body())
        .contains("Succeeded");
  }

  @Test
  void aSimulatorWithoutThePortLeavesTheFileUnchanged() throws Exception {
    ArmSimSettings same = settings(file).withPort(sim.endpoint().getPort());
    Path kept = Files.copy(file, folder.resolve("kept.json"));
    Files.writeString(file, "{\"resourceGroups\":[],\"loadBalancers\":[],\"operations\":[]}");
    assertThatThrownBy(() -> done(ArmSim.start(kit.system(), same))).isNotNull();
    assertThat(file).hasContent("{\"resourceGroups\":[],\"loadBalancers\":[],\"operations\":[]}");
    Files.copy(kept, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void load_malformedSpoiledOperation_isRefusedWithItsPlace() {
    ObjectNode dump = SavedState.empty().dump();
    assertThat(SavedState.load(dump)).isEqualTo(SavedState.empty());
    dump.putArray("spoiled").addObject().putObject("by").put("lost", true);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SavedState.load(dump))
        .withMessageStartingWith("spoiled[0]: expected operation, rule, polls and by");
    dump.put("spoiled", 7);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SavedState.load(dump))
        .withMessage("spoiled: expected an array but found NUMBER");
  }

  private void fault(String rule) throws Exception {
    assertThat(send("POST", sim.endpoint() + "/_faults", rule).statusCode()).isEqualTo(201);
  }

  private static HttpResponse<String> poll(HttpResponse<String> accepted) throws Exception {
    return send("GET", accepted.headers().firstValue("Azure-AsyncOperation").orElseThrow(), "");
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return new JsonMapper().readTree(response.body());
  }
}
