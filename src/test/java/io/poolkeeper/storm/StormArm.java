package io.poolkeeper.storm;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.simulation.Timeline;
import io.poolkeeper.storm.Weather.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * ARM in virtual time: the pools as they are, the one operation that may run on a load balancer,
 * and the calls that a read or a write of a pool is made of.
 */
final class StormArm {
  /** ARM asks to be polled once per second. */
  private static final Duration POLL_PAUSE = Duration.ofSeconds(1);

  private final Timeline time;
  private final StormPlan plan;
  private final RandomGenerator random;
  private final StormCalls calls;
  private final Consumer<PoolId> onWritten;
  private final Map<PoolId, PoolView> pools = new HashMap<>();
  private final Map<LoadBalancerId, Instant> busyUntil = new HashMap<>();
  private int overlaps;

  StormArm(
      Timeline time,
      StormPlan plan,
      RandomGenerator random,
      StormCalls calls,
      Consumer<PoolId> onWritten) {
    this.time = time;
    this.plan = plan;
    this.random = random;
    this.calls = calls;
    this.onWritten = onWritten;
  }

  void create(PoolView pool) {
    pools.put(pool.id(), pool);
  }

  PoolView pool(PoolId id) {
    PoolView pool = pools.get(id);
    boolean updating = busy(id.loadBalancer());
    return new PoolView(id, pool.etag(), updating, pool.entries(), pool.rules());
  }

  /** Writes that were sent while another one ran on the load balancer. */
  int overlaps() {
    return overlaps;
  }

  /** GET: the view, or why there is none. */
  void read(PoolId id, BiConsumer<Optional<PoolView>, Optional<ArmFailure>> then) {
    calls.call(
        Call.GET,
        id.loadBalancer(),
        failure ->
            then.accept(failure.isPresent() ? Optional.empty() : Optional.of(pool(id)), failure));
  }

  /** PUT, and polls until its operation has ended; says why it failed, if it did. */
  void write(PoolId id, PoolEdit edit, Consumer<Optional<ArmFailure>> then) {
    overlaps += busy(id.loadBalancer()) ? 1 : 0;
    calls.call(
        Call.PUT,
        id.loadBalancer(),
        failure -> {
          if (failure.isPresent()) {
            then.accept(failure);
          } else {
            accept(id, edit, then);
          }
        });
  }

  private void accept(PoolId id, PoolEdit edit, Consumer<Optional<ArmFailure>> then) {
    Instant end = time.now().plus(plan.latency().operation(random.nextDouble()));
    if (!end.isAfter(time.now())) {
      apply(id, edit);
      then.accept(Optional.empty());
      return;
    }
    busyUntil.put(id.loadBalancer(), end);
    time.at(end, () -> apply(id, edit));
    time.after(POLL_PAUSE, () -> poll(id.loadBalancer(), end, then));
  }

  private void apply(PoolId id, PoolEdit edit) {
    pools.put(id, pools.get(id).with(edit));
    onWritten.accept(id);
  }

  private void poll(LoadBalancerId balancer, Instant end, Consumer<Optional<ArmFailure>> then) {
    calls.call(
        Call.POLL,
        balancer,
        failure -> {
          if (failure.isPresent()) {
            then.accept(failure.map(StormArm::unresolved));
          } else if (!time.now().isBefore(end)) {
            then.accept(Optional.empty());
          } else {
            time.after(POLL_PAUSE, () -> poll(balancer, end, then));
          }
        });
  }

  private static ArmFailure unresolved(ArmFailure poll) {
    return new ArmFailure(
        ArmFailure.Kind.UNRESOLVED, poll.status(), poll.code(), "not known", poll.retryAfter());
  }

  private boolean busy(LoadBalancerId balancer) {
    return busyUntil.getOrDefault(balancer, Instant.EPOCH).isAfter(time.now());
  }
}
