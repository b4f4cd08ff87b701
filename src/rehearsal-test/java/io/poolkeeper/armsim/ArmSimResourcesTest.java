package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resources other than load balancers, over real HTTP. */
class ArmSimResourcesTest extends SimulatorTest {
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final String ADDRESS = GROUP + "/providers/Microsoft.Network/publicIPAddresses/ip";
  private static final String STATIC =
      "{\"location\":\"eastus\",\"properties\":{\"publicIPAllocationMethod\":\"Static\"}}";

  private static ArmSimSettings settings() {
    return ArmSimSettings.fast(System::nanoTime, InstantSource.fixed(Instant.EPOCH));
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return new JsonMapper().readTree(response.body());
  }

  @Test
  void aPublicAddressAndItsGroupLiveAndEndAsAtAzure() throws Exception {
    ArmSim sim = done(ArmSim.start(kit.system(), settings()));
    String address = sim.endpoint() + ADDRESS + VERSION;
    String group = sim.endpoint() + GROUP + VERSION;
    assertThat(send("PUT", address, STATIC).statusCode()).isEqualTo(404);
    send("PUT", group, "{\"location\":\"eastus\"}");

    HttpResponse<String> accepted = send("PUT", address, STATIC);
    assertThat(accepted.statusCode()).isEqualTo(201);
    String link = accepted.headers().firstValue("Azure-AsyncOperation").orElseThrow();
    assertThat(send("GET", link, "").body()).isEqualTo("{\"status\":\"Succeeded\"}");
    HttpResponse<String> read = send("GET", address, "");
    assertThat(json(read).at("/properties/ipAddress").asText()).startsWith("20.");
    assertThat(read.headers().firstValue("ETag")).contains(json(read).path("etag").asText());

    assertThat(send("HEAD", address, "").statusCode()).isEqualTo(204);
    assertThat(send("PATCH", address, "{\"tags\":{\"a\":\"b\"}}").body()).contains("\"a\":\"b\"");
    String register = sim.endpoint() + "/subscriptions/s/providers/Microsoft.Network/register";
    assertThat(send("POST", register + VERSION, "").body()).contains("\"Registered\"");

    HttpResponse<String> deleted = send("DELETE", group, "");
    assertThat(deleted.statusCode()).isEqualTo(202);
    assertThat(deleted.headers().firstValue("Retry-After")).contains("0");
    String location = deleted.headers().firstValue("Location").orElseThrow();
    assertThat(send("GET", location, "").statusCode()).isEqualTo(200);
    assertThat(send("HEAD", group, "").statusCode()).isEqualTo(404);
    done(sim.close());
  }

  @Test
  void aListIsReadToItsEndThroughItsLinks() throws Exception {
    ArmSim sim = done(ArmSim.start(kit.system(), settings().withPageSize(1)));
    String group = sim.endpoint() + GROUP;
    for (String path : new String[] {"", "2"}) {
      send("PUT", group + path + VERSION, "{\"location\":\"eastus\"}");
      send("PUT", (sim.endpoint() + ADDRESS + VERSION).replace("/rg/", "/rg" + path + "/"), STATIC);
    }
    String all = "/subscriptions/s/providers/Microsoft.Network/publicIPAddresses";

    JsonNode first = json(send("GET", sim.endpoint() + all + VERSION, ""));
    JsonNode second = json(send("GET", first.path("nextLink").asText(), ""));

    assertThat(first.at("/value/0/id").asText()).contains("/rg/");
    assertThat(second.at("/value/0/id").asText()).contains("/rg2/");
    assertThat(second.path("value")).hasSize(1);
    assertThat(second.has("nextLink")).isFalse();
    done(sim.close());
  }

  @Test
  void resourcesOutliveTheProcessAndEndWithAReset(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("state.json");
    ArmSim first = done(ArmSim.start(kit.system(), settings().withStateFile(file)));
    send("PUT", first.endpoint() + GROUP + VERSION, "{\"location\":\"eastus\"}");
    send("PUT", first.endpoint() + ADDRESS + VERSION, STATIC);
    done(first.close());
    assertThat(Files.readString(file)).contains("publicIPAddresses/ip");

    ArmSim second = done(ArmSim.start(kit.system(), settings().withStateFile(file)));
    String address = second.endpoint() + ADDRESS + VERSION;
    assertThat(send("GET", address, "").statusCode()).isEqualTo(200);
    send("POST", second.endpoint() + "/_reset", "");
    assertThat(send("GET", address, "").statusCode()).isEqualTo(404);
    assertThat(send("GET", second.endpoint() + "/_state", "").body()).contains("\"resources\":[]");
    done(second.close());
  }
}
