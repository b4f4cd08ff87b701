package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.HalfHour.Throttle;
import io.poolkeeper.status.Recent;
import io.poolkeeper.turnstile.TurnstileView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rate limiter in short; the names of its members are a contract. All of it is in {@code
 * /api/v1/turnstile}.
 *
 * @param gates until when ARM takes no calls
 * @param azureReads what Azure says is left of its own quota; null until it has said it
 * @param azureWrites the same
 * @param writes5m PUTs of the last 5 minutes
 * @param loadBalancers those that wait, or were written lately
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record LimiterJson(
    List<Gate> gates,
    List<Budget> budgets,
    List<Lane> lanes,
    int inFlight,
    int maxInFlight,
    List<Turn> turns,
    @Nullable Long azureReads,
    @Nullable Long azureWrites,
    int writes5m,
    List<OfLoadBalancer> loadBalancers) {
  /**
   * A closed gate.
   *
   * @param loadBalancer null if it is the subscription's
   * @param since null if this process does not know
   * @param times how often in the last 30 minutes
   */
  record Gate(
      String calls,
      @Nullable String loadBalancer,
      @Nullable String since,
      String until,
      long times) {}

  record Budget(String budget, double tokens, int burst, double perSecond) {}

  record Lane(String lane, int waiting) {}

  record Turn(String pool, @Nullable String service, String since, @Nullable String phase) {}

  /** How long a write takes on average; null if none was made. */
  record OfLoadBalancer(String loadBalancer, long waiting, @Nullable Double meanWriteSeconds) {}

  static LimiterJson of(Snapshot snapshot, TurnstileView view, Instant now) {
    TurnstileJson full = TurnstileJson.of(view, now);
    List<Budget> budgets = new ArrayList<>();
    full.buckets()
        .forEach(
            bucket ->
                budgets.add(
                    new Budget(
                        bucket.bucket(), bucket.tokens(), bucket.burst(), bucket.perSecond())));
    budgets.add(new Budget("retries", full.retryBudget().balance(), full.retryBudget().cap(), 0));
    return new LimiterJson(
        gates(view, snapshot.recent(), now),
        budgets,
        full.lanes().stream().map(lane -> new Lane(lane.lane(), lane.waiting())).toList(),
        full.turns().size(),
        full.maxInFlight(),
        view.turns().stream().map(turn -> turn(turn, snapshot)).toList(),
        snapshot.quota().reads().orElse(null),
        snapshot.quota().writes().orElse(null),
        snapshot.recent().writesLately(),
        loadBalancers(view, snapshot.recent(), now));
  }

  private static List<Gate> gates(TurnstileView view, Recent.View recent, Instant now) {
    Optional<Throttle> last =
        recent.throttles().stream().max(Comparator.comparing(Throttle::until));
    Stream<Gate> subscription =
        Stream.of(true, false)
            .flatMap(
                write ->
                    view.gate(write, now).stream()
                        .map(
                            until ->
                                new Gate(
                                    write ? "writes" : "reads",
                                    null,
                                    write ? Times.iso(last.map(Throttle::since)) : null,
                                    Times.iso(until),
                                    write ? recent.throttles().size() : 1)));
    Stream<Gate> own =
        view.throttled(now).stream()
            .map(
                one -> new Gate("all", one.loadBalancer().name(), null, Times.iso(one.until()), 1));
    return Stream.concat(subscription, own).toList();
  }

  private static Turn turn(TurnstileView.Holder turn, Snapshot snapshot) {
    Optional<PoolStatus> pool =
        snapshot.pools().stream().filter(one -> one.id().equals(turn.pool())).findFirst();
    return new Turn(
        RowJson.id(turn.pool()),
        pool.flatMap(of -> of.services().keySet().stream().sorted().findFirst())
            .map(Object::toString)
            .orElse(null),
        Times.iso(turn.since()),
        pool.map(PoolStatus::state).orElse(null));
  }

  private static List<OfLoadBalancer> loadBalancers(
      TurnstileView view, Recent.View recent, Instant now) {
    Map<LoadBalancerId, Long> waiting = new HashMap<>();
    recent.meanWrites().keySet().forEach(id -> waiting.put(id, 0L));
    view.waiting(now).forEach(one -> waiting.merge(one.pool().loadBalancer(), 1L, Long::sum));
    return waiting.entrySet().stream()
        .sorted(Comparator.comparing(of -> of.getKey().path()))
        .map(
            of ->
                new OfLoadBalancer(
                    of.getKey().name(),
                    of.getValue(),
                    Optional.ofNullable(recent.meanWrites().get(of.getKey()))
                        .map(Duration::toMillis)
                        .map(millis -> millis / 1e3)
                        .orElse(null)))
        .toList();
  }
}
