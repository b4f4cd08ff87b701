package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.time.Duration;
import java.util.Map;

/**
 * ARM throttles: without a time, with a lock on one load balancer, for the whole subscription, and
 * for four intervals in which it refuses first all writes and then all reads (spec 1, Error
 * Classification and ThrottleError). A refused attempt costs a retry; waiting for ARM costs none.
 *
 * <p>Each refusal has taken effect before anything else changes, so that no call in flight can meet
 * it and the number of retries is certain.
 */
record Throttle(Stage stage) implements Play {
  private static final double HALF_STORM = 2;
  private static final double LOCK = 2;
  private static final double SHORT = 0.5;
  private static final int ROUNDS = 3;
  private static final String POOLS = "/backendAddressPools/";
  private static final String BALANCERS = "/loadBalancers$";

  /** A refusal ends by so much of its time before ARM's own words: no call may come sooner. */
  private static final int EARLIER = 10;

  private static final long LEAST_MILLIS = 500;

  /** Longer than the coalesce window, so that the change is queued before the next one. */
  private static final Duration FIRST_IN_LINE = Duration.ofMillis(500);

  /** The time for changes without a delay. */
  private static final Duration WRITTEN = Duration.ofSeconds(1);

  @Override
  public void play() throws InterruptedException {
    lock();
    subscription("search", "SubscriptionRequestsThrottled", "");
    subscription("media", "TooManyRequests", "date:+");
    storm();
  }

  private void lock() throws InterruptedException {
    stage.quiet();
    long seconds = stage.seconds(LOCK);
    stage.say(
        "ARM locks the load balancer kubernetes for %d s: 429 RetryableError".formatted(seconds));
    Spec locked = Blueprint.named("web");
    refuse("web", "RetryableError", Long.toString(seconds));
    stage.awaitRetries(locked);
    stage.say("another of its pools has to wait; those of the other load balancers do not");
    stage.move(Blueprint.named("cart"));
    int from = stage.world.changes().size();
    stage.move(Blueprint.named("chat"));
    stage.move(Blueprint.named("billing"));
    stage.world.changes().stream().skip(from).forEach(stage.ledger.prompt::add);
    stage.pause(WRITTEN);
    stage.say("ARM refuses two pools of LB-2 with 429 and no Retry-After");
    stage.fail("feed", 1, Map.of("status", 429, "code", "TooManyRequests"));
    refuse("push", "TooManyRequests", "0");
    stage.converge();
  }

  private void subscription(String service, String code, String form) throws InterruptedException {
    long seconds = stage.seconds(SHORT);
    stage.say(
        "ARM refuses a write to %s for the whole subscription: 429 %s, Retry-After %s%d"
            .formatted(service, code, form, seconds));
    refuse(service, code, form + seconds);
    stage.converge();
  }

  /** Moves a Service whose next write is refused. */
  private void refuse(String service, String code, String retryAfter) throws InterruptedException {
    stage.fail(service, 1, Map.of("status", 429, "code", code, "retryAfter", retryAfter));
  }

  /**
   * When writes are accepted again, the read of one pool is refused, and all pools wait for reads.
   * Listings are refused from then on: one that was refused before would close the gate again at
   * the moment at which it opens, a little before or after the read, and the pools would wait once
   * more.
   */
  private void storm() throws InterruptedException {
    stage.quiet();
    long seconds = stage.seconds(HALF_STORM);
    stage.say(
        "ARM refuses all writes for %d s, and then all reads for %d s".formatted(seconds, seconds));
    Spec writer = Blueprint.named("search");
    refuseAll("PUT", POOLS + "|" + BALANCERS, seconds);
    first(writer);
    stage.awaitRetries(writer);
    Spec reader = Blueprint.named("feed");
    refuseAll("GET", POOLS, seconds);
    first(reader);
    stage.pause(FIRST_IN_LINE);
    stage.say("all Services change %d times meanwhile".formatted(ROUNDS));
    for (int round = 0; round < ROUNDS; round++) {
      Blueprint.SERVICES.forEach(stage::move);
    }
    stage.awaitRetries(reader);
    refuseAll("GET", BALANCERS, seconds);
    stage.awaitOpening(Duration.ofMillis(Math.max(LEAST_MILLIS, 1000 * seconds / EARLIER)));
    stage.clearFaults();
    stage.say("ARM accepts calls again");
    stage.converge();
  }

  private void refuseAll(String method, String path, long seconds) throws InterruptedException {
    stage.inject(
        Map.of(
            "method", method, "path", path, "status", 429, "retryAfter", Long.toString(seconds)));
  }

  /** A Service is moved, so that it is the first to be refused. */
  private void first(Spec spec) {
    stage.ledger.refused(spec, 1);
    stage.move(spec);
  }
}
