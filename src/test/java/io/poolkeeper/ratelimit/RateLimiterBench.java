package io.poolkeeper.ratelimit;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PermitResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many decisions per second one core makes while 5,000 pools wait: each permit that ends well
 * lets another begin, its pool stands in line again, and both calls that it made are told.
 *
 * <pre>
 * mvn -q -B verify -Pfull -Dquick -DskipTests -DskipBenchmarks=false
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RateLimiterBench {
  static final int DECISIONS = 4;
  private static final int WAITING = 5_000;
  private static final Duration TICK = Duration.ofMillis(1);

  /** How many load balancers they wait at. */
  @Param({"1", "100", "5000"})
  public int balancers;

  private final RateLimiterDriver rateLimiter = new RateLimiterDriver(RateLimiterFixtures.WIDE);
  private final Deque<RateLimiterEffect.Grant> out = new ArrayDeque<>();

  /** As many pools as may hold a permit, and besides those so many wait. */
  @Setup(Level.Trial)
  public void standInLine() {
    int permits = Math.min(balancers, RateLimiterFixtures.WIDE.maxInFlight());
    for (int pool = 0; pool < WAITING + permits; pool++) {
      LoadBalancerId balancer = new LoadBalancerId("sub", "rg", "lb-" + pool % balancers);
      request(new Requester(balancer.pool("pool-" + pool), pool));
    }
  }

  /** One permit ends and its pool comes again. */
  @Benchmark
  @OperationsPerInvocation(DECISIONS)
  public RateLimiterState permitOver() {
    RateLimiterEffect.Grant grant = out.removeFirst();
    rateLimiter.sent(false);
    rateLimiter.sent(true);
    rateLimiter.giveBack(grant.requester(), grant.answer().permit(), PermitResult.SUCCEEDED);
    out.addAll(rateLimiter.grants());
    request(grant.requester());
    return rateLimiter.after(TICK).state();
  }

  private void request(Requester requester) {
    List<PriorityLevel> priorityLevels =
        List.of(PriorityLevel.UPDATE, PriorityLevel.RETRY, PriorityLevel.REPAIR);
    PriorityLevel priorityLevel =
        priorityLevels.get((int) (requester.incarnation() % priorityLevels.size()));
    out.addAll(rateLimiter.request(requester, priorityLevel).grants());
  }
}
