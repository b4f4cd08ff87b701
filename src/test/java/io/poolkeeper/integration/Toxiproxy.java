package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Toxiproxy as a process, which breaks connections on their way to a port. */
final class Toxiproxy implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration START = Duration.ofSeconds(20);

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI api;
  private final Process process;

  /** What is done to a connection, with the attribute that says how much. */
  enum Toxic {
    /** Resets each connection so many milliseconds after its first byte. */
    RESET_PEER("timeout"),
    /** Closes each connection after so many bytes of answers. */
    LIMIT_DATA("bytes"),
    /** Milliseconds. */
    LATENCY("latency"),
    /** Kilobytes a second. */
    BANDWIDTH("rate");

    private final String attribute;

    Toxic(String attribute) {
      this.attribute = attribute;
    }
  }

  /**
   * Starts one.
   *
   * @param directory for its log
   */
  Toxiproxy(Path directory) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    api = URI.create("http://127.0.0.1:" + port);
    Path program = Path.of(System.getProperty("kube.native.dir"), "bin", "toxiproxy-server");
    process =
        new ProcessBuilder(program.toString(), "-host", "127.0.0.1", "-port", "" + port)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("toxiproxy.log").toFile())
            .start();
    await().atMost(START).ignoreExceptions().until(() -> send("GET", "/version", "") != null);
  }

  /** A proxy to a loopback port. */
  Link to(String name, int target) {
    ObjectNode wanted =
        JSON.createObjectNode()
            .put("name", name)
            .put("listen", "127.0.0.1:0")
            .put("upstream", "127.0.0.1:" + target)
            .put("enabled", true);
    String listen = read(send("POST", "/proxies", wanted.toString())).path("listen").asText();
    return new Link(name, Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1)), listen);
  }

  private static ObjectNode read(String text) {
    try {
      return (ObjectNode) JSON.readTree(text);
    } catch (IOException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  private String send(String method, String path, String body) {
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(api.resolve(path))
                  .method(method, BodyPublishers.ofString(body))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
      return answer.body();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** A way through it, whole at first. */
  final class Link {
    private final String path;
    private final String listen;
    private final int port;

    private Link(String name, int port, String listen) {
      this.path = "/proxies/" + name;
      this.port = port;
      this.listen = listen;
    }

    int port() {
      return port;
    }

    /** Applies to what comes from the server, on new connections and on those there are. */
    void poison(Toxic toxic, long amount) {
      String type = toxic.name().toLowerCase(Locale.ROOT);
      ObjectNode wanted =
          JSON.createObjectNode()
              .put("name", type)
              .put("type", type)
              .put("stream", "downstream")
              .put("toxicity", 1.0);
      wanted.putObject("attributes").put(toxic.attribute, amount);
      send("POST", path + "/toxics", wanted.toString());
    }

    /** Ends all connections and refuses new ones. */
    void down() {
      enable(false);
    }

    /** Carries everything again. */
    void heal() {
      for (JsonNode toxic : read(send("GET", path, "")).path("toxics")) {
        send("DELETE", path + "/toxics/" + toxic.path("name").asText(), "");
      }
      enable(true);
    }

    private void enable(boolean up) {
      ObjectNode wanted = JSON.createObjectNode().put("enabled", up).put("listen", listen);
      send("POST", path, wanted.toString());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    http.shutdownNow();
  }
}
