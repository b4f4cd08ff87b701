package io.poolkeeper.pool;

import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.arm.Listing;
import io.poolkeeper.arm.LoadBalancers;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.LoadBalancerView;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Both ports to ARM over a map. It answers at once, but for a PUT that a test holds back. */
public final class InMemoryArm implements BackendPools, LoadBalancers {
  record Document(PoolView view) implements PoolDocument {}

  private final Map<PoolId, PoolView> pools = new HashMap<>();
  private final Queue<RuntimeException> refusedGets = new ArrayDeque<>();
  private final Queue<RuntimeException> refusedPuts = new ArrayDeque<>();
  private final Queue<RuntimeException> refusedListings = new ArrayDeque<>();
  private final List<String> calls = new ArrayList<>();
  private final List<PoolId> written = new ArrayList<>();
  private int brokenGets;
  private int gets;
  private int puts;
  private int listings;
  private CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

  public void show(PoolView pool) {
    pools.put(pool.id(), pool);
  }

  public void delete(PoolId pool) {
    pools.remove(pool);
  }

  public Set<Address> addresses(PoolId pool) {
    return pools.get(pool).addresses();
  }

  public void refuseGet(RuntimeException error) {
    refusedGets.add(error);
  }

  /** The next GET is not even begun: a defect that no future tells of. */
  public void breakGet() {
    brokenGets++;
  }

  public void refusePut(RuntimeException error) {
    refusedPuts.add(error);
  }

  public void refuseListing(RuntimeException error) {
    refusedListings.add(error);
  }

  /** PUTs do not end before the answer is completed. */
  public CompletableFuture<Void> holdPuts() {
    gate = new CompletableFuture<>();
    return gate;
  }

  public PoolView view(PoolId pool) {
    return existing(pool);
  }

  /** The calls about single pools so far, such as {@code GET web}. */
  public List<String> calls() {
    return List.copyOf(calls);
  }

  /** The pools that were written, once for each PUT. */
  public List<PoolId> written() {
    return List.copyOf(written);
  }

  /** Begins to record calls anew. */
  public void forgetCalls() {
    calls.clear();
    written.clear();
  }

  public int gets() {
    return gets;
  }

  public int puts() {
    return puts;
  }

  public int listings() {
    return listings;
  }

  @Override
  public CompletionStage<PoolDocument> get(PoolId pool, Instant deadline) {
    gets++;
    calls.add("GET " + pool.name());
    if (brokenGets > 0) {
      brokenGets--;
      throw new IllegalStateException("a defect");
    }
    return answer(refusedGets).thenApply(unused -> new Document(existing(pool)));
  }

  @Override
  public CompletionStage<PoolView> look(PoolId pool, Instant deadline) {
    return get(pool, deadline).thenApply(PoolDocument::view);
  }

  @Override
  public CompletionStage<Void> put(PoolDocument document, PoolEdit edit, Instant deadline) {
    puts++;
    calls.add("PUT " + document.view().id().name());
    written.add(document.view().id());
    return gate.thenCompose(unused -> answer(refusedPuts))
        .thenRun(
            () -> {
              PoolId id = document.view().id();
              if (!existing(id).equals(document.view())) {
                throw refusal(412, "PreconditionFailed");
              }
              PoolView after = document.view().with(edit);
              pools.put(
                  id,
                  new PoolView(id, "etag-" + puts, false, after.entries(), after.rules(), true));
            });
  }

  @Override
  public CompletionStage<Listing> list(Set<String> groups, Instant deadline) {
    listings++;
    return answer(refusedListings)
        .thenApply(unused -> Listing.of("rg", all()))
        .exceptionallyCompose(InMemoryArm::unread);
  }

  /** A defect stays one. */
  private static CompletionStage<Listing> unread(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    return cause instanceof ArmException refused
        ? CompletableFuture.completedFuture(
            new Listing("rg", List.of(), List.of(), Set.of(), Map.of("rg", refused.failure())))
        : CompletableFuture.failedFuture(error);
  }

  private List<LoadBalancerView> all() {
    Map<LoadBalancerId, List<PoolView>> byLoadBalancer = new HashMap<>();
    pools
        .values()
        .forEach(
            pool ->
                byLoadBalancer
                    .computeIfAbsent(pool.id().loadBalancer(), id -> new ArrayList<>())
                    .add(pool));
    return byLoadBalancer.entrySet().stream()
        .map(entry -> new LoadBalancerView(entry.getKey(), entry.getValue()))
        .toList();
  }

  private PoolView existing(PoolId pool) {
    PoolView view = pools.get(pool);
    if (view == null) {
      throw refusal(404, "ResourceNotFound");
    }
    return view;
  }

  private static CompletableFuture<Void> answer(Queue<RuntimeException> refusals) {
    RuntimeException refusal = refusals.poll();
    return refusal == null
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(refusal);
  }

  public static ArmException refusal(int status, String code) {
    return new ArmException(new ArmFailure(ArmFailure.Kind.RESPONSE, status, code, "no"));
  }
}
