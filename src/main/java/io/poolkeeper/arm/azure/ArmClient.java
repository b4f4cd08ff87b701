package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.RequestIdPolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.RequestIds;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.netty.resources.ConnectionProvider;

/** The client that makes calls. A process's first takes long to build: many classes are loaded. */
record ArmClient(
    ArmEndpoint endpoint,
    ArmCalls calls,
    Optional<SignIn> credential,
    Limits limits,
    Threads threads,
    Runnable disconnect) {
  static {
    if (!GlobalOpenTelemetry.isSet()) {
      GlobalOpenTelemetry.set(OpenTelemetry.noop()); // see CallTracing
    }
  }

  /**
   * What the policies of a pipeline are made with, apart from the settings of Azure.
   *
   * @param fence asked before each try of a write, and again when that has its connection
   */
  record Policies(
      Limits limits,
      ArmObserver observer,
      WriteFence fence,
      Duration maxRetryAfter,
      Clocks clocks,
      CallTracing tracing) {}

  /**
   * A client over HTTP.
   *
   * @throws IllegalArgumentException if the settings make no usable client; the message names the
   *     setting
   */
  static ArmClient connect(
      Azure azure, Policies policies, Function<HttpClient, Optional<SignIn>> credential) {
    ConnectionProvider connections = NettyClient.connections(policies.limits());
    NettyClient http = NettyClient.over(connections, azure, policies.limits());
    Threads threads = Threads.ofMachine();
    Optional<SignIn> found =
        credential.apply(http.reads()).map(one -> one.reportedTo(policies.observer()));
    return over(
            http,
            azure,
            policies,
            endpoint -> overHttp(endpoint, found, policies.limits(), threads),
            threads,
            connections::dispose)
        .with(found);
  }

  private ArmClient with(Optional<SignIn> found) {
    return new ArmClient(endpoint, calls, found, limits, threads, disconnect);
  }

  /** The same client, whose calls belong to that. */
  ArmClient under(Context parent) {
    ArmCalls own = new ArmCalls(calls.pipeline(), calls.maxRetryAfter(), calls.clocks(), parent);
    return new ArmClient(endpoint, own, credential, limits, threads, disconnect);
  }

  /** A call with a limit of its own. */
  <T> Mono<T> within(Duration limit, Mono<T> call) {
    return TokenWait.within(limit, threads.delays(), call);
  }

  /** The policies that give each try an id and a valid token. */
  private static List<HttpPipelinePolicy> overHttp(
      ArmEndpoint endpoint, Optional<SignIn> credential, Limits limits, Threads threads) {
    List<HttpPipelinePolicy> policies = new ArrayList<>();
    policies.add(new CallIds());
    credential
        .map(found -> new TokenPolicy(found, endpoint.scope(), limits.silence(), threads.delays()))
        .ifPresent(policies::add);
    return policies;
  }

  /** A client over any HTTP client; {@code ofTry} are the policies that complete a try. */
  static ArmClient over(
      HttpClient http,
      Azure azure,
      Policies policies,
      Function<ArmEndpoint, List<HttpPipelinePolicy>> ofTry,
      Threads threads,
      Runnable disconnect) {
    ArmEndpoint endpoint = ArmEndpoint.of(azure);
    HttpPipeline pipeline = pipeline(http, policies, endpoint, ofTry.apply(endpoint), threads);
    return new ArmClient(
        endpoint,
        new ArmCalls(pipeline, policies.maxRetryAfter(), policies.clocks(), Context.NONE),
        Optional.empty(),
        policies.limits(),
        threads,
        disconnect);
  }

  /**
   * The order of policies: those that refuse or change a call, and the whole answer, run once per
   * call; below the retry, each try meets the gates, is completed and reported.
   */
  private static HttpPipeline pipeline(
      HttpClient http,
      Policies with,
      ArmEndpoint endpoint,
      List<HttpPipelinePolicy> ofTry,
      Threads threads) {
    List<HttpPipelinePolicy> policies = new ArrayList<>();
    policies.add(new UserAgentPolicy("poolkeeper/" + version()));
    policies.add(endpoint::keepAtHome);
    policies.addAll(with.tracing().ofCall());
    policies.add(new WholeAnswer(with.limits(), threads));
    policies.add(new CallRetry(with.limits(), with.clocks(), threads));
    policies.add(new ThrottlePolicy(with.maxRetryAfter(), with.observer(), with.clocks()));
    policies.addAll(ofTry);
    policies.addAll(with.tracing().ofTry());
    policies.add((call, next) -> fenced(with, call, next));
    policies.add(new ExchangeReport(with.observer(), with.clocks().nanos()));
    return new HttpPipelineBuilder()
        .httpClient(http)
        .clientOptions(with.tracing().options())
        .policies(policies.toArray(HttpPipelinePolicy[]::new))
        .build();
  }

  /**
   * A policy that withholds a try of a write which may not begin, before it waits for a connection
   * and when it has one.
   */
  private static Mono<HttpResponse> fenced(
      Policies with, HttpPipelineCallContext call, HttpPipelineNextPolicy next) {
    Optional<LoadBalancerId> written =
        ArmCalls.loadBalancer(call)
            .filter(any -> call.getHttpRequest().getHttpMethod() == HttpMethod.PUT);
    if (written.isEmpty()) {
      return next.process();
    }
    Supplier<Optional<ArmException>> refusal =
        () -> with.fence().refusal(written.get()).map(ArmException::new);
    Optional<ArmException> refused = refusal.get();
    if (refused.isPresent()) {
      return Mono.error(refused.get());
    }
    with.observer().writes(written.get());
    return NettyClient.askedLast(next.process(), refusal);
  }

  static String version() {
    return Optional.ofNullable(ArmClient.class.getPackage().getImplementationVersion())
        .orElse("dev");
  }

  /**
   * The policy that sends {@code x-ms-client-request-id}, a new id with each try. The policy adds
   * the id to the answer, which ARM need not repeat, and to the failure of a try without one.
   */
  private static final class CallIds implements HttpPipelinePolicy {
    private static final HttpHeaderName NAME = HttpHeaderName.X_MS_CLIENT_REQUEST_ID;

    private final HttpPipelinePolicy library = new RequestIdPolicy();

    @Override
    public Mono<HttpResponse> process(
        HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
      return library
          .process(context, next)
          .doOnNext(response -> response.getHeaders().set(NAME, sent(context)))
          .onErrorMap(CallIds::unanswered, failed -> known(failed, sent(context)));
    }

    private static String sent(HttpPipelineCallContext context) {
      return Optional.ofNullable(context.getHttpRequest().getHeaders().getValue(NAME)).orElse("");
    }

    private static boolean unanswered(Throwable failed) {
      return !(failed instanceof ArmException)
          && ConnectionFailure.of(failed).filter(ConnectionFailure::unanswered).isPresent();
    }

    private static ArmException known(Throwable failed, String id) {
      return new ArmException(
          Failures.of(failed).failure().with(new RequestIds("", "", id)), failed);
    }
  }

  /**
   * Reads each answer to its end, whatever its status. Both time and size are bounded; failures are
   * {@link ArmException}s.
   */
  record WholeAnswer(Limits limits, Threads threads) implements HttpPipelinePolicy {
    @Override
    public Mono<HttpResponse> process(
        HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
      return TokenWait.within(limits.call(), threads.delays(), next.process().flatMap(this::read))
          // Large listings are not parsed on the thread that serves all connections.
          .publishOn(threads.work())
          .onErrorMap(Failures::of);
    }

    private Mono<HttpResponse> read(HttpResponse response) {
      return response
          .getBody()
          .collect(ByteArrayOutputStream::new, (all, part) -> append(response, all, part))
          .map(
              all ->
                  new ReadResponse(
                      response.getRequest(),
                      new Answer(
                          response.getStatusCode(),
                          response.getHeaders(),
                          BinaryData.fromBytes(all.toByteArray()))));
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
}
