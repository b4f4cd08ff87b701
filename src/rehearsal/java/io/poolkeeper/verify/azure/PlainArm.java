package io.poolkeeper.verify.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.azure.PlainPipeline;
import io.poolkeeper.verify.ArmExchange;
import io.poolkeeper.verify.Calls;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * Calls over the SDK's pipeline. Every exchange is reported, those of other clients over it too.
 */
public final class PlainArm implements Calls, AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of an answer; the others say nothing of Resource Manager, or too much of the user. */
  private static final Pattern KEPT =
      Pattern.compile(
          "azure-asyncoperation|location|retry-after|etag|content-type|date"
              + "|x-ms-(request-id|correlation-request-id|failure-cause|error-code)"
              + "|x-ms-(ratelimit|throttle)-.*");

  private final PlainPipeline arm;
  private final String version;
  private final InstantSource wall;

  private PlainArm(PlainPipeline arm, String version, InstantSource wall) {
    this.arm = arm;
    this.version = version;
    this.wall = wall;
  }

  /**
   * Calls as the settings say.
   *
   * @param wall times of exchanges, and their durations
   */
  public static PlainArm connect(Azure azure, InstantSource wall, Consumer<ArmExchange> seen) {
    PlainPipeline pipeline =
        PlainPipeline.connect(
            azure,
            (call, next) -> {
              HttpRequest request = call.getHttpRequest();
              Instant at = wall.instant();
              return next.process()
                  .doOnNext(answer -> seen.accept(exchange(request, at, wall, answer)))
                  .doOnError(failed -> seen.accept(unanswered(request, at, wall, failed)));
            });
    return new PlainArm(pipeline, azure.apiVersion(), wall);
  }

  PlainPipeline pipeline() {
    return arm;
  }

  @Override
  public ArmExchange send(
      String method,
      String url,
      Optional<String> version,
      Map<String, String> headers,
      Optional<JsonNode> body)
      throws InterruptedException {
    String whole = url.startsWith("/") ? arm.url(url, version.orElse(this.version)) : url;
    HttpRequest request = new HttpRequest(HttpMethod.valueOf(method), whole);
    request.setHeader(HttpHeaderName.ACCEPT, "application/json");
    headers.forEach((name, value) -> request.setHeader(HttpHeaderName.fromString(name), value));
    body.ifPresent(
        of -> {
          request.setHeader(HttpHeaderName.CONTENT_TYPE, "application/json");
          request.setBody(BinaryData.fromString(of.toString()));
        });
    Instant at = wall.instant();
    CompletableFuture<ArmExchange> answer =
        Mono.from(arm.pipeline().send(request, Context.NONE))
            .map(response -> exchange(request, at, wall, response))
            .toFuture();
    try {
      return answer.get();
    } catch (ExecutionException failed) {
      return unanswered(request, at, wall, failed);
    } finally {
      answer.cancel(true);
    }
  }

  private static ArmExchange exchange(
      HttpRequest request, Instant at, InstantSource wall, HttpResponse response) {
    Map<String, String> headers = new TreeMap<>();
    response
        .getHeaders()
        .forEach(
            header -> {
              String name = header.getName().toLowerCase(Locale.ROOT);
              if (KEPT.matcher(name).matches()) {
                headers.put(name, header.getValue());
              }
            });
    return new ArmExchange(
        at,
        request.getHttpMethod().toString(),
        pathOf(request),
        sent(request),
        json(request.getBodyAsBinaryData()),
        response.getStatusCode(),
        wall.millis() - at.toEpochMilli(),
        headers,
        json(response.getBodyAsBinaryData()));
  }

  private static ArmExchange unanswered(
      HttpRequest request, Instant at, InstantSource wall, Throwable why) {
    return new ArmExchange(
        at,
        request.getHttpMethod().toString(),
        pathOf(request),
        sent(request),
        json(request.getBodyAsBinaryData()),
        0,
        wall.millis() - at.toEpochMilli(),
        Map.of(),
        TextNode.valueOf(String.valueOf(why.getMessage())));
  }

  private static Map<String, String> sent(HttpRequest request) {
    return Optional.ofNullable(request.getHeaders().getValue(HttpHeaderName.IF_MATCH))
        .map(etag -> Map.of("If-Match", etag))
        .orElse(Map.of());
  }

  private static String pathOf(HttpRequest request) {
    URI uri = URI.create(request.getUrl().toString());
    return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
  }

  private static JsonNode json(BinaryData body) {
    if (body == null) {
      return MissingNode.getInstance();
    }
    byte[] bytes = body.toBytes();
    if (bytes.length == 0) {
      return MissingNode.getInstance();
    }
    try {
      return JSON.readTree(bytes);
    } catch (JsonProcessingException other) {
      return TextNode.valueOf(body.toString());
    } catch (IOException impossible) {
      throw new IllegalStateException("bytes that cannot be read", impossible);
    }
  }

  @Override
  public void close() {
    arm.close();
  }
}
