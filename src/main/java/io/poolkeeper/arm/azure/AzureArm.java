package io.poolkeeper.arm.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipeline;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.arm.LoadBalancers;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.arm.azure.LoadBalancerJson.Page;
import io.poolkeeper.config.Settings;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.TrustManagerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.resources.ConnectionProvider;

/**
 * The ports over the Azure SDK's pipeline. Thread-safe. Nothing blocks the caller: work begins on a
 * thread of its own, and futures complete there, never on the caller's.
 */
public final class AzureArm implements BackendPools, LoadBalancers, AutoCloseable {
  /** How long a whole listing may take, all pages together. */
  private static final Duration LISTING = Duration.ofMinutes(5);

  private final Settings.Azure azure;
  private final ArmEndpoint endpoint;
  private final Settings.Turnstile turnstile;
  private final Limits limits;
  private final Threads threads;
  private final Runnable disconnect;
  private final ArmCalls calls;
  private final Operation operation;
  private volatile boolean closed;

  private AzureArm(
      Settings.Azure azure,
      ArmEndpoint endpoint,
      Settings.Turnstile turnstile,
      Limits limits,
      Threads threads,
      Runnable disconnect,
      Mono<HttpPipeline> pipeline) {
    this.azure = azure;
    this.endpoint = endpoint;
    this.turnstile = turnstile;
    this.limits = limits;
    this.threads = threads;
    this.disconnect = disconnect;
    this.calls = new ArmCalls(pipeline, limits, threads);
    this.operation = new Operation(calls, endpoint, threads);
  }

  /**
   * Checks the settings and returns; the client itself, which takes most of a second to build, is
   * built meanwhile on another thread, and the first calls wait for it.
   *
   * @param turnstile how long a write may take, its operation included, and the longest wait that
   *     an answer may ask for
   * @throws IllegalArgumentException if the settings make no usable client; the message names the
   *     setting
   */
  public static AzureArm create(
      Settings.Azure azure, Settings.Turnstile turnstile, ArmObserver observer, Clocks clocks) {
    return create(
        azure,
        turnstile,
        observer,
        clocks,
        Limits.DEFAULT,
        client -> Credentials.of(azure, client));
  }

  static AzureArm create(
      Settings.Azure azure,
      Settings.Turnstile turnstile,
      ArmObserver observer,
      Clocks clocks,
      Limits limits,
      Function<HttpClient, Optional<TokenCredential>> credential) {
    ArmEndpoint endpoint = ArmEndpoint.of(azure);
    Optional<TrustManagerFactory> trust = azure.trustCaFile().map(TrustedCertificates::with);
    ConnectionProvider connections = ArmClient.connections(limits);
    ArmClient client = new ArmClient(endpoint, trust, limits, connections);
    // Begins now. If it fails, every call says so; a call that gives up waiting does not end it.
    CompletableFuture<HttpPipeline> pipeline =
        Mono.fromCallable(
                () -> client.pipeline(credential, observer, turnstile.maxRetryAfter(), clocks))
            .subscribeOn(Schedulers.boundedElastic())
            .toFuture();
    return new AzureArm(
        azure,
        endpoint,
        turnstile,
        limits,
        Threads.ofMachine(),
        connections::dispose,
        Mono.fromFuture(pipeline, true));
  }

  /** The same over another wire than HTTP, without authentication. */
  public static AzureArm over(
      Wire wire,
      Settings.Azure azure,
      Settings.Turnstile turnstile,
      ArmObserver observer,
      Clocks clocks) {
    ArmEndpoint endpoint = ArmEndpoint.of(azure);
    Threads threads = Threads.of(wire);
    HttpPipeline pipeline =
        ArmClient.pipeline(
            new WireClient(wire),
            endpoint,
            Optional.empty(),
            Limits.DEFAULT,
            observer,
            turnstile.maxRetryAfter(),
            clocks,
            threads);
    return new AzureArm(
        azure, endpoint, turnstile, Limits.DEFAULT, threads, () -> {}, Mono.just(pipeline));
  }

  @Override
  public CompletionStage<PoolDocument> get(PoolId pool) {
    return future(
        Mono.defer(() -> calls.get("get", endpoint.url(pool.path())))
            .map(answer -> PoolJson.read(pool, expect(answer, 200, 200))));
  }

  /**
   * See the port.
   *
   * @throws IllegalArgumentException if the document is not from this adapter
   */
  @Override
  public CompletionStage<Void> put(PoolDocument document, PoolEdit edit) {
    if (!(document instanceof RawPool pool)) {
      throw new IllegalArgumentException("a document of another adapter: " + document);
    }
    return future(
        Mono.defer(() -> send(pool, edit))
            .flatMap(answer -> operation.follow(expect(answer, 200, 202)))
            .timeout(turnstile.turnDeadline(), threads.delays())
            .onErrorMap(TimeoutException.class, late -> overdue()));
  }

  private ArmException overdue() {
    return Failures.unresolved("no end within " + turnstile.turnDeadline().toMillis() + " ms");
  }

  private Mono<Answer> send(RawPool pool, PoolEdit edit) {
    byte[] body = Json.bytes(PoolJson.apply(pool.raw(), edit, azure.vnetId()));
    return calls.put(endpoint.url(pool.view().id().path()), pool.view().etag(), body);
  }

  @Override
  public CompletionStage<List<LoadBalancerView>> list() {
    String first =
        endpoint.url(
            "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers"
                .formatted(azure.subscriptionId(), azure.loadBalancerResourceGroup()));
    return future(
        page(first, 1)
            .expand(this::after)
            .concatMapIterable(page -> page.content().loadBalancers())
            .collectList()
            .timeout(LISTING, threads.delays()));
  }

  /** A page of a listing, counted from 1. */
  private record Numbered(int number, Page content) {}

  private Mono<Numbered> after(Numbered page) {
    return page.content().next().map(url -> page(url, page.number() + 1)).orElseGet(Mono::empty);
  }

  private Mono<Numbered> page(String url, int number) {
    if (number > limits.pages()) {
      return Mono.error(
          Json.malformed("the listing has more than %d pages".formatted(limits.pages())));
    }
    Optional<String> foreign = endpoint.foreign(url);
    if (foreign.isPresent()) {
      return Mono.error(
          Json.malformed("nextLink is not followed to another host: " + foreign.get()));
    }
    return Mono.defer(() -> calls.get("list", url))
        .map(answer -> new Numbered(number, LoadBalancerJson.read(expect(answer, 200, 200))));
  }

  private static Answer expect(Answer answer, int from, int to) {
    if (answer.status() < from || answer.status() > to) {
      throw Failures.response(answer);
    }
    return answer;
  }

  private <T> CompletionStage<T> future(Mono<? extends T> work) {
    return work.<T>map(value -> value)
        .onErrorMap(error -> closed ? Failures.shutdown(error) : Failures.of(error))
        .subscribeOn(threads.work())
        .toFuture();
  }

  /** Closes the connections; calls under way fail. */
  @Override
  public void close() {
    closed = true;
    disconnect.run();
  }
}
