package io.poolkeeper.lab;

import io.poolkeeper.lab.Blueprint.Spec;
import java.util.Map;

/**
 * Writes conflict, or their end is unknown: 409, 412, a superseded operation, one that failed
 * because of another, polls that are refused or fail, and a lost answer to an accepted write (spec
 * 1, Error Classification). All at once, one kind of error for each Service.
 */
record Conflict(Stage stage) implements Play {
  private static final double SHORT = 0.5;

  /** A failed poll has three in-call retries, and is made once more with as many. */
  private static final int TOO_MANY_POLLS = 8;

  /** The default of {@code updater.max-retries}. */
  private static final int RETRIES = 3;

  @Override
  public void play() throws InterruptedException {
    stage.quiet();
    refusals();
    accepted();
    stage.converge();
    stage.settle();
    refusedPoll();
  }

  private void refusals() throws InterruptedException {
    stage.say("writes conflict: 409 for search, 412 for media, 409 three times for web");
    stage.fail("search", 1, Map.of("status", 409));
    stage.fail("media", 1, Map.of("status", 412));
    stage.fail("web", RETRIES, Map.of("status", 409));
    stage.say("409, then 412 for cart, whose endpoints move again between the two");
    Spec cart = Blueprint.named("cart");
    stage.failNext(cart, 1, Map.of("status", 409));
    stage.failNext(cart, 1, Map.of("status", 412));
    stage.ledger.refused(cart, 1);
    stage.move(cart);
    stage.awaitRetries(cart);
    stage.ledger.refused(cart, 1);
    stage.move(cart);
  }

  /**
   * In these cases the write has been applied, whatever the operation's end, so it is not sent
   * again.
   */
  private void accepted() throws InterruptedException {
    stage.say("accepted writes fail: superseded for login, preempted for reports,");
    stage.fail("login", 1, Map.of("lro", "canceled"));
    stage.fail("reports", 1, Map.of("lro", "failed", "code", "OperationPreempted"));
    stage.say("polls refused for feed and failing for chat, the answer lost for billing");
    stage.fail("feed", 1, Map.of("lro", "poll429"));
    stage.fail("chat", 1, Map.of("lro", "poll5xx", "polls", TOO_MANY_POLLS));
    stage.fail("billing", 1, Map.of("reset", "before"));
  }

  /** After the others, whose reads it would hold up. */
  private void refusedPoll() throws InterruptedException {
    long seconds = stage.seconds(SHORT);
    stage.say(
        "and a poll for push is refused for the whole subscription, for %d s".formatted(seconds));
    stage.fail("push", 1, Map.of("lro", "poll429", "retryAfter", Long.toString(seconds)));
    stage.converge();
    stage.settle();
  }
}
