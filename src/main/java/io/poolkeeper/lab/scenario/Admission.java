package io.poolkeeper.lab.scenario;

import io.poolkeeper.lab.judge.Bound;
import io.poolkeeper.lab.judge.Bound.Refusal;
import io.poolkeeper.lab.scenario.Checkers.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Bindings of Services to pools that something else manages, and checkers that delay, flap, reject
 * and answer late (spec 5), while endpoints move, a node leaves, the controller restarts, and
 * bindings are deleted and renamed. Used by one thread.
 */
final class Admission {
  /** Milliseconds: the delays of the others have begun. */
  private static final int LATER = 2_000;

  /** Milliseconds: the others have been asked again. */
  private static final int AFTER_RESET = 3_500;

  private static final int FLAPS = 3;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String GATE = "gate";

  private final Stage stage;
  private final Checkers checkers;
  private final Bindings bindings;

  private Admission(Stage stage) {
    this.stage = stage;
    checkers = stage.checkers();
    bindings = stage.bindings();
  }

  /** What must not be followed is there before any controller is. */
  static void prepare(Stage stage) {
    Bindings bindings = stage.bindings();
    bindings.create(
        new Bound(
            "contra-exclusive",
            "push",
            BoundPools.pool("bound-contra"),
            true,
            List.of(),
            Optional.of(new Refusal("Contradiction", "contra-shared"))));
    bindings.create(shared("contra-shared", "billing", "bound-contra"));
    bindings.create(
        new Bound(
            "forbidden",
            "audit",
            BoundPools.pool(BoundPools.FORBIDDEN),
            false,
            List.of(),
            Optional.of(new Refusal("NotAllowed", "allowed-pools"))));
  }

  private static Bound shared(String name, String service, String pool, String... checks) {
    return new Bound(
        name, service, BoundPools.pool(pool), false, List.of(checks), Optional.empty());
  }

  private static Bound exclusive(String name, String service, String pool, String... checks) {
    return new Bound(name, service, BoundPools.pool(pool), true, List.of(checks), Optional.empty());
  }

  static void play(Stage stage) throws InterruptedException {
    Admission admission = new Admission(stage);
    admission.script();
    admission.checkers.start();
    admission.delays();
    admission.leaves();
    admission.renamed();
    admission.flaps();
    admission.ends();
  }

  private void script() {
    checkers.script("delays", "one", Answer.retry(1), Answer.READY);
    checkers.script("delays", "five", Answer.retry(5), Answer.READY);
    checkers.script("delays", "ten", Answer.retry(10).late(LATER, false), Answer.READY);
    checkers.script("late", "one", Answer.retry(1), Answer.READY);
    checkers.script("late", "tardy", Answer.retry(2).late(AFTER_RESET, true), Answer.READY);
    checkers.script("rejected", "one", Answer.retry(1), Answer.READY);
    checkers.script("rejected", GATE, Answer.REJECTED, Answer.READY);
    checkers.script("pair-held", "ten", Answer.retry(10), Answer.READY);
    for (String ready : List.of("flapping", "left", "before", "after")) {
      checkers.script(ready, GATE, Answer.READY);
    }
    checkers.script("flapping", "calm", Answer.READY);
  }

  private void delays() throws InterruptedException {
    stage.say("checks ask for 1, 5 and 10 s, one of them late; another answers after the reset");
    Bound delays =
        bindings.create(exclusive("delays", "web", BoundPools.DELAYS, "one", "five", "ten"));
    bindings.create(exclusive("late", "search", BoundPools.LATE, "one", "tardy"));
    bindings.create(shared("rejected", "cart", "bound-rejected", "one", GATE));
    bindings.create(shared("pair-held", "media", "bound-pair", "ten"));
    bindings.create(shared("pair-free", "reports", "bound-pair"));
    bindings.create(shared("flapping", "api", "bound-flapping", GATE, "calm"));
    bindings.create(shared("left", "chat", "bound-left", GATE));
    bindings.create(shared("before", "feed", "bound-renamed", GATE));
    stage.pause(Duration.ofMillis(LATER).plus(SECOND));
    stage.say("a node of a held pool goes out of service, endpoints move, the controller restarts");
    bindings.drained(
        new Bindings.HeldDrain(Blueprint.ipv4(BoundPools.FIRST), delays, stage.nanos()));
    stage.nodes().taint("a node of a held pool", Set.of(BoundPools.FIRST), Leaving.OUT_OF_SERVICE);
    move("web", "media", "reports", "cart");
    stage.pause(SECOND);
    stage.restartController();
  }

  private void move(String... services) {
    for (String service : services) {
      stage.move(Blueprint.named(service));
    }
  }

  /** A binding that is deleted while its check holds the pool. */
  private void leaves() throws InterruptedException {
    awaitReady("left");
    stage.say("a check leaves Ready, endpoints move, and its binding is deleted meanwhile");
    checkers.set("left", GATE, Answer.retry(10));
    move("chat");
    stage.pause(SECOND);
    bindings.delete("left");
  }

  private void renamed() throws InterruptedException {
    awaitReady("before");
    stage.say("a binding is deleted, and created under another name");
    bindings.delete("before");
    bindings.create(shared("after", "feed", "bound-renamed", GATE));
    move("feed");
  }

  /** Ready, Retry and Ready again, of its own accord and when it is asked. */
  private void flaps() throws InterruptedException {
    awaitReady("flapping");
    stage.say("a check flaps while endpoints move, and a rejection is taken back");
    for (int i = 0; i < FLAPS; i++) {
      checkers.set("flapping", GATE, Answer.retry(1 + i));
      move("api");
      stage.pause(SECOND);
      checkers.set("flapping", GATE, i == 0 ? Answer.READY : Answer.retry(1));
    }
    checkers.set("rejected", GATE, Answer.READY);
  }

  private void ends() throws InterruptedException {
    stage.say("one of two contradicting bindings is deleted, and the other one is followed");
    bindings.delete("contra-exclusive");
    stage.nodes().taint("the node is back", Set.of(BoundPools.FIRST));
    stage.converge();
    stage.awaitBindings();
  }

  private void awaitReady(String name) throws InterruptedException {
    stage.await(name + " to be ready", () -> bindings.ready(name));
  }
}
