package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ARM simulator as a process: what is left of it after a kill. The test of the command has the
 * rest.
 */
class ArmSimIT {
  private static final String VERSION = "?api-version=2025-05-01";
  private static final String GROUP = "/subscriptions/s/resourceGroups/rg";
  private static final String LB = GROUP + "/providers/Microsoft.Network/loadBalancers/lb";
  private static final String POOL = LB + "/backendAddressPools/web";
  private static final String LOCATION = "{\"location\":\"eastus\"}";
  private static final String MEMBERS =
      "{\"properties\":{\"loadBalancerBackendAddresses\":"
          + "[{\"name\":\"n\",\"properties\":{\"ipAddress\":\"10.0.0.4\"}}]}}";

  @TempDir private Path directory;
  private HttpClient http;

  @BeforeEach
  void open() {
    http = HttpClient.newHttpClient();
  }

  @AfterEach
  void close() {
    http.shutdownNow();
  }

  private Program start(String... options) throws Exception {
    return Program.start(
        directory,
        Map.of(),
        Stream.concat(Stream.of("arm-sim"), Stream.of(options)).toArray(String[]::new));
  }

  private HttpResponse<String> send(String method, URI base, String path, String body)
      throws Exception {
    return http.send(
        HttpRequest.newBuilder(base.resolve(path + VERSION))
            .timeout(Duration.ofSeconds(10))
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void killedAndStartedAgainItKnowsWhatItAcknowledged() throws Exception {
    String port;
    try (Program first = start("--state", "arm.json")) {
      URI base = URI.create(first.awaitOut("listening on "));
      assertThat(base.getHost()).isEqualTo("127.0.0.1");
      assertThat(send("PUT", base, GROUP, LOCATION).statusCode()).isEqualTo(201);
      assertThat(send("PUT", base, LB, LOCATION).statusCode()).isEqualTo(201);
      assertThat(send("PUT", base, POOL, MEMBERS).statusCode()).isEqualTo(201);
      assertThat(first.out()).containsExactly("listening on " + base);
      port = Integer.toString(base.getPort());

      first.kill();
    }

    try (Program second = start("--state", "arm.json", "--port", port)) {
      URI base = URI.create(second.awaitOut("listening on "));
      assertThat(send("GET", base, POOL, "").body()).contains("10.0.0.4");

      int code = second.terminate();

      assertThat(code).isZero();
      assertThat(second.err()).isEmpty();
      assertThat(Files.readString(directory.resolve("arm.json"))).contains("10.0.0.4");
      assertThat(directory.toFile().list())
          .as("nothing else is left")
          .allMatch(name -> name.equals("arm.json") || name.startsWith("program"));
    }
  }
}
