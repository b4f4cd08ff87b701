package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.ThrottledException;
import io.poolkeeper.model.AzureError;
import io.poolkeeper.model.Gate;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Ends and reports every call that ARM answers with 429, and closes a gate for as long as ARM
 * asked. While a gate is closed, its calls end before they are sent (spec 1, ThrottleError). The
 * policy stands inside the retries of a call, so that no retry meets a closed gate.
 *
 * <p>{@link AzureError} says whose gate a 429 closes: the subscription's for a quota, the load
 * balancer's for a lock. A 429 of unknown kind closes the load balancer's gate, and the
 * subscription's as soon as a second load balancer meets one within {@link #SOON}; on a poll it
 * counts as a quota, since the region answers polls. Only the gate of the call's own kind is closed
 * by a lock without a load balancer, and by the quota of another resource provider.
 */
final class ThrottlePolicy implements HttpPipelinePolicy {
  private static final Logger log = LoggerFactory.getLogger(ThrottlePolicy.class);
  private static final int TOO_MANY_REQUESTS = 429;

  /** The most bytes that are read; a longer body is no error of ARM's. */
  private static final int MAX_BODY = 64 * 1024;

  private static final HttpHeaderName CAUSE = HttpHeaderName.fromString("x-ms-failure-cause");

  /** Two load balancers that meet a 429 within this time have met the same quota. */
  static final Duration SOON = Duration.ofSeconds(10);

  /** The calls that other resource providers answer, with limits of their own. */
  private static final Set<String> OTHER_PROVIDERS = Set.of(ArmCalls.RIGHTS, ArmCalls.INTERFACE);

  /** The gate of all calls of a kind, for a 429 that says nothing about other calls. */
  private record KindGate(String kind) {
    @Override
    public String toString() {
      return kind;
    }
  }

  /** More than a region's load balancers; beyond that, open gates are dropped. */
  private static final int MAX_GATES = 10_000;

  /** Until when each {@link Gate} or {@link KindGate} is or was closed; never shortened. */
  private final Map<Record, Instant> closedUntil = new ConcurrentHashMap<>();

  /** When each load balancer's gate was last closed by a 429 that may be a quota. */
  private final Map<Gate, Instant> doubtful = new ConcurrentHashMap<>();

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
          Optional<ThrottledException> held = held(context);
          return held.isPresent()
              ? Mono.error(held.get())
              : next.process().flatMap(response -> check(context, response));
        });
  }

  /** The gate of the subscription that a call passes. */
  private static Gate subscription(HttpPipelineCallContext call) {
    HttpMethod method = call.getHttpRequest().getHttpMethod();
    return Gate.subscription(method != HttpMethod.GET && method != HttpMethod.HEAD);
  }

  /** The gate of the load balancer that a call is about, if it is about one. */
  private static Optional<Gate> loadBalancer(HttpPipelineCallContext call) {
    return ArmCalls.loadBalancer(call)
        .map(id -> new Gate(Optional.of(id), subscription(call).write()));
  }

  /** The gate that an answer closes. */
  private Record gate(HttpPipelineCallContext call, AzureError error, Instant now) {
    KindGate ofKind = new KindGate(ArmCalls.kind(call));
    boolean ownQuota = OTHER_PROVIDERS.contains(ofKind.kind()) && error != AzureError.GATEWAY_QUOTA;
    Record wide = ownQuota ? ofKind : subscription(call);
    Optional<Gate> ofLoadBalancer = loadBalancer(call);
    return switch (error.reach()) {
      case LOAD_BALANCER -> ofLoadBalancer.<Record>map(gate -> gate).orElse(ofKind);
      case SECOND ->
          ofLoadBalancer
              .filter(gate -> !ofKind.kind().equals(ArmCalls.POLL) && !secondSoon(gate, now))
              .<Record>map(gate -> gate)
              .orElse(wide);
      case SUBSCRIPTION, NONE -> wide;
    };
  }

  /** Whether another load balancer has met such a 429 soon before. */
  private boolean secondSoon(Gate gate, Instant now) {
    doubtful.values().removeIf(met -> !now.isBefore(met.plus(SOON)));
    doubtful.put(gate, now);
    return doubtful.keySet().stream()
        .anyMatch(other -> other.write() == gate.write() && !other.equals(gate));
  }

  /** The failure of a call whose gate is closed. */
  private Optional<ThrottledException> held(HttpPipelineCallContext call) {
    Instant now = clocks.monotonic().instant();
    Stream<Record> wide = Stream.of(subscription(call), new KindGate(ArmCalls.kind(call)));
    return Stream.concat(wide, loadBalancer(call).stream())
        .flatMap(gate -> Stream.ofNullable(closedUntil.get(gate)))
        .filter(until -> until.isAfter(now))
        .max(Instant::compareTo)
        .map(
            until ->
                new ThrottledException(
                    "not sent, as an earlier answer asked to wait %d s more"
                        .formatted(Duration.between(now, until).plusMillis(999).toSeconds()),
                    until));
  }

  private Mono<HttpResponse> check(HttpPipelineCallContext call, HttpResponse response) {
    if (response.getStatusCode() != TOO_MANY_REQUESTS) {
      return Mono.just(response);
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    // The headers say how long to wait: it counts, too, if the body breaks off, or never ends.
    return response
        .getBody()
        .doOnNext(part -> append(body, part))
        .doOnCancel(() -> throttled(call, response, body.toByteArray()))
        .then()
        .onErrorComplete()
        .then(Mono.error(() -> throttled(call, response, body.toByteArray())));
  }

  private static void append(ByteArrayOutputStream body, ByteBuffer part) {
    byte[] bytes = new byte[Math.min(part.remaining(), MAX_BODY - body.size())];
    part.get(bytes);
    body.writeBytes(bytes);
  }

  private ThrottledException throttled(
      HttpPipelineCallContext call, HttpResponse response, byte[] body) {
    Answer answer =
        new Answer(TOO_MANY_REQUESTS, response.getHeaders(), BinaryData.fromBytes(body));
    ErrorBody error = ErrorBody.of(answer);
    AzureError kind =
        "gateway".equalsIgnoreCase(response.getHeaderValue(CAUSE))
            ? AzureError.GATEWAY_QUOTA
            : AzureError.of(TOO_MANY_REQUESTS, error.code());
    Instant now = clocks.monotonic().instant();
    Record gate = gate(call, kind, now);
    Instant asked = retryAfter(response.getHeaderValue(HttpHeaderName.RETRY_AFTER), gate, now);
    Instant until = close(gate, asked, now);
    if (gate instanceof Gate known) {
      observer.throttled(new ArmObserver.Throttle(known.loadBalancer(), known.write(), until));
    }
    return new ThrottledException(
        error.code(), Failures.line(error.message()), until, answer.ids());
  }

  /** Without a header, the wait is none. An invalid header leaves the gate as it was. */
  private Instant retryAfter(@Nullable String header, Record gate, Instant now) {
    if (header == null || header.isBlank()) {
      return now;
    }
    Optional<RetryAfter> asked = RetryAfter.parse(header, clocks.wall().instant(), maxRetryAfter);
    if (asked.isEmpty()) {
      log.warn("gate={} retry-after=\"{}\" outcome=ignored", gate, Failures.line(header));
      return closedUntil.getOrDefault(gate, now);
    }
    if (asked.get().clamped()) {
      log.warn(
          "gate={} retry-after=\"{}\" outcome=clamped delay={}s",
          gate,
          Failures.line(header),
          asked.get().delay().toSeconds());
    }
    return now.plus(asked.get().delay());
  }

  /** Closes a gate, never for shorter than before; returns until when it is closed. */
  Instant close(Record gate, Instant wanted, Instant now) {
    if (closedUntil.size() >= MAX_GATES) {
      closedUntil.values().removeIf(end -> !end.isAfter(now));
    }
    return closedUntil.merge(gate, wanted, (old, fresh) -> old.isAfter(fresh) ? old : fresh);
  }
}
