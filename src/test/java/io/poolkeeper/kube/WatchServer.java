package io.poolkeeper.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** An API server of EndpointSlices only, with HTTP watches. */
final class WatchServer implements AutoCloseable {
  /** No line of a watch: its end. */
  private static final String END = "";

  private final HttpServer server;
  private final Map<String, EndpointSlice> slices = new TreeMap<>();
  private final List<String> history = new ArrayList<>();
  private final List<BlockingQueue<String>> watches = new CopyOnWriteArrayList<>();
  private final List<String> lists = new CopyOnWriteArrayList<>();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean refusing;
  private volatile boolean mute;
  private volatile boolean forbidden;

  WatchServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** A client of a port that leads here. */
  static KubernetesClient client(int port) {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder()
                .withAutoConfigure(false)
                .withMasterUrl("http://127.0.0.1:" + port)
                .withOnlyHttpWatches(true)
                .withHttp2Disable(true)
                .withConnectionTimeout(1_000)
                .withRequestTimeout(1_000)
                .withWatchReconnectInterval(50)
                .withWatchReconnectLimit(-1)
                .build())
        .build();
  }

  /** The queries of the lists so far. */
  List<String> lists() {
    return List.copyOf(lists);
  }

  int watches() {
    return watches.size();
  }

  /** Ends all watches, and answers 429 to everything until it admits again. */
  synchronized void refuse() {
    refusing = true;
    watches.forEach(watch -> watch.add(END));
  }

  /** How many requests it has answered with 429. */
  int refused() {
    return refused.get();
  }

  /** From now on watches can be opened, and carry nothing. */
  void mute() {
    mute = true;
  }

  /** Answers 403 to new watches, and still lists. */
  void forbidWatches() {
    forbidden = true;
  }

  void admit() {
    refusing = false;
  }

  synchronized void put(EndpointSlice slice) {
    String name = slice.getMetadata().getName();
    publish(slices.put(name, slice) == null ? "ADDED" : "MODIFIED", slice);
  }

  synchronized void delete(String name) {
    publish("DELETED", Objects.requireNonNull(slices.remove(name)));
  }

  private void publish(String type, EndpointSlice slice) {
    slice.getMetadata().setResourceVersion(Integer.toString(history.size() + 1));
    String line =
        "{\"type\":\"%s\",\"object\":%s}%n"
            .formatted(type, Serialization.asJson(slice).replace("\n", ""));
    history.add(line);
    if (!mute) {
      watches.forEach(watch -> watch.add(line));
    }
  }

  private synchronized BlockingQueue<String> watchFrom(int version) {
    Collection<String> missed = history.subList(mute ? history.size() : version, history.size());
    BlockingQueue<String> watch = new LinkedBlockingQueue<>(missed);
    watches.add(watch);
    return watch;
  }

  private synchronized String list() {
    return "{\"kind\":\"EndpointSliceList\",\"apiVersion\":\"discovery.k8s.io/v1\","
        + "\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[%s]}"
            .formatted(
                history.size(),
                String.join(",", slices.values().stream().map(Serialization::asJson).toList()));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String query = Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), "");
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    try (exchange;
        OutputStream body = exchange.getResponseBody()) {
      if (refusing) {
        refused.incrementAndGet();
        exchange.getResponseHeaders().add("Retry-After", "1");
        exchange.sendResponseHeaders(429, -1);
        return;
      }
      boolean watch = query.contains("watch=true");
      exchange.sendResponseHeaders(watch && forbidden ? 403 : 200, watch && forbidden ? -1 : 0);
      if (watch && forbidden) {
        return;
      }
      if (!watch) {
        lists.add(query);
        body.write(list().getBytes(StandardCharsets.UTF_8));
        return;
      }
      body.flush();
      watch(watchFrom(version(query)), body);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch(BlockingQueue<String> watch, OutputStream body) throws InterruptedException {
    try {
      for (String line = watch.take(); !line.equals(END); line = watch.take()) {
        body.write(line.getBytes(StandardCharsets.UTF_8));
        body.flush();
      }
    } catch (IOException gone) {
      // The client has ended it.
    }
    watches.remove(watch);
  }

  private static int version(String query) {
    for (String part : query.split("&", -1)) {
      if (part.startsWith("resourceVersion=")) {
        return Integer.parseInt(part.substring("resourceVersion=".length()));
      }
    }
    throw new IllegalArgumentException("a watch without a version: " + query);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
