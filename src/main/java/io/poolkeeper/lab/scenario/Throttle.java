package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.scenario.Blueprint.Spec;
import java.util.List;
import java.util.Set;

/**
 * ARM throttles: refusals that do not say for how long, a lock on one load balancer, refusals of
 * the whole subscription, and a storm of four intervals, two minutes on the shipped one, in which
 * neither reads nor writes are taken (spec 1, Error Classification and ThrottleError).
 *
 * <p>Each refusal has taken effect before anything else changes, so that what follows is certain.
 */
final class Throttle {
  private static final double STORM = 4;
  private static final double LOCK = 2;
  private static final double SHORT = 0.5;
  private static final int ROUNDS = 3;

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
    stage.say("ARM refuses two pools of LB-2 and does not say for how long: 429 without a time");
    refuse(Acts.named("feed"), "TooManyRequests", "");
    refuse(Acts.named("push"), "TooManyRequests", ",\"retryAfter\":\"0\"");
    stage.say(
        "and locks the load balancer kubernetes for %d s: 429 RetryableError".formatted(seconds));
    Spec locked = Acts.named("web");
    refuse(locked, "RetryableError", ",\"retryAfter\":\"%d\"".formatted(seconds));
    stage.awaitRetries(locked);
    stage.say("another of its pools has to wait; those of the other load balancers do not");
    Spec beside = Acts.named("cart");
    stage.ledger().held(beside, 1);
    acts.move(beside);
    int from = stage.world().changes().size();
    acts.move(Acts.named("chat"));
    acts.move(Acts.named("billing"));
    List<Change> all = stage.world().changes();
    stage.ledger().prompt(all.subList(from, all.size()));
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
   * The reads are refused for a second longer: so the pool whose write was refused finds them
   * closed when its own time has come.
   */
  private void storm() throws InterruptedException {
    stage.quiet();
    long seconds = acts.seconds(STORM);
    stage.say(
        "a storm: ARM takes no writes for %d s, and no reads for one more".formatted(seconds));
    Spec writer = Acts.named("search");
    Spec reader = Acts.named("feed");
    strike(writer, "PUT", seconds);
    strike(reader, "GET", seconds + 1);
    stage.ledger().held(writer, 1);
    stage.say("all Services change %d times meanwhile".formatted(ROUNDS));
    Set<Spec> struck = Set.of(writer, reader);
    for (int round = 0; round < ROUNDS; round++) {
      Blueprint.SERVICES.forEach(acts::move);
    }
    for (Spec spec : Blueprint.SERVICES) {
      if (!struck.contains(spec)) {
        stage.ledger().held(spec, acts.pools(spec));
      }
    }
    stage.pause(Acts.almost(seconds));
    stage.relent();
    stage.say("the storm is over");
    stage.converge();
  }

  private void strike(Spec spec, String method, long seconds) throws InterruptedException {
    stage.trouble(
        "{\"method\":\"%s\",\"path\":\"/backendAddressPools/|/loadBalancers$\",\"status\":429,\"retryAfter\":\"%d\"}"
            .formatted(method, seconds));
    stage.ledger().refused(spec, 1);
    acts.move(spec);
    stage.awaitRetries(spec);
  }
}
