package io.poolkeeper.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A replica's API with texts for answers; some stop in the middle, and events go on for ever. */
final class LeaderStub implements AutoCloseable {
  static final String EVENTS = "/api/v1/events";
  private static final int SECOND = 1;

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Set<String> stalled = ConcurrentHashMap.newKeySet();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  LeaderStub() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  LeaderStub answer(String path, String text) {
    answers.put(path, text);
    return this;
  }

  /** The server fails with this text. */
  LeaderStub fail(String path, String text) {
    failing.add(path);
    return answer(path, text);
  }

  /** The head and the text come, the end never. */
  LeaderStub stall(String path, String text) {
    stalled.add(path);
    return answer(path, text);
  }

  Set<String> asked() {
    return asked;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(path);
    String text = answers.get(path);
    try (exchange) {
      exchange.sendResponseHeaders(text == null ? 404 : failing.contains(path) ? 500 : 200, 0);
      exchange.getResponseBody().write(String.valueOf(text).getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      if (stalled.contains(path)) {
        closed.await();
      }
      while (path.equals(EVENTS) && !closed.await(SECOND, TimeUnit.SECONDS)) {
        exchange
            .getResponseBody()
            .write("{\"now\":\"2026-11-28T10:00:01Z\"}\n".getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.close();
  }
}
