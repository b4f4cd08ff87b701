package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Throttle;
import io.poolkeeper.arm.ThrottledException;
import io.poolkeeper.arm.azure.ThrottleGates.Gate;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Ends every call that ARM answers with 429, and for as long as ARM asked, every such call before
 * it is sent (spec 1, ThrottleError). It stands inside the repetition of a call, so that none is
 * repeated against a closed gate.
 *
 * <p>A 429 whose code begins with {@code RetryableError} is a lock on one load balancer and closes
 * that one's gate; every other closes the subscription's (facts about ARM: locks are no quotas).
 */
final class ThrottlePolicy implements HttpPipelinePolicy {
  private static final Logger log = LoggerFactory.getLogger(ThrottlePolicy.class);
  private static final int TOO_MANY_REQUESTS = 429;

  /** In bytes; what is longer is no error of ARM's and says nothing. */
  private static final int MAX_BODY = 64 * 1024;

  private static final String LOCK = "RetryableError";

  private final ThrottleGates gates = new ThrottleGates();
  private final Duration maxRetryAfter;
  private final ArmObserver observer;
  private final Clocks clocks;

  ThrottlePolicy(Duration maxRetryAfter, ArmObserver observer, Clocks clocks) {
    this.maxRetryAfter = maxRetryAfter;
    this.observer = observer;
    this.clocks = clocks;
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return Mono.defer(
        () -> {
          Optional<ThrottledException> held = held(context.getHttpRequest());
          return held.isPresent() ? Mono.error(held.get()) : next.process().flatMap(this::check);
        });
  }

  private Optional<ThrottledException> held(HttpRequest request) {
    Instant now = clocks.monotonic().instant();
    return Stream.concat(Stream.of(subscription(request)), loadBalancer(request).stream())
        .flatMap(gate -> gates.closedUntil(gate).stream())
        .filter(until -> until.isAfter(now))
        .max(Instant::compareTo)
        .map(
            until ->
                new ThrottledException(
                    "",
                    "not sent, as an earlier answer asked to wait %d s more"
                        .formatted(Duration.between(now, until).plusMillis(999).toSeconds()),
                    until));
  }

  private Mono<HttpResponse> check(HttpResponse response) {
    if (response.getStatusCode() != TOO_MANY_REQUESTS) {
      return Mono.just(response);
    }
    return response
        .getBody()
        .collect(ByteArrayOutputStream::new, ThrottlePolicy::append)
        .flatMap(body -> Mono.error(throttled(response, body.toByteArray())));
  }

  private static void append(ByteArrayOutputStream body, ByteBuffer part) {
    byte[] bytes = new byte[Math.min(part.remaining(), MAX_BODY - body.size())];
    part.get(bytes);
    body.writeBytes(bytes);
  }

  private ThrottledException throttled(HttpResponse response, byte[] body) {
    HttpRequest request = response.getRequest();
    ErrorBody error =
        ErrorBody.of(
            new Answer(TOO_MANY_REQUESTS, response.getHeaders(), BinaryData.fromBytes(body)));
    Gate gate =
        loadBalancer(request)
            .filter(balancer -> error.code().regionMatches(true, 0, LOCK, 0, LOCK.length()))
            .orElseGet(() -> subscription(request));
    Instant now = clocks.monotonic().instant();
    Instant asked = retryAfter(response.getHeaderValue(HttpHeaderName.RETRY_AFTER), gate, now);
    Instant until = gates.close(gate, asked, now);
    observer.throttled(new Throttle(gate.loadBalancer(), gate.writes(), until));
    return new ThrottledException(error.code(), Failures.line(error.message()), until);
  }

  /** No header: no wait. A header that says nothing leaves the gate as it was. */
  private Instant retryAfter(@Nullable String header, Gate gate, Instant now) {
    if (header == null || header.isBlank()) {
      return now;
    }
    Optional<RetryAfter> said = RetryAfter.parse(header, clocks.wall().instant(), maxRetryAfter);
    if (said.isEmpty()) {
      log.warn("gate={} retry-after=\"{}\" outcome=ignored", gate, Failures.line(header));
      return gates.closedUntil(gate).orElse(now);
    }
    if (said.get().clamped()) {
      log.warn(
          "gate={} retry-after=\"{}\" outcome=clamped delay={}s",
          gate,
          Failures.line(header),
          said.get().delay().toSeconds());
    }
    return now.plus(said.get().delay());
  }

  private static Gate subscription(HttpRequest request) {
    return Gate.ofSubscription(request.getUrl().getPath(), writes(request));
  }

  private static Optional<Gate> loadBalancer(HttpRequest request) {
    return Gate.ofLoadBalancer(request.getUrl().getPath(), writes(request));
  }

  private static boolean writes(HttpRequest request) {
    return request.getHttpMethod() != HttpMethod.GET && request.getHttpMethod() != HttpMethod.HEAD;
  }
}
