package io.poolkeeper.arm.azure;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.LoggerFactory;

/**
 * A server on loopback that gives prepared answers, one per request, and remembers the requests.
 * {@code {base}} in an answer stands for its own URL.
 */
final class ScriptedArm implements AutoCloseable {
  static final PoolId POOL = new LoadBalancerId("sub-1", "rg-1", "lb-1").pool("default-web");
  static final String POOL_BODY =
      """
      {"name":"default-web","id":"%s","etag":"W/\\"e1\\"","properties":{
        "provisioningState":"Succeeded","loadBalancerBackendAddresses":[
        {"name":"node-1","properties":{"ipAddress":"10.0.0.1"}}]}}\
      """
          .formatted(POOL.path());

  /** Longer than any call takes that is not stuck. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The limits of tests: quick where they pause, patient where a busy machine is slow. */
  static final Limits QUICK = quick(PATIENCE);

  /** As these, with a server that may be silent for so long. */
  static Limits quick(Duration silence) {
    return new Limits(
        3,
        Duration.ofMillis(5),
        Duration.ofSeconds(2),
        PATIENCE,
        PATIENCE,
        silence,
        PATIENCE,
        1 << 20,
        3);
  }

  static final Clocks CLOCKS =
      new Clocks(
          System::nanoTime,
          InstantSource.system(),
          InstantSource.system(),
          java.util.SplittableRandom::new);

  /** A request as it arrived. */
  record Request(String method, String uri, Headers headers, String body) {}

  /** The longest wait that an answer may ask for. */
  static final Duration LONGEST = Duration.ofMinutes(15);

  /** What comes after the bytes of a body that are there. */
  enum Rest {
    /** The body has ended. */
    NOTHING,
    /** The connection ends before the body does. */
    BREAK,
    /** The rest of the body never comes. */
    SILENCE
  }

  private record Reply(int status, String body, Map<String, String> headers, Rest rest) {
    Reply(int status, String body, Map<String, String> headers) {
      this(status, body, headers, Rest.NOTHING);
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Reply> script = new ConcurrentLinkedQueue<>();
  private final Map<String, Reply> places = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  ScriptedArm() {
    // Netty writes a line per event at DEBUG.
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  ScriptedArm answers(int status, String body, String... headers) {
    return answersPart(Rest.NOTHING, status, body, headers);
  }

  /** Of the body only this comes, and then the rest. */
  ScriptedArm answersPart(Rest rest, int status, String body, String... headers) {
    Map<String, String> map = new HashMap<>(Map.of("Content-Type", "application/json"));
    for (int i = 0; i < headers.length; i += 2) {
      map.put(headers[i], headers[i + 1]);
    }
    script.add(new Reply(status, body, map, rest));
    return this;
  }

  /** The answer to each request whose URI contains this, before the script. */
  ScriptedArm answersAt(String part, String body) {
    return answersAt(part, 200, body);
  }

  ScriptedArm answersAt(String part, int status, String body) {
    places.put(part, new Reply(status, body, Map.of("Content-Type", "application/json")));
    return this;
  }

  /** An accepted PUT with an operation to follow. */
  ScriptedArm accepts(String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "Azure-AsyncOperation";
    all[headers.length + 1] = "{base}/operations/1?api-version=x&s=%2Fsig%3D";
    return answers(200, "{\"properties\":{\"provisioningState\":\"Updating\"}}", all);
  }

  List<Request> requests() {
    return requests;
  }

  List<String> methods() {
    return requests.stream().map(Request::method).toList();
  }

  String base() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  Azure settings() {
    return settings(URI.create(base()));
  }

  /** A client of this server, with the limits of tests and no credential. */
  AzureArm arm(ArmObserver observer) {
    return AzureArm.create(
        settings(), PATIENCE, LONGEST, observer, CLOCKS, QUICK, client -> Optional.empty());
  }

  static Azure settings(URI endpoint) {
    return settings(endpoint, Optional.empty(), Optional.empty(), new Azure.Credential.None());
  }

  static Azure settings(
      URI endpoint, Optional<URI> authority, Optional<Path> trusted, Azure.Credential credential) {
    return new Azure(
        "sub-1",
        "rg-1",
        "rg-1",
        Optional.empty(),
        List.of(),
        Azure.Cloud.PUBLIC,
        Optional.of(endpoint),
        authority,
        Optional.empty(),
        trusted,
        credential,
        "2025-05-01");
  }

  private void serve(HttpExchange exchange) throws IOException {
    try {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      requests.add(
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              exchange.getRequestHeaders(),
              body));
      String uri = exchange.getRequestURI().toString();
      Reply reply =
          places.entrySet().stream()
              .filter(place -> uri.contains(place.getKey()))
              .map(Map.Entry::getValue)
              .findFirst()
              .or(() -> Optional.ofNullable(script.poll()))
              .orElseGet(() -> new Reply(418, "the script is over", Map.of()));
      reply
          .headers()
          .forEach((name, value) -> exchange.getResponseHeaders().add(name, based(value)));
      byte[] bytes = based(reply.body()).getBytes(UTF_8);
      long length = bytes.length + (reply.rest() == Rest.NOTHING ? 0L : 10L);
      exchange.sendResponseHeaders(reply.status(), length == 0 ? -1 : length);
      exchange.getResponseBody().write(bytes);
      exchange.getResponseBody().flush();
      if (reply.rest() != Rest.SILENCE) {
        exchange.close();
      }
    } catch (IOException | RuntimeException broken) {
      exchange.close();
      throw broken;
    }
  }

  private String based(String text) {
    return text.replace("{base}", base());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
