package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * Sends requests through the pipeline, and none to another origin than the endpoint, whether we or
 * an answer named its URL: the token must not go there. Each gives its answer, whatever its status,
 * read to its end within bounds of time and size; failures are {@link ArmException}s.
 */
record ArmCalls(HttpPipeline pipeline, ArmEndpoint endpoint, Limits limits, Threads threads) {
  /** Under which the kind of a call lies in its context. */
  static final String KIND = "poolkeeper-call";

  private static final String LOAD_BALANCER = "poolkeeper-load-balancer";

  /** The kind of the calls that follow an operation. */
  static final String POLL = "poll";

  /** What the observer calls the call. */
  static String kind(HttpPipelineCallContext context) {
    return context.getData(KIND).map(Object::toString).orElse("other");
  }

  /** The load balancer that a call is about; empty for polls and listings. */
  static Optional<LoadBalancerId> loadBalancer(HttpPipelineCallContext context) {
    return context.getData(LOAD_BALANCER).map(LoadBalancerId.class::cast);
  }

  /** Reads a pool of a load balancer. */
  Mono<Answer> get(LoadBalancerId loadBalancer, String url) {
    HttpRequest request = request("get", HttpMethod.GET, url);
    return send(request, new Context(KIND, "get").addData(LOAD_BALANCER, loadBalancer));
  }

  /** The load balancers of a subscription, a resource group at a time, in pages. */
  record Collection(ArmCalls calls, String subscription) {
    Mono<Answer> first(String group) {
      return next(
          calls.endpoint.url(
              "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers"
                  .formatted(subscription, group)));
    }

    Mono<Answer> next(String url) {
      return calls.send(calls.request("list", HttpMethod.GET, url), new Context(KIND, "list"));
    }
  }

  /** Asks how an operation stands. */
  Mono<Answer> poll(String url) {
    return send(request(POLL, HttpMethod.GET, url), new Context(KIND, POLL));
  }

  /**
   * Writes a pool of a load balancer as JSON.
   *
   * @param etag sent as {@code If-Match}, on this request alone; none if empty
   */
  Mono<Answer> put(LoadBalancerId loadBalancer, String url, String etag, byte[] body) {
    HttpRequest request = request("put", HttpMethod.PUT, url).setBody(body);
    request.setHeader(HttpHeaderName.CONTENT_TYPE, "application/json");
    if (!etag.isEmpty()) {
      request.setHeader(HttpHeaderName.IF_MATCH, etag);
    }
    return send(request, new Context(KIND, "put").addData(LOAD_BALANCER, loadBalancer));
  }

  private HttpRequest request(String kind, HttpMethod method, String url) {
    Optional<String> elsewhere = endpoint.foreign(url);
    if (elsewhere.isPresent()) {
      throw Failures.foreign(kind, elsewhere.get());
    }
    return new HttpRequest(method, url).setHeader(HttpHeaderName.ACCEPT, "application/json");
  }

  private Mono<Answer> send(HttpRequest request, Context context) {
    return pipeline
        .send(request, context)
        .flatMap(this::read)
        .timeout(limits.call(), threads.delays())
        // Large listings are not parsed on the thread that serves all connections.
        .publishOn(threads.work())
        .onErrorMap(Failures::of);
  }

  private Mono<Answer> read(HttpResponse response) {
    int status = response.getStatusCode();
    return response
        .getBody()
        .collect(ByteArrayOutputStream::new, (all, part) -> append(status, all, part))
        .map(all -> BinaryData.fromBytes(all.toByteArray()))
        .map(body -> new Answer(status, response.getHeaders(), body));
  }

  private void append(int status, ByteArrayOutputStream all, ByteBuffer part) {
    if (all.size() + part.remaining() > limits.body()) {
      String what = "the answer is larger than " + limits.body() + " bytes";
      throw new ArmException(new ArmFailure(ArmFailure.Kind.MALFORMED, status, "", what));
    }
    byte[] bytes = new byte[part.remaining()];
    part.get(bytes);
    all.writeBytes(bytes);
  }
}
