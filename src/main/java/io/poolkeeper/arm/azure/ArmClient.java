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

/** The client of ARM. A process's first one takes long to build: many classes are loaded. */
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
        credential.apply(http.reads()).map(signIn -> signIn.reportedTo(policies.observer()));
    return over(
        http,
        azure,
        policies,
        found,
        endpoint -> tryPolicies(endpoint, found, policies.limits(), threads),
        threads,
        connections::dispose);
  }

  /** The same client, whose calls belong to a context of a trace. */
  ArmClient under(Context parent) {
    ArmCalls traced = new ArmCalls(calls.pipeline(), calls.maxRetryAfter(), calls.clocks(), parent);
    return new ArmClient(endpoint, traced, credential, limits, threads, disconnect);
  }

  /** A call with a limit of its own. */
  <T> Mono<T> within(Duration limit, Mono<T> call) {
    return TokenWait.within(limit, threads.delays(), call);
  }

  /** The policies that give each try an id and a valid token. */
  private static List<HttpPipelinePolicy> tryPolicies(
      ArmEndpoint endpoint, Optional<SignIn> credential, Limits limits, Threads threads) {
    List<HttpPipelinePolicy> policies = new ArrayList<>();
    policies.add(new CallIds());
    credential
        .map(found -> new TokenPolicy(found, endpoint.scope(), limits.silence(), threads.delays()))
        .ifPresent(policies::add);
    return policies;
  }

  /** A client over any HTTP client; {@code tryPolicies} complete each try of a call. */
  static ArmClient over(
      HttpClient http,
      Azure azure,
      Policies policies,
      Optional<SignIn> credential,
      Function<ArmEndpoint, List<HttpPipelinePolicy>> tryPolicies,
      Threads threads,
      Runnable disconnect) {
    ArmEndpoint endpoint = ArmEndpoint.of(azure);
    HttpPipeline pipeline =
        pipeline(http, policies, endpoint, tryPolicies.apply(endpoint), threads);
    return new ArmClient(
        endpoint,
        new ArmCalls(pipeline, policies.maxRetryAfter(), policies.clocks(), Context.NONE),
        credential,
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
      Policies policies,
      ArmEndpoint endpoint,
      List<HttpPipelinePolicy> tryPolicies,
      Threads threads) {
    List<HttpPipelinePolicy> ordered = new ArrayList<>();
    ordered.add(new UserAgentPolicy("poolkeeper/" + version()));
    ordered.add(endpoint::refuseOtherOrigins);
    ordered.addAll(policies.tracing().ofCall());
    ordered.add(new WholeAnswer(policies.limits(), threads));
    ordered.add(new CallRetry(policies.limits(), policies.clocks(), threads));
    ordered.add(
        new ThrottlePolicy(policies.maxRetryAfter(), policies.observer(), policies.clocks()));
    ordered.addAll(tryPolicies);
    ordered.addAll(policies.tracing().ofTry());
    ordered.add((call, next) -> fenced(policies, call, next));
    ordered.add(new ExchangeReport(policies.observer(), policies.clocks().nanos()));
    return new HttpPipelineBuilder()
        .httpClient(http)
        .clientOptions(policies.tracing().options())
        .policies(ordered.toArray(HttpPipelinePolicy[]::new))
        .build();
  }

  /**
   * A policy that withholds a try of a write which may not begin, before it waits for a connection
   * and when it has one.
   */
  private static Mono<HttpResponse> fenced(
      Policies policies, HttpPipelineCallContext call, HttpPipelineNextPolicy next) {
    Optional<LoadBalancerId> loadBalancer = ArmCalls.loadBalancer(call);
    boolean write = call.getHttpRequest().getHttpMethod() == HttpMethod.PUT;
    if (!write || loadBalancer.isEmpty()) {
      return next.process();
    }
    Supplier<Optional<ArmException>> refusal =
        () -> policies.fence().refusal(loadBalancer.get()).map(ArmException::new);
    Optional<ArmException> refused = refusal.get();
    if (refused.isPresent()) {
      return Mono.error(refused.get());
    }
    policies.observer().writes(loadBalancer.get());
    return NettyClient.withRefusal(next.process(), refusal);
  }

  static String version() {
    return Optional.ofNullable(ArmClient.class.getPackage().getImplementationVersion())
        .orElse("dev");
  }

  /**
   * The policy that sends {@code x-ms-client-request-id}, a new id with each try. It adds the id to
   * the answer, in which ARM may leave it out, and to the failure of a try without an answer.
   */
  private static final class CallIds implements HttpPipelinePolicy {
    private static final HttpHeaderName NAME = HttpHeaderName.X_MS_CLIENT_REQUEST_ID;

    private final HttpPipelinePolicy library = new RequestIdPolicy();

    @Override
    public Mono<HttpResponse> process(
        HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
      return library
          .process(context, next)
          .doOnNext(response -> response.getHeaders().set(NAME, sentId(context)))
          .onErrorMap(CallIds::isUnanswered, failed -> withId(failed, sentId(context)));
    }

    private static String sentId(HttpPipelineCallContext context) {
      return Optional.ofNullable(context.getHttpRequest().getHeaders().getValue(NAME)).orElse("");
    }

    private static boolean isUnanswered(Throwable failed) {
      return !(failed instanceof ArmException)
          && ConnectionFailure.of(failed).filter(ConnectionFailure::mayHaveArrived).isPresent();
    }

    private static ArmException withId(Throwable failed, String id) {
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
          .collect(ByteArrayOutputStream::new, (body, part) -> append(response, body, part))
          .map(
              body ->
                  new ReadResponse(
                      response.getRequest(),
                      new Answer(
                          response.getStatusCode(),
                          response.getHeaders(),
                          BinaryData.fromBytes(body.toByteArray()))));
    }

    private void append(HttpResponse response, ByteArrayOutputStream body, ByteBuffer part) {
      if (body.size() + part.remaining() > limits.body()) {
        throw new ArmException(
            new ArmFailure(
                ArmFailure.Kind.MALFORMED,
                response.getStatusCode(),
                "",
                "the answer is larger than " + limits.body() + " bytes"));
      }
      byte[] bytes = new byte[part.remaining()];
      part.get(bytes);
      body.writeBytes(bytes);
    }
  }
}
