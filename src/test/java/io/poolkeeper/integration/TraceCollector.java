package io.poolkeeper.integration;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Receives traces as OTLP over HTTP, by OpenTelemetry's own messages. */
final class TraceCollector implements AutoCloseable {
  /** A span, ids in hexadecimal. */
  record Received(
      String trace,
      String id,
      String parent,
      String name,
      Map<String, String> attributes,
      List<String> links,
      boolean failed,
      long nanos) {
    private static Received of(Span span) {
      Map<String, String> attributes = new HashMap<>();
      for (KeyValue one : span.getAttributesList()) {
        attributes.put(one.getKey(), text(one.getValue()));
      }
      return new Received(
          hex(span.getTraceId().toByteArray()),
          hex(span.getSpanId().toByteArray()),
          hex(span.getParentSpanId().toByteArray()),
          span.getName(),
          attributes,
          span.getLinksList().stream().map(to -> hex(to.getSpanId().toByteArray())).toList(),
          span.getStatus().getCode() == StatusCode.STATUS_CODE_ERROR,
          span.getEndTimeUnixNano() - span.getStartTimeUnixNano());
    }

    private static String text(AnyValue value) {
      return value.hasStringValue() ? value.getStringValue() : String.valueOf(value.getIntValue());
    }

    private static String hex(byte[] id) {
      return HexFormat.of().formatHex(id);
    }

    String attribute(String name) {
      return attributes.getOrDefault(name, "");
    }
  }

  private final Queue<Received> spans = new ConcurrentLinkedQueue<>();
  private final Queue<String> resources = new ConcurrentLinkedQueue<>();
  private final HttpServer server;

  private volatile Runnable first = () -> {};

  TraceCollector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/traces",
        exchange -> {
          first.run();
          ExportTraceServiceRequest request =
              ExportTraceServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes());
          request
              .getResourceSpansList()
              .forEach(
                  of -> {
                    of.getResource()
                        .getAttributesList()
                        .forEach(
                            one ->
                                resources.add(one.getKey() + "=" + Received.text(one.getValue())));
                    of.getScopeSpansList().stream()
                        .flatMap(scope -> scope.getSpansList().stream())
                        .map(Received::of)
                        .forEach(spans::add);
                  });
          exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  /** Runs that before each request is read. */
  void before(Runnable next) {
    first = next;
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  List<Received> spans() {
    return List.copyOf(spans);
  }

  List<Received> named(String name) {
    return spans.stream().filter(span -> span.name().equals(name)).toList();
  }

  List<Received> children(Received of) {
    return spans.stream().filter(span -> span.parent().equals(of.id())).toList();
  }

  List<String> resources() {
    return List.copyOf(resources);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
