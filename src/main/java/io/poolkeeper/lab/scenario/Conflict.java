package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.scenario.Blueprint.Spec;

/**
 * Writes meet others, or nobody knows how they ended: 409, 412, a superseded operation, one that
 * failed because of another, polls that are refused or broken, and a lost answer to a write that
 * was accepted (spec 1, Error Classification). All at once, one kind of trouble for each Service.
 */
final class Conflict {
  private static final double SHORT = 0.5;

  /** The call itself repeats a broken poll three times. */
  private static final int TOO_MANY_POLLS = 4;

  /** As often as the shipped settings allow. */
  private static final int RETRIES = 3;

  private final Stage stage;
  private final Acts acts;

  private Conflict(Stage stage) {
    this.stage = stage;
    this.acts = new Acts(stage);
  }

  static void play(Stage stage) throws InterruptedException {
    Conflict scenario = new Conflict(stage);
    stage.quiet();
    scenario.refusals();
    scenario.accepted();
    stage.converge();
    stage.settle();
    scenario.refusedPoll();
  }

  /** The part of it that a tour has time for. */
  static void taste(Stage stage) throws InterruptedException {
    Conflict scenario = new Conflict(stage);
    stage.quiet();
    stage.say("somebody else has written: 412 for media; and supersedes the write of reports");
    scenario.spoil("media", 1, "\"status\":412");
    scenario.spoil("reports", 1, "\"lro\":\"canceled\"");
    stage.converge();
    stage.settle();
  }

  private void refusals() throws InterruptedException {
    stage.say("writes meet others: 409 for search, 412 for media, 409 three times for web");
    spoil("search", 1, "\"status\":409");
    spoil("media", 1, "\"status\":412");
    spoil("web", RETRIES, "\"status\":409");
    stage.say("409, then 412 for cart, whose endpoints move again between the two");
    Spec cart = Acts.named("cart");
    acts.lieInWait(cart, "PUT", 1, "\"status\":409");
    acts.lieInWait(cart, "PUT", 1, "\"status\":412");
    stage.ledger().refused(cart, 1);
    acts.move(cart);
    stage.awaitRetries(cart);
    stage.ledger().refused(cart, 1);
    acts.move(cart);
  }

  /**
   * What ARM has accepted stays written here, however its operation ends: nobody writes it again.
   */
  private void accepted() throws InterruptedException {
    stage.say("accepted writes go wrong: superseded for login, preempted for reports,");
    spoil("login", 1, "\"lro\":\"canceled\"");
    spoil("reports", 1, "\"lro\":\"failed\",\"code\":\"OperationPreempted\"");
    stage.say("polls refused for feed and broken for chat, the answer lost for billing");
    spoil("feed", 1, "\"lro\":\"poll429\"");
    spoil("chat", 1, "\"lro\":\"poll5xx\",\"polls\":%d".formatted(TOO_MANY_POLLS));
    spoil("billing", 1, "\"reset\":\"before\"");
  }

  /** Apart from the others, whose reads it would hold up. */
  private void refusedPoll() throws InterruptedException {
    long seconds = acts.seconds(SHORT);
    stage.say(
        "and a poll for push is refused for the whole subscription, for %d s".formatted(seconds));
    spoil("push", 1, "\"lro\":\"poll429\",\"retryAfter\":\"%d\"".formatted(seconds));
    stage.converge();
    stage.settle();
  }

  /** Moves a Service whose next writes go wrong. */
  private void spoil(String service, int times, String how) throws InterruptedException {
    Spec spec = Acts.named(service);
    acts.lieInWait(spec, "PUT", times, how);
    stage.ledger().refused(spec, times);
    acts.move(spec);
  }
}
