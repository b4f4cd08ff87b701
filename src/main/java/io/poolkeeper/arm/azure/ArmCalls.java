package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.Context;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Sends requests to ARM, each with its kind; reads give their answer, whatever its status.
 *
 * @param parent the context of the trace to which the calls belong
 */
record ArmCalls(HttpPipeline pipeline, Duration maxRetryAfter, Clocks clocks, Context parent) {
  /** The keys of a call's context. */
  static final String KIND = "poolkeeper-call";

  private static final String DOUBT = "poolkeeper-doubt";
  private static final String LOAD_BALANCER = "poolkeeper-load-balancer";

  /** The kinds of calls: GET reads a pool in an attempt, LOOK outside of one. */
  static final String GET = "get";

  static final String LOOK = "look";
  static final String PUT = "put";
  static final String POLL = "poll";
  static final String LIST = "list";
  static final String INTERFACE = "nic";
  static final String RIGHTS = "rights";

  /** The kind of a call, as the observer is given it. */
  static String kind(HttpPipelineCallContext context) {
    return context.getData(KIND).map(Object::toString).orElse("other");
  }

  /** The load balancer that a call is about; empty for listings and interfaces. */
  static Optional<LoadBalancerId> loadBalancer(HttpPipelineCallContext context) {
    return context.getData(LOAD_BALANCER).map(LoadBalancerId.class::cast);
  }

  /** Notes that the call is repeated: the first try of a write may have been taken. */
  static void noteRepeat(HttpPipelineCallContext context) {
    context.getData(DOUBT).ifPresent(doubt -> ((AtomicBoolean) doubt).set(true));
  }

  /** The failure of a call, in doubt if an earlier try of this write may have been taken. */
  static ArmException afterTriesOf(HttpPipelineCallContext context, ArmException failed) {
    boolean inDoubt =
        context.getData(DOUBT).filter(doubt -> ((AtomicBoolean) doubt).get()).isPresent();
    return inDoubt ? Failures.inDoubt(failed) : failed;
  }

  /** A call about a load balancer; the kind is {@link #GET}, {@link #LOOK} or {@link #POLL}. */
  Mono<Answer> get(String kind, LoadBalancerId loadBalancer, String url) {
    HttpRequest request = request(kind, HttpMethod.GET, url);
    return send(request, parent.addData(KIND, kind).addData(LOAD_BALANCER, loadBalancer));
  }

  /** A call about no load balancer; the kind is {@link #LIST}, INTERFACE or RIGHTS. */
  Mono<Answer> get(String kind, String url) {
    return send(request(kind, HttpMethod.GET, url), parent.addData(KIND, kind));
  }

  /** All objects of a collection, page after page; fails on an object that is none. */
  static <T> Mono<List<T>> pages(
      Function<String, Mono<Answer>> get, String url, int maxPages, Function<Json, T> view) {
    Function<String, Mono<Json.Page<T>>> read =
        pageUrl -> get.apply(pageUrl).map(answer -> Json.page(answer.expect(200, 200), view));
    return read.apply(url)
        // Only the objects of a page stay in memory when the next one is requested.
        .expand(page -> page.next().map(read).orElseGet(Mono::empty))
        .index((number, page) -> bounded(number + 1, page, maxPages))
        .concatMapIterable(Json.Page::objects)
        .collectList()
        // The pipeline fails with ArmException only, so this is an id that is none.
        .onErrorMap(
            error -> !(error instanceof ArmException), error -> Json.malformed(error.toString()));
  }

  private static <T> Json.Page<T> bounded(long number, Json.Page<T> page, int maxPages) {
    if (number == maxPages && page.next().isPresent()) {
      throw Json.malformed("the listing has more than %d pages".formatted(maxPages));
    }
    return page;
  }

  /**
   * Writes a pool of a load balancer as JSON; the answer is that of a write that was accepted.
   *
   * @param etag sent as {@code If-Match}, on this request alone; none if empty
   */
  Mono<Answer> put(LoadBalancerId loadBalancer, String url, String etag, byte[] body) {
    HttpRequest request = request(PUT, HttpMethod.PUT, url).setBody(body);
    request.setHeader(HttpHeaderName.CONTENT_TYPE, "application/json");
    if (!etag.isEmpty()) {
      request.setHeader(HttpHeaderName.IF_MATCH, etag);
    }
    AtomicBoolean doubt = new AtomicBoolean();
    Context context = parent.addData(KIND, PUT).addData(LOAD_BALANCER, loadBalancer);
    return send(request, context.addData(DOUBT, doubt))
        .map(answer -> answer.expect(200, 202))
        .onErrorMap(failed -> doubt.get() ? Failures.inDoubt(failed) : failed);
  }

  private static HttpRequest request(String kind, HttpMethod method, String url) {
    try {
      return new HttpRequest(method, url).setHeader(HttpHeaderName.ACCEPT, "application/json");
    } catch (IllegalArgumentException e) {
      throw Failures.foreign(kind, "no URL");
    }
  }

  private Mono<Answer> send(HttpRequest request, Context context) {
    return pipeline
        .send(request, context)
        .map(response -> Answer.of(response).withNotBefore(clocks, maxRetryAfter));
  }
}
