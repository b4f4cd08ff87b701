package io.poolkeeper.arm.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.util.Context;
import io.opentelemetry.api.OpenTelemetry;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.AzureFacts;
import io.poolkeeper.arm.AzureProbe;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.arm.ResourceManager;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.arm.azure.ArmClient.Policies;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.Names;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The ports over the Azure SDK. Thread-safe. No call blocks its caller: the client is built on a
 * thread of its own, and the first calls wait for it. Futures complete on a thread of the adapter.
 */
public final class AzureArm implements ResourceManager, AzureProbe, AutoCloseable {
  /** Short, as the listing of the own group waits for those of all others. */
  private static final Duration OTHER_GROUP_LIMIT = Duration.ofSeconds(10);

  private final Azure azure;
  private final CallTracing tracing;
  private final Duration permitDeadline;
  private final InstantSource clock;
  private final CompletableFuture<ArmClient> client;
  private volatile boolean closed;

  private AzureArm(
      Azure azure,
      Duration permitDeadline,
      Policies policies,
      CompletableFuture<ArmClient> client) {
    this.azure = azure;
    this.tracing = policies.tracing();
    this.permitDeadline = permitDeadline;
    this.clock = policies.clocks().monotonic();
    this.client = client;
  }

  /**
   * Returns at once; the client itself, which takes most of a second to build, is built meanwhile.
   *
   * @param permitDeadline how long a write may take, its operation included
   * @param maxRetryAfter the longest wait that an answer may ask for
   * @param fence asked before each try of a write
   * @param telemetry makes a span of each call; empty if there is no tracing
   */
  public static AzureArm create(
      Azure azure,
      Duration permitDeadline,
      Duration maxRetryAfter,
      ArmObserver observer,
      WriteFence fence,
      Clocks clocks,
      Optional<OpenTelemetry> telemetry) {
    return create(
        azure,
        permitDeadline,
        new Policies(
            Limits.DEFAULT,
            observer,
            fence,
            maxRetryAfter,
            clocks,
            telemetry.<CallTracing>map(CallSpans::new).orElse(CallTracing.OFF)),
        http -> Credentials.of(azure, http));
  }

  static AzureArm create(
      Azure azure,
      Duration permitDeadline,
      Duration maxRetryAfter,
      ArmObserver observer,
      Clocks clocks,
      Limits limits,
      Function<HttpClient, Optional<SignIn>> credential) {
    return create(
        azure,
        permitDeadline,
        new Policies(limits, observer, WriteFence.OPEN, maxRetryAfter, clocks, CallTracing.OFF),
        credential);
  }

  private static AzureArm create(
      Azure azure,
      Duration permitDeadline,
      Policies policies,
      Function<HttpClient, Optional<SignIn>> credential) {
    return new AzureArm(
        azure,
        permitDeadline,
        policies,
        CompletableFuture.supplyAsync(
            () -> ArmClient.connect(azure, policies, credential),
            task -> Thread.ofVirtual().name("azure-start").start(task)));
  }

  /** The ports over another wire than HTTP, without authentication. */
  public static AzureArm over(
      Wire wire,
      Azure azure,
      Duration permitDeadline,
      Duration maxRetryAfter,
      ArmObserver observer,
      WriteFence fence,
      Clocks clocks) {
    Policies policies =
        new Policies(Limits.DEFAULT, observer, fence, maxRetryAfter, clocks, CallTracing.OFF);
    ArmClient client =
        ArmClient.over(
            new WireClient(wire),
            azure,
            policies,
            Optional.empty(),
            endpoint -> List.of(),
            Threads.of(wire),
            () -> {});
    return new AzureArm(azure, permitDeadline, policies, CompletableFuture.completedFuture(client));
  }

  @Override
  public CompletionStage<?> ready() {
    return client;
  }

  @Override
  public CompletionStage<PoolDocument> get(PoolId pool, Instant deadline) {
    return get(ArmCalls.GET, pool, deadline);
  }

  @Override
  public CompletionStage<PoolView> look(PoolId pool, Instant deadline) {
    return get(ArmCalls.LOOK, pool, deadline).thenApply(PoolDocument::view);
  }

  private CompletionStage<PoolDocument> get(String kind, PoolId pool, Instant deadline) {
    return future(
        arm ->
            arm.within(
                timeLeft(deadline, arm.limits().call()),
                arm.calls()
                    .get(kind, pool.loadBalancer(), arm.endpoint().url(pool.path()))
                    .map(answer -> PoolBody.read(pool, answer.expect(200, 200), azure.vnetId()))));
  }

  /** The time until a deadline, from none to a maximum. */
  private Duration timeLeft(Instant deadline, Duration max) {
    Duration left = Duration.between(clock.instant(), deadline);
    if (left.isNegative()) {
      return Duration.ZERO;
    }
    return left.compareTo(max) < 0 ? left : max;
  }

  /**
   * See the port.
   *
   * @throws IllegalArgumentException if the document is not from this adapter
   */
  @Override
  public CompletionStage<Void> put(PoolDocument document, PoolEdit edit, Instant deadline) {
    if (!(document instanceof RawPool pool)) {
      throw new IllegalArgumentException("a document of another adapter: " + document);
    }
    return future(
        arm ->
            arm.within(
                    timeLeft(deadline, permitDeadline),
                    send(arm, pool, edit)
                        // What was accepted is in doubt, whatever its polls wait for.
                        .flatMap(answer -> TokenWait.detached(follow(arm, pool, answer))))
                .onErrorMap(
                    TimeoutException.class,
                    late -> Failures.unresolved("it has not ended within the turn")));
  }

  private static Mono<Void> follow(ArmClient arm, RawPool pool, Answer accepted) {
    return new OperationPoll(arm.calls(), pool.view().id().loadBalancer(), arm.threads())
        .follow(accepted);
  }

  private Mono<Answer> send(ArmClient arm, RawPool pool, PoolEdit edit) {
    byte[] body = Json.bytes(PoolBody.apply(pool.raw(), edit, azure.vnetId()));
    PoolId id = pool.view().id();
    return arm.calls()
        .put(id.loadBalancer(), arm.endpoint().url(id.path()), pool.view().etag(), body);
  }

  @Override
  public CompletionStage<Listing> list(Set<String> groups, Instant deadline) {
    String own = azure.loadBalancerResourceGroup();
    return LoadBalancerListing.of(
            group -> mono(arm -> list(arm, group, listingLimit(arm, group.equals(own), deadline))),
            own,
            new TreeSet<>(groups))
        .toFuture();
  }

  /** How long the listing of a group may take. */
  private Duration listingLimit(ArmClient arm, boolean own, Instant deadline) {
    return timeLeft(deadline, own ? arm.limits().call() : OTHER_GROUP_LIMIT);
  }

  private Mono<List<LoadBalancerView>> list(ArmClient arm, String group, Duration limit) {
    boolean networked = azure.vnetId().isPresent();
    return arm.within(
            limit,
            LoadBalancerListing.of(
                arm,
                azure.subscriptionId(),
                group,
                loadBalancer -> LoadBalancerListing.view(loadBalancer, networked),
                (id, failure) -> new LoadBalancerView(id, List.of(), Optional.of(failure))))
        .onErrorMap(TimeoutException.class, Failures::of);
  }

  @Override
  public CompletionStage<Optional<String>> machineOf(String ipConfigurationId, Instant deadline) {
    Optional<String> known = ClusterNodes.machineOf(ipConfigurationId);
    Optional<String> nic = ArmIds.networkInterface(ipConfigurationId);
    if (known.isPresent() || nic.isEmpty()) {
      return CompletableFuture.completedFuture(known);
    }
    return future(
        arm ->
            arm.within(
                timeLeft(deadline, arm.limits().call()),
                arm.calls()
                    .get(ArmCalls.INTERFACE, arm.endpoint().url(nic.get()))
                    .map(InterfaceJson::machine)));
  }

  @Override
  public CompletionStage<AzureFacts> look(List<String> groups, List<String> scopes) {
    return future(arm -> new AzureInspection(arm, azure.subscriptionId()).look(groups, scopes));
  }

  private <T> CompletionStage<T> future(Function<ArmClient, Mono<? extends T>> work) {
    return this.<T>mono(work).toFuture();
  }

  private <T> Mono<T> mono(Function<ArmClient, Mono<? extends T>> work) {
    Context parent = tracing.parent();
    return Mono.fromFuture(client, true)
        .map(arm -> arm.under(parent))
        .flatMap(arm -> Mono.defer(() -> work.apply(arm)).subscribeOn(arm.threads().work()))
        .<T>map(value -> value)
        .onErrorMap(error -> closed ? Failures.shutdown(error) : Failures.of(error));
  }

  /** Closes the connections; calls under way fail. */
  @Override
  public void close() {
    closed = true;
    // A client that is still being built is closed, too; a failure to build has its own listener.
    CompletableFuture<Void> unused = client.thenAccept(arm -> arm.disconnect().run());
  }

  /** Reads the machine of a network interface in ARM's JSON; a pool's entry does not name it. */
  private static final class InterfaceJson {
    private static final int NOT_FOUND = 404;

    private InterfaceJson() {}

    /** The ARM id of the machine, folded; empty if there is no interface or none that has it. */
    static Optional<String> machine(Answer answer) {
      if (answer.status() == NOT_FOUND) {
        return Optional.empty();
      }
      return PoolBody.properties(Json.of(answer.expect(200, 200)))
          .object("virtualMachine")
          .map(machine -> machine.requiredText("id"))
          .map(Names::fold);
    }
  }
}
