package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.poolkeeper.lock.LeaseAnswer;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.Leases;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease that is shared with the cloud provider. Each write carries the version that was read,
 * so that the API server refuses it after a change of another client. One call at a time, on a
 * thread and a connection of its own; none outlasts {@link #CALL}, and none is repeated here.
 */
public final class KubeLeases implements Leases, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KubeLeases.class);

  private static final LeaseView NONE = new LeaseView(0, Optional.empty());

  /** The time limit of a call, for which drains wait. */
  static final Duration CALL = Duration.ofSeconds(5);

  /** How many of the Leases that were read last are kept, to be changed and sent back. */
  private static final int MAX_VERSIONS = 8;

  private final KubernetesClient client;
  private final Terms terms;
  private final LeaseFormat format;
  private final Consumer<LeaseView> seen;
  private final SharedIndexInformer<Lease> informer;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("kube-lease").factory());
  private final Deque<Lease> versions = new ConcurrentLinkedDeque<>();
  private final AtomicReference<String> lastError = new AtomicReference<>("");

  /**
   * The content and the place of the Lease.
   *
   * @param duration the shortest for which the Lease is taken
   * @param writer namespace and name of our leader's Lease; empty if there is none
   */
  public record Terms(
      String namespace, String name, String identity, Duration duration, Optional<String> writer) {}

  /**
   * Starts to watch the Lease.
   *
   * @param shared stays open when this is closed
   * @param monotonic the clock of the times that the core receives
   * @param wall the time of day, which the Lease carries
   * @param seen receives each change
   */
  public KubeLeases(
      KubernetesClient shared,
      Terms terms,
      InstantSource monotonic,
      InstantSource wall,
      Consumer<LeaseView> seen) {
    this.client = KubeClients.onceForLease(shared, CALL);
    this.terms = terms;
    this.seen = seen;
    format = new LeaseFormat(terms, monotonic, wall);
    informer =
        shared
            .leases()
            .inNamespace(terms.namespace())
            .withName(terms.name())
            .runnableInformer(0)
            .exceptionHandler((started, failure) -> failed(failure))
            .addEventHandler(new Handler());
    informer.start();
  }

  @Override
  public CompletionStage<LeaseAnswer> read() {
    return call(
        () -> {
          @Nullable Lease found =
              client.leases().inNamespace(terms.namespace()).withName(terms.name()).get();
          return new LeaseAnswer.Is(found == null ? NONE : view(found));
        });
  }

  /** Creating a Lease that exists is a conflict. */
  @Override
  public CompletionStage<LeaseAnswer> take(LeaseView read) {
    return call(() -> update(read, format::taken).orElseGet(this::create));
  }

  @Override
  public CompletionStage<LeaseAnswer> giveBack(LeaseView read) {
    return call(() -> update(read, format::givenBack).orElseGet(LeaseAnswer.Conflict::new));
  }

  /** Without its namespace the Lease cannot be created. */
  private LeaseAnswer create() {
    return write(() -> client.resource(format.taken(format.fresh())).create(), Causes::isConflict);
  }

  /**
   * Changes the version that was read; empty if that one is not kept any more. A deleted Lease is a
   * conflict.
   */
  private Optional<LeaseAnswer> update(LeaseView read, UnaryOperator<Lease> change) {
    return versions.stream()
        .filter(kept -> LeaseFormat.version(kept) == read.version())
        .findFirst()
        .map(
            base ->
                write(
                    () -> client.resource(change.apply(base)).update(),
                    failure -> Causes.isConflict(failure) || Causes.isNotFound(failure)));
  }

  private LeaseAnswer write(Supplier<Lease> call, Predicate<Throwable> isConflict) {
    try {
      return new LeaseAnswer.Is(view(call.get()));
    } catch (KubernetesClientException failure) {
      if (isConflict.test(failure)) {
        return new LeaseAnswer.Conflict();
      }
      throw failure;
    }
  }

  private CompletionStage<LeaseAnswer> call(Supplier<LeaseAnswer> call) {
    try {
      return CompletableFuture.supplyAsync(() -> answer(call), thread)
          .completeOnTimeout(
              new LeaseAnswer.Failed("no answer within %d s".formatted(CALL.toSeconds())),
              CALL.toMillis(),
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.completedFuture(new LeaseAnswer.Failed("closed"));
    }
  }

  private LeaseAnswer answer(Supplier<LeaseAnswer> call) {
    try {
      return call.get();
    } catch (KubernetesClientException failure) {
      return new LeaseAnswer.Failed(Causes.text(failure, client));
    }
  }

  /** The view of a Lease, of which the version is kept. */
  private LeaseView view(Lease lease) {
    versions.addFirst(lease);
    while (versions.size() > MAX_VERSIONS) {
      versions.pollLast();
    }
    return format.view(lease);
  }

  private boolean failed(Throwable failure) {
    String error = Causes.text(failure, client);
    if (!lastError.getAndSet(error).equals(error)) {
      log.warn("watch=lease state=failing effect=\"its release is seen late\" error=\"{}\"", error);
    }
    return true;
  }

  @Override
  public void close() {
    informer.stop();
    thread.shutdownNow();
    client.close();
  }

  private final class Handler implements ResourceEventHandler<Lease> {
    @Override
    public void onAdd(Lease lease) {
      seen.accept(view(lease));
    }

    @Override
    public void onUpdate(Lease before, Lease after) {
      seen.accept(view(after));
    }

    @Override
    public void onDelete(Lease lease, boolean unknownFinalState) {
      versions.removeIf(kept -> LeaseFormat.version(kept) == LeaseFormat.version(lease));
      seen.accept(new LeaseView(LeaseFormat.version(lease), Optional.empty()));
    }

    @Override
    public void onList(String version, boolean remainedEmpty) {
      lastError.set("");
    }
  }
}
