package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.Context;
import reactor.core.publisher.Mono;

/** Sends raw requests through the pipeline; each gives its answer, whatever its status. */
record ArmCalls(HttpPipeline pipeline) {
  /** Under which the kind of a call lies in its context. */
  static final String KIND = "poolkeeper-call";

  /** The kind of the calls that follow an operation. */
  static final String POLL = "poll";

  /** What the observer calls the call. */
  static String kind(HttpPipelineCallContext context) {
    return context.getData(KIND).map(Object::toString).orElse("other");
  }

  /** A GET; {@code kind} is what the observer calls it. */
  Mono<Answer> get(String kind, String url) {
    return send(kind, request(kind, HttpMethod.GET, url));
  }

  /**
   * A PUT of JSON.
   *
   * @param etag sent as {@code If-Match}, on this request alone; none if empty
   */
  Mono<Answer> put(String url, String etag, byte[] body) {
    HttpRequest request = request("put", HttpMethod.PUT, url).setBody(body);
    request.setHeader(HttpHeaderName.CONTENT_TYPE, "application/json");
    if (!etag.isEmpty()) {
      request.setHeader(HttpHeaderName.IF_MATCH, etag);
    }
    return send("put", request);
  }

  private static HttpRequest request(String kind, HttpMethod method, String url) {
    try {
      return new HttpRequest(method, url).setHeader(HttpHeaderName.ACCEPT, "application/json");
    } catch (IllegalArgumentException e) {
      throw Failures.foreign(kind, "no URL");
    }
  }

  private Mono<Answer> send(String kind, HttpRequest request) {
    return pipeline.send(request, new Context(KIND, kind)).map(Answer::of);
  }
}
