package io.poolkeeper.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The content of a kube-apiserver's etcd, by its HTTP gateway on a loopback port. */
final class Etcd implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  /** The API server renews these itself, or lets them end. */
  private static final Pattern RENEWED =
      Pattern.compile("/registry/(masterleases|leases|events)/.*");

  private final HttpClient http = HttpClient.newHttpClient();
  private final int port;

  Etcd(int port) {
    this.port = port;
  }

  /** A value, in base64, and the revision that wrote it. */
  record Entry(String value, String revision) {}

  /** All entries by their keys. */
  Map<String, Entry> content() throws IOException, InterruptedException {
    Map<String, Entry> all = new TreeMap<>();
    for (JsonNode entry :
        call("kv/range", range("\0").put("range_end", base64("\0"))).path("kvs")) {
      all.put(
          new String(
              Base64.getDecoder().decode(entry.path("key").asText()), StandardCharsets.UTF_8),
          new Entry(entry.path("value").asText(), entry.path("mod_revision").asText()));
    }
    return all;
  }

  /** Deletes what was not there, and writes again what was changed or deleted. */
  void restore(Map<String, Entry> before) throws IOException, InterruptedException {
    Map<String, Entry> now = content();
    // Objects before the definition of their kind, of which the API server forgets where they are.
    List<String> added =
        now.keySet().stream()
            .filter(key -> !before.containsKey(key))
            .sorted(Comparator.reverseOrder())
            .toList();
    for (String key : added) {
      call("kv/deleterange", range(key));
    }
    for (Map.Entry<String, Entry> was : before.entrySet()) {
      if (!was.getValue().equals(now.get(was.getKey()))
          && !RENEWED.matcher(was.getKey()).matches()) {
        call("kv/put", range(was.getKey()).put("value", was.getValue().value()));
      }
    }
  }

  /** Compacts the history up to now. */
  void forgetHistory() throws IOException, InterruptedException {
    String revision = call("kv/range", range("\0")).at("/header/revision").asText();
    call("kv/compaction", JSON.createObjectNode().put("revision", revision).put("physical", true));
  }

  private static ObjectNode range(String key) {
    return JSON.createObjectNode().put("key", base64(key));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private JsonNode call(String call, ObjectNode body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v3/" + call))
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("etcd " + call + ": " + answer.statusCode() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
