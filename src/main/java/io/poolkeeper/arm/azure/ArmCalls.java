package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.ArmFailure;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import reactor.core.publisher.Mono;

/**
 * Sends one request through the pipeline and reads its answer to the end, whatever its status. Both
 * time and size are bounded; failures are {@link ArmException}s.
 */
final class ArmCalls {
  /** Under which the kind of a call lies in its context. */
  static final String KIND = "poolkeeper-call";

  private final Mono<HttpPipeline> pipeline;
  private final Limits limits;
  private final Threads threads;

  ArmCalls(Mono<HttpPipeline> pipeline, Limits limits, Threads threads) {
    this.pipeline = pipeline;
    this.limits = limits;
    this.threads = threads;
  }

  /** A GET; {@code kind} is what the observer calls it. */
  Mono<Answer> get(String kind, String url) {
    return send(kind, request(HttpMethod.GET, url));
  }

  /**
   * A PUT of JSON.
   *
   * @param etag sent as {@code If-Match}, on this request alone; none if empty
   */
  Mono<Answer> put(String url, String etag, byte[] body) {
    HttpRequest request = request(HttpMethod.PUT, url).setBody(body);
    request.setHeader(HttpHeaderName.CONTENT_TYPE, "application/json");
    if (!etag.isEmpty()) {
      request.setHeader(HttpHeaderName.IF_MATCH, etag);
    }
    return send("put", request);
  }

  private static HttpRequest request(HttpMethod method, String url) {
    return new HttpRequest(method, url).setHeader(HttpHeaderName.ACCEPT, "application/json");
  }

  private Mono<Answer> send(String kind, HttpRequest request) {
    return pipeline
        .flatMap(found -> found.send(request, new Context(KIND, kind)))
        .flatMap(this::read)
        .timeout(limits.call(), threads.delays())
        // Large listings are not parsed on the thread that serves all connections.
        .publishOn(threads.work())
        .onErrorMap(Failures::of);
  }

  private Mono<Answer> read(HttpResponse response) {
    return response
        .getBody()
        .collect(ByteArrayOutputStream::new, (all, part) -> append(response, all, part))
        .map(
            all ->
                new Answer(
                    response.getStatusCode(),
                    response.getHeaders(),
                    BinaryData.fromBytes(all.toByteArray())));
  }

  private void append(HttpResponse response, ByteArrayOutputStream all, ByteBuffer part) {
    if (all.size() + part.remaining() > limits.body()) {
      throw new ArmException(
          new ArmFailure(
              ArmFailure.Kind.MALFORMED,
              response.getStatusCode(),
              "",
              "the answer is larger than " + limits.body() + " bytes"));
    }
    byte[] bytes = new byte[part.remaining()];
    part.get(bytes);
    all.writeBytes(bytes);
  }
}
