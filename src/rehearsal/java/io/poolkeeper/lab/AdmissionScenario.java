package io.poolkeeper.lab;

import io.poolkeeper.lab.Checkers.Answer;
import io.poolkeeper.lab.judge.BindingTruth;
import io.poolkeeper.lab.judge.Bound;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Bindings of Services to pools that something else manages, and checkers that delay, flap, reject
 * and answer late (spec 5), while endpoints move, a node leaves, the controller restarts, and
 * bindings are deleted and renamed, and a tenant reaches for what is not his. Used by one thread.
 */
record AdmissionScenario(Stage stage, Tenant tenant) implements Play {
  /** Milliseconds: the delays of the others have begun. */
  private static final int LATER = 2_000;

  /** Milliseconds: the others have been asked again. */
  private static final int AFTER_RESET = 3_500;

  /** How long a deleted binding may stay: pools of one load balancer are written in a row. */
  private static final Duration GONE = Duration.ofSeconds(5);

  /** With the latency of Azure, of a change and of a deletion. */
  private static final Duration SLOWEST = Duration.ofMinutes(2);

  private static final int FLAPS = 3;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String GATE = "gate";

  AdmissionScenario(Stage stage) {
    this(stage, new Tenant(stage, new ArrayList<>()));
  }

  @Override
  public void prepare() {
    stage.world.createNamespace(UnmanagedBalancer.RIVAL);
    bound("elder", "push", "bound-heir");
    bound("free", "reports", UnmanagedBalancer.FREE);
  }

  private void bound(String name, String service, String pool, String... checks) {
    PoolId id = UnmanagedBalancer.pool(pool);
    stage.bindings.create(
        new Bound(Blueprint.NAMESPACE, name, service, id, List.of(checks), Optional.empty()));
  }

  @Override
  public void play() throws InterruptedException {
    script();
    stage.checkers.start();
    delays();
    leaves();
    renamed();
    flaps();
    ends();
  }

  private void script() {
    stage.checkers.script("delays", "one", Answer.retry(1), Answer.READY);
    stage.checkers.script("delays", "five", Answer.retry(5), Answer.READY);
    stage.checkers.script("delays", "ten", Answer.retry(10).late(LATER, false), Answer.READY);
    stage.checkers.script("late", "one", Answer.retry(1), Answer.READY);
    stage.checkers.script("late", "tardy", Answer.retry(2).late(AFTER_RESET, true), Answer.READY);
    stage.checkers.script("rejected", "one", Answer.retry(1), Answer.READY);
    stage.checkers.script("rejected", GATE, Answer.REJECTED, Answer.READY);
    for (String ready : List.of("flapping", "left", "before", "after")) {
      stage.checkers.script(ready, GATE, Answer.READY);
    }
    stage.checkers.script("flapping", "calm", Answer.READY);
  }

  private void delays() throws InterruptedException {
    stage.say("checks ask for 1, 5 and 10 s, one of them late; another answers after the reset");
    bound("delays", "web", UnmanagedBalancer.DELAYS, "one", "five", "ten");
    bound("late", "search", "bound-late", "one", "tardy");
    bound("rejected", "cart", "bound-rejected", "one", GATE);
    bound("flapping", "api", "bound-flapping", GATE, "calm");
    bound("left", "chat", "bound-left", GATE);
    bound("before", "feed", "bound-renamed", GATE);
    bound("heir", "billing", "bound-heir");
    stage.pause(Duration.ofMillis(LATER).plus(SECOND));
    tenant.reaches();
    stage.say("a node of a held pool goes out of service, endpoints move, the controller restarts");
    stage.nodes.taint(Set.of(UnmanagedBalancer.FIRST), Leaving.OUT_OF_SERVICE);
    free();
    move("web", "media", "cart");
    stage.pause(SECOND);
    stage.restartController();
    stage.converge();
    tenant.floods();
  }

  /** A hold concerns its own pool. */
  private void free() {
    move("reports");
    Change change = stage.world.changes().getLast();
    PoolId pool = UnmanagedBalancer.pool(UnmanagedBalancer.FREE);
    Change bound = new Change(change.atNanos(), pool, change.addresses());
    stage.ledger.prompt.add(bound);
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
    stage.checkers.set("left", GATE, Answer.retry(10));
    move("chat");
    stage.pause(SECOND);
    stage.bindings.delete(named("left"));
  }

  private void renamed() throws InterruptedException {
    awaitReady("before");
    stage.say("a binding is deleted, and created under another name");
    stage.bindings.delete(named("before"));
    bound("after", "feed", "bound-renamed", GATE);
    move("feed");
  }

  /** Ready, Retry and Ready again, of its own accord and when it is asked. */
  private void flaps() throws InterruptedException {
    awaitReady("flapping");
    stage.say("a check flaps while endpoints move, and a rejection is taken back");
    for (int i = 0; i < FLAPS; i++) {
      stage.checkers.set("flapping", GATE, Answer.retry(1 + i));
      move("api");
      stage.pause(SECOND);
      stage.checkers.set("flapping", GATE, i == 0 ? Answer.READY : Answer.retry(1));
    }
    stage.checkers.set("rejected", GATE, Answer.READY);
  }

  private void ends() throws InterruptedException {
    tenant.goes();
    stage.say("the older one of two bindings of a pool is deleted, and the other one is followed");
    stage.bindings.delete(named("elder"));
    stage.nodes.taint(Set.of(UnmanagedBalancer.FIRST));
    stage.converge();
    stage.awaitBindings();
  }

  private void awaitReady(String name) throws InterruptedException {
    stage.await(name + " to be ready", () -> stage.bindings.ready(named(name)));
  }

  private Bound named(String name) {
    return stage.bindings.all().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void check(Judgement judgement) {
    judgement.ofOneWriter();
    BindingTruth truth = judgement.bindings();
    judgement.none(
        "nobody waits for another one's checks, or for a flood",
        judgement.overdue(judgement.fast() ? Judgement.PROMPT : SLOWEST));
    judgement.that(
        "drains do not wait for checks",
        truth.drainedDuringHold(judgement.writes()),
        "no entry was Down while its pool was held");
    judgement.none(
        "a deleted binding is gone at once", truth.lingering(judgement.fast() ? GONE : SLOWEST));
    judgement.none("every bound pool and every status is right", truth.differences());
  }

  @Override
  public LabReport.Admission admission(Judgement judgement) {
    BindingTruth truth = judgement.bindings();
    return new LabReport.Admission(
        truth.bindings().size(), truth.resets(), truth.longestHoldMillis());
  }
}
