package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.listing;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.nodeGone;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.rule;
import static io.poolkeeper.service.ServiceFixtures.slice;

import io.poolkeeper.arm.Listing;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.NodeView;
import io.poolkeeper.model.PoolView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long the map's decisions take with so many pools, as many nodes, and 20 endpoints for each
 * Service: so each node is in 20 pools.
 *
 * <pre>
 * mvn -q -B verify -Pfull -Dquick -DskipTests -DskipBenchmarks=false
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ServiceMapBench {
  private static final int ENDPOINTS = 20;

  @Param({"500", "5000"})
  public int pools;

  private final ServiceMapDriver map = new ServiceMapDriver();
  private Listing listing = listing();
  private int changes;

  @Setup(Level.Trial)
  public void fill() {
    List<PoolView> views = new ArrayList<>();
    for (int i = 0; i < pools; i++) {
      map.change(one(i, Set.of()));
    }
    for (int i = 0; i < pools; i++) {
      String name = "default/web-" + i;
      String uid = "uid-%05d".formatted(i);
      map.change(local(name, uid, IpFamily.IPV4));
      map.change(slice("s-" + i, name, nodesOf(i, key -> key)));
      views.add(
          pool(
              i % 2 == 0 ? "kubernetes" : "lb-1",
              "default-web-" + i,
              Set.of(rule(uid)),
              nodesOf(i, key -> key + "=" + address(Integer.parseInt(key.substring(1))))));
    }
    // The last Service names a node that is not known, as while a node is replaced.
    map.change(slice("s-unknown", "default/web-0", "unknown"));
    map.sync(CacheKind.values());
    listing = listing(views.toArray(PoolView[]::new));
    map.startListing();
    map.listed(listing);
    if (map.state().pools().all().size() != pools) {
      throw new IllegalStateException("pools: " + map.state().pools().all().size());
    }
  }

  private String[] nodesOf(int service, UnaryOperator<String> text) {
    return IntStream.range(service, service + ENDPOINTS)
        .mapToObj(i -> text.apply("n" + i % pools))
        .toArray(String[]::new);
  }

  private static String address(int i) {
    return "10.%d.%d.%d".formatted(i / 65_536, i / 256 % 256, i % 256);
  }

  private static NodeView one(int i, Set<String> taints) {
    return node("n" + i + "=" + address(i), Map.of(), taints, false);
  }

  /** A taint of a node comes, or goes. */
  @Benchmark
  public List<ServiceMapEffect> aNodeChanges() {
    return map.change(one(7, changes++ % 2 == 0 ? Set.of("any") : Set.of()));
  }

  /** A Node is created, or deleted, that no slice names. */
  @Benchmark
  public List<ServiceMapEffect> aNodeComesOrGoes() {
    return map.send(
        new ServiceMapEvent.NodesChanged(
            changes++ % 2 == 0
                ? ServiceFixtures.nodes(node("other=10.200.0.1"))
                : nodeGone("other")));
  }

  /** An endpoint of a Service moves to another node. */
  @Benchmark
  public List<ServiceMapEffect> anEndpointMoves() {
    return map.change(slice("s-3", "default/web-3", nodesOf(3 + changes++ % 2, key -> key)));
  }

  /** The next snapshot of leaving nodes, which each pool gets. */
  @Benchmark
  public List<ServiceMapEffect> aNodeLeaves() {
    return map.send(
        new ServiceMapEvent.NodesOutOfService(
            Story.out(++changes, true, changes % 2 == 0 ? "n7" : "n8")));
  }

  /** A listing that shows nothing new. */
  @Benchmark
  public List<ServiceMapEffect> aListing() {
    return map.listed(listing);
  }
}
