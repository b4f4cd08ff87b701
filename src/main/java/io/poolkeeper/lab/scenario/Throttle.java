package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.time.Duration;
import java.util.List;

/**
 * ARM throttles: refusals that do not say for how long, a lock on one load balancer, refusals of
 * the whole subscription, and a storm of four intervals, two minutes on the shipped one, in which
 * at first no writes and then no reads are taken (spec 1, Error Classification and ThrottleError).
 * Only who is refused pays a retry; who waits for ARM pays nothing.
 *
 * <p>Each refusal has taken effect before anything else changes, so that nothing is under way that
 * could meet it, and what follows is certain.
 */
final class Throttle {
  private static final double HALF_STORM = 2;
  private static final double LOCK = 2;
  private static final double SHORT = 0.5;
  private static final int ROUNDS = 3;

  /** More than a change waits for company, so that it stands in line before the next one. */
  private static final Duration FIRST_IN_LINE = Duration.ofMillis(500);

  /** Of changes that nothing delays. */
  private static final Duration WRITTEN = Duration.ofSeconds(1);

  private final Stage stage;
  private final Acts acts;

  private Throttle(Stage stage) {
    this.stage = stage;
    this.acts = new Acts(stage);
  }

  static void play(Stage stage) throws InterruptedException {
    Throttle scenario = new Throttle(stage);
    scenario.lock();
    scenario.subscription("search", "SubscriptionRequestsThrottled", "");
    scenario.subscription("media", "TooManyRequests", "date:+");
    scenario.storm();
  }

  /** The part of it that a tour has time for. */
  static void taste(Stage stage) throws InterruptedException {
    new Throttle(stage).subscription("search", "SubscriptionRequestsThrottled", "");
  }

  private void lock() throws InterruptedException {
    stage.quiet();
    long seconds = acts.seconds(LOCK);
    stage.say(
        "ARM locks the load balancer kubernetes for %d s: 429 RetryableError".formatted(seconds));
    Spec locked = Acts.named("web");
    refuse(locked, "RetryableError", ",\"retryAfter\":\"%d\"".formatted(seconds));
    stage.awaitRetries(locked);
    stage.say("another of its pools has to wait; those of the other load balancers do not");
    acts.move(Acts.named("cart"));
    int from = stage.world().changes().size();
    acts.move(Acts.named("chat"));
    acts.move(Acts.named("billing"));
    List<Change> all = stage.world().changes();
    stage.ledger().prompt(all.subList(from, all.size()));
    stage.pause(WRITTEN);
    stage.say("ARM refuses two pools of LB-2 and does not say for how long: 429 without a time");
    refuse(Acts.named("feed"), "TooManyRequests", "");
    refuse(Acts.named("push"), "TooManyRequests", ",\"retryAfter\":\"0\"");
    stage.converge();
  }

  private void subscription(String service, String code, String form) throws InterruptedException {
    long seconds = acts.seconds(SHORT);
    stage.say(
        "ARM refuses a write to %s for the whole subscription: 429 %s, Retry-After %s%d"
            .formatted(service, code, form, seconds));
    refuse(Acts.named(service), code, ",\"retryAfter\":\"%s%d\"".formatted(form, seconds));
    stage.converge();
  }

  /** Moves a Service whose next write is refused. */
  private void refuse(Spec spec, String code, String advice) throws InterruptedException {
    acts.lieInWait(spec, "PUT", 1, "\"status\":429,\"code\":\"%s\"%s".formatted(code, advice));
    stage.ledger().refused(spec, 1);
    acts.move(spec);
  }

  /**
   * When writes are taken again, one pool goes first, and all others have to wait once more: for
   * the reads, as its own is refused.
   */
  private void storm() throws InterruptedException {
    stage.quiet();
    long seconds = acts.seconds(HALF_STORM);
    stage.say(
        "a storm: ARM takes no writes for %d s, and then no reads for %d s"
            .formatted(seconds, seconds));
    Spec writer = Acts.named("search");
    strike("PUT", seconds);
    stage.ledger().refused(writer, 1);
    acts.move(writer);
    stage.awaitRetries(writer);
    Spec reader = Acts.named("feed");
    strike("GET", seconds);
    stage.ledger().refused(reader, 1);
    acts.move(reader);
    stage.pause(FIRST_IN_LINE);
    stage.say("all Services change %d times meanwhile".formatted(ROUNDS));
    for (int round = 0; round < ROUNDS; round++) {
      Blueprint.SERVICES.forEach(acts::move);
    }
    stage.awaitRetries(reader);
    stage.pause(Acts.almost(seconds));
    stage.relent();
    stage.say("the storm is over");
    stage.converge();
  }

  private void strike(String method, long seconds) throws InterruptedException {
    stage.trouble(
        "{\"method\":\"%s\",\"path\":\"/backendAddressPools/|/loadBalancers$\",\"status\":429,\"retryAfter\":\"%d\"}"
            .formatted(method, seconds));
  }
}
