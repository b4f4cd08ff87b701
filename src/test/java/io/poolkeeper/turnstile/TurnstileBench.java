package io.poolkeeper.turnstile;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.TurnResult;
import java.time.Duration;
import java.time.Instant;
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
 * How many decisions per second one core makes while so many pools wait: each turn that ends well
 * lets another begin, its pool stands in line again, and both calls that it made are told.
 *
 * <pre>
 * mvn -q -B verify -Dquick -DskipTests -Pbench
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TurnstileBench {
  static final int DECISIONS = 4;
  private static final int POOLS_PER_BALANCER = 50;
  private static final Duration TICK = Duration.ofMillis(1);

  /** Pools that wait. */
  @Param({"100", "1000", "10000"})
  public int waiting;

  private final TurnstileCore core = new TurnstileCore(TurnstileFixtures.WIDE);
  private final Deque<TurnstileEffect.Grant> out = new ArrayDeque<>();
  private TurnstileState state = core.initial(TurnstileWorld.T0);
  private Instant now = TurnstileWorld.T0;

  /** As many pools as there are balancers hold a turn, and so many wait. */
  @Setup(Level.Trial)
  public void standInLine() {
    int balancers = Math.ceilDiv(waiting, POOLS_PER_BALANCER);
    for (int pool = 0; pool < waiting + balancers; pool++) {
      LoadBalancerId balancer = new LoadBalancerId("sub", "rg", "lb-" + pool % balancers);
      request(new Requester(balancer.pool("pool-" + pool), pool));
    }
  }

  /** One turn ends and its pool comes again. */
  @Benchmark
  @OperationsPerInvocation(DECISIONS)
  public TurnstileState turnOver() {
    TurnstileEffect.Grant grant = out.removeFirst();
    decide(new TurnstileEvent.Sent(false));
    decide(new TurnstileEvent.Sent(true));
    decide(new TurnstileEvent.Returned(grant.requester(), grant.turn(), TurnResult.SUCCEEDED));
    request(grant.requester());
    now = now.plus(TICK);
    return state;
  }

  private void request(Requester requester) {
    List<Lane> lanes = List.of(Lane.UPDATE, Lane.RETRY, Lane.REPAIR);
    Lane lane = lanes.get((int) (requester.incarnation() % lanes.size()));
    decide(new TurnstileEvent.Requested(requester, lane));
  }

  private void decide(TurnstileEvent event) {
    Decision<TurnstileState, TurnstileEffect> decision =
        core.decide(state, event, now, TurnstileFixtures.RANDOM);
    state = decision.state();
    for (TurnstileEffect effect : decision.effects()) {
      if (effect instanceof TurnstileEffect.Grant grant) {
        out.addLast(grant);
      }
    }
  }
}
