package io.poolkeeper.storm;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import io.poolkeeper.retry.RetryBudget;
import io.poolkeeper.simulation.Timeline;
import io.poolkeeper.storm.Weather.Answer;
import io.poolkeeper.storm.Weather.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The way to ARM in virtual time, as {@code arm.azure} has it: a call against a closed gate is not
 * sent, a 429 closes the gate that it speaks of (without a {@code Retry-After} it stays open), and
 * after a status that may pass the call is repeated after 0.5, 1 and 2 s with equal jitter, as long
 * as the budget of repetitions lasts.
 */
final class StormCalls {
  private static final Set<Integer> REPEATED = Set.of(408, 500, 502, 503, 504);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final Duration LAST_REPETITION = Duration.ofSeconds(10);
  private static final Backoff PAUSES = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, Jitter.EQUAL);
  private static final RetryBudget.Limits REPETITIONS =
      new RetryBudget.Limits(20, Duration.ofMinutes(1), 50, 100);

  /** Who hears of the calls. */
  interface Listener {
    /** One goes out. */
    void sent(Call call);

    /** It is answered. */
    void answered(Call call);

    /** It is answered 429. */
    void throttled(Optional<LoadBalancerId> balancer, boolean write, Instant until);
  }

  private record Gate(Optional<LoadBalancerId> balancer, boolean write) {}

  private final Timeline time;
  private final StormPlan plan;
  private final RandomGenerator random;
  private final Listener listener;
  private final Map<Gate, Instant> gates = new HashMap<>();
  private RetryBudget repetitions;

  StormCalls(Timeline time, StormPlan plan, RandomGenerator random, Listener listener) {
    this.time = time;
    this.plan = plan;
    this.random = random;
    this.listener = listener;
    this.repetitions = RetryBudget.of(REPETITIONS, time.now());
  }

  /** Makes a call and says why it failed, if it did. */
  void call(Call call, LoadBalancerId balancer, Consumer<Optional<ArmFailure>> then) {
    attempt(call, balancer, 0, time.now(), then);
  }

  private void attempt(
      Call call,
      LoadBalancerId balancer,
      int repeats,
      Instant begin,
      Consumer<Optional<ArmFailure>> then) {
    Instant held = closedUntil(call, balancer);
    if (held.isAfter(time.now())) {
      time.after(
          Duration.ZERO, () -> then.accept(Optional.of(ArmFailure.throttled("", "held", held))));
      return;
    }
    listener.sent(call);
    Answer answer = plan.weather().answer(call, time.elapsed(), random);
    time.after(
        plan.latency().of(call),
        () -> {
          listener.answered(call);
          if (answer.good()) {
            repetitions = repetitions.deposit(time.now());
            then.accept(Optional.empty());
          } else if (answer.status() == 429) {
            then.accept(Optional.of(throttled(call, balancer, answer)));
          } else if (repeats(answer, repeats, begin)) {
            repetitions = repetitions.withdraw(time.now());
            Duration pause = PAUSES.delay(repeats + 1, random);
            time.after(pause, () -> attempt(call, balancer, repeats + 1, begin, then));
          } else {
            then.accept(Optional.of(failed(answer.status())));
          }
        });
  }

  private boolean repeats(Answer answer, int repeats, Instant begin) {
    Instant latest = begin.plus(LAST_REPETITION);
    return REPEATED.contains(answer.status())
        && repeats < plan.repeats()
        && !time.now().plus(LONGEST_PAUSE).isAfter(latest)
        && repetitions.canWithdraw(time.now());
  }

  private Instant closedUntil(Call call, LoadBalancerId balancer) {
    Instant all = gates.getOrDefault(new Gate(Optional.empty(), call.write()), Instant.EPOCH);
    Instant own = gates.getOrDefault(new Gate(Optional.of(balancer), call.write()), Instant.EPOCH);
    return all.isAfter(own) ? all : own;
  }

  private ArmFailure throttled(Call call, LoadBalancerId balancer, Answer answer) {
    Optional<LoadBalancerId> whose = answer.lock() ? Optional.of(balancer) : Optional.empty();
    Instant asked = time.now().plus(answer.retryAfter().orElse(Duration.ZERO));
    Instant until =
        gates.merge(
            new Gate(whose, call.write()), asked, (one, other) -> one.isAfter(other) ? one : other);
    listener.throttled(whose, call.write(), until);
    return ArmFailure.throttled("Throttled", "slow down", until);
  }

  private static ArmFailure failed(int status) {
    return new ArmFailure(ArmFailure.Kind.RESPONSE, status, "Error" + status, "no");
  }
}
