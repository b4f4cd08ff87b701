package io.poolkeeper.simulation;

import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.status.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One seed, from the first second to the end: first anything may happen and the rules are watched,
 * then the world is healed and everything must converge within a time that begins anew with each
 * progress.
 */
final class Run {
  private static final Duration PATIENCE = Duration.ofMinutes(40);
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** The longest time for which an actor is slow or the process stands still. */
  private static final Duration LONGEST_FAULT = Duration.ofMinutes(3);

  /** The most steps in a second: a controller with more never comes to rest. */
  private static final long MAX_STEPS = 200_000;

  private final SimWorld sim;
  private final ClusterChurn churn;
  private final Expected expected;
  private final Optional<BindingUsers> users;
  private Instant second = Instant.EPOCH;
  private long stepsBefore;
  private int processes;
  private boolean restarting;

  /**
   * How a run went.
   *
   * @param violation the rule that was broken
   * @param tail the last events
   */
  record Result(
      long seed,
      SimOptions options,
      Optional<String> violation,
      List<String> tail,
      Map<RunMark, Integer> marks,
      long draws,
      long hash,
      Duration simulated,
      Figures figures) {
    /** The same run, found to break a rule afterwards. */
    Result broken(String rule) {
      return new Result(
          seed, options, Optional.of(rule), tail, marks, draws, hash, simulated, figures);
    }
  }

  private Run(SimWorld sim) {
    this.sim = sim;
    churn = new ClusterChurn(sim);
    expected = new Expected(sim.cluster, sim.arm, sim.options.nodes().minActive());
    churn.begin();
    sim.others.layOut();
    users = sim.options.bindings().map(drawn -> new BindingUsers(sim, drawn.stream()));
    users.ifPresent(BindingUsers::begin);
    begin();
  }

  static Result of(SeededSystem system, long seed, Duration length, Consumer<String> out) {
    SimWorld sim =
        new SimWorld(system, new Chance(seed), SimOptions.draw(seed), Optional.empty(), out);
    return result(sim, seed, run -> run.safety(length), Run::quiet);
  }

  /**
   * The smallest world: one pool, two changes of which the second may come while the first is
   * written, and a script of what the exchanges with ARM meet, in their order.
   */
  static Result small(SeededSystem system, List<Fault> script) {
    long seed = script.toString().hashCode();
    SimWorld sim =
        new SimWorld(system, new Chance(seed), SimOptions.SMALL, Optional.of(script), line -> {});
    return result(sim, seed, Run::smallSafety, run -> {});
  }

  /** An outage, and then how everything converges. */
  static Result storm(SeededSystem system, long seed, SimOptions options, Consumer<String> out) {
    Duration length =
        options.failures().outage().map(SimOptions.Outage::length).orElse(Duration.ZERO);
    SimWorld sim = new SimWorld(system, new Chance(seed), options, Optional.empty(), out);
    return result(sim, seed, run -> run.until(VirtualTime.START.plus(length)), run -> {});
  }

  private static Result result(SimWorld sim, long seed, Consumer<Run> safety, Consumer<Run> end) {
    Optional<String> violation = Optional.empty();
    LogCapture log = LogCapture.of(sim);
    try {
      Run run = new Run(sim);
      safety.accept(run);
      run.liveness();
      end.accept(run);
    } catch (SimWorld.Violation broken) {
      violation = sim.firstViolation().or(() -> Optional.of(broken)).map(Throwable::getMessage);
    } catch (RuntimeException failed) {
      violation = Optional.of("the run failed: " + failed);
    } finally {
      sim.process.ifPresent(SimProcess::die);
      log.close();
    }
    return new Result(
        seed,
        sim.options,
        violation,
        violation.isPresent() ? sim.trace.tail() : List.of(),
        sim.marks,
        sim.chance.draws(),
        sim.trace.hash(),
        sim.time.elapsed(),
        sim.figures);
  }

  private void begin() {
    sim.process = Optional.of(new SimProcess(++processes, sim));
  }

  private void smallSafety() {
    Instant begin = sim.time.now();
    sim.time.after(Duration.ofSeconds(10), churn::moveAll);
    sim.time.after(Duration.ofMillis(10_200), churn::moveAll);
    until(begin.plus(Duration.ofMinutes(3)));
  }

  private void safety(Duration length) {
    Instant end = sim.time.now().plus(length);
    repeat(sim.options.size().change(), churn::change);
    sim.cluster.watch(
        (kind, name) -> {
          if (kind == SimCluster.Kind.SERVICE) {
            sim.process.ifPresent(one -> one.ledger.changed(name));
            Duration delay = sim.chance.between(Duration.ofMillis(500), Duration.ofSeconds(20));
            sim.time.after(delay, () -> sim.others.ensure(name));
          }
        });
    users.ifPresent(of -> repeat(Duration.ofMinutes(2), of::change));
    sometimes(Fault.PEER, Duration.ofMinutes(2), sim.others::peer);
    if (sim.options.has(Fault.PEER_UPDATER)) {
      sim.others.updater.begin();
    }
    sometimes(Fault.PORTAL, Duration.ofMinutes(3), sim.others::portal);
    sometimes(Fault.REVERT, Duration.ofMinutes(3), sim.others::revert);
    if (sim.options.sharing().lease()) {
      sometimes(Fault.LEASE_STOLEN, Duration.ofSeconds(20), sim.lease::steal);
      if (sim.options.sharing().outages()) {
        repeat(Duration.ofMinutes(6), sim.lease::beginOutage);
      }
    }
    sometimes(Fault.CRASH, Duration.ofMinutes(10), () -> sim.process.ifPresent(SimProcess::die));
    sometimes(Fault.RESTART, Duration.ofMinutes(10), this::restart);
    sometimes(Fault.POOL_CRASH, Duration.ofMinutes(5), sim.time::failOne);
    sometimes(Fault.SLOW_ACTOR, Duration.ofMinutes(5), this::slowActor);
    sometimes(Fault.FREEZE, Duration.ofMinutes(8), this::freeze);
    sometimes(Fault.CLOCK_JUMP, Duration.ofMinutes(5), this::jump);
    sometimes(Fault.WATCH_GAP, Duration.ofMinutes(4), this::loseWatch);
    repeat(Duration.ofSeconds(3), this::look);
    until(end);
  }

  private void until(Instant end) {
    sim.time.runUntil(end, this::afterStep);
  }

  private void afterStep() {
    // What a check says inside the program is an error like any other there.
    sim.firstViolation().ifPresent(Run::end);
    if (!sim.time.now().isBefore(second.plusSeconds(1))) {
      second = sim.time.now();
      stepsBefore = sim.time.steps();
    }
    sim.check(
        sim.time.steps() - stepsBefore < MAX_STEPS,
        "more than " + MAX_STEPS + " steps in a second: it never rests");
    if (sim.process.isEmpty() && !restarting) {
      restarting = true;
      sim.time.forgetActors();
      sim.time.after(
          sim.chance.between(Duration.ofMillis(100), Duration.ofMinutes(1)),
          () -> {
            restarting = false;
            begin();
          });
    }
  }

  private static void end(SimWorld.Violation violation) {
    throw violation;
  }

  private void sometimes(Fault fault, Duration mean, Runnable what) {
    if (sim.options.has(fault)) {
      repeat(mean, what);
    }
  }

  private void repeat(Duration mean, Runnable what) {
    sim.time.after(
        sim.chance.around(mean),
        () -> {
          if (sim.faults.on()) {
            what.run();
            repeat(mean, what);
          }
        });
  }

  private void restart() {
    sim.process
        .filter(one -> !one.stopping())
        .ifPresent(
            one -> {
              one.stop();
              boolean slow = sim.options.has(Fault.SLOW_ACTOR) || sim.options.has(Fault.FREEZE);
              mustEnd(one, slow ? GRACE.plus(LONGEST_FAULT) : GRACE);
            });
  }

  /** While the process stands still, the time for its stop does not begin. */
  private void mustEnd(SimProcess one, Duration grace) {
    sim.time.after(
        grace,
        () -> {
          if (sim.time.now().isBefore(sim.time.frozenUntil().plus(grace))) {
            mustEnd(one, grace);
          } else {
            sim.check(!one.alive(), "a stop takes over " + grace);
          }
        });
  }

  private void slowActor() {
    sim.time.slowOne(
        sim.chance.between(Duration.ofMillis(10), Duration.ofSeconds(5)),
        sim.chance.between(Duration.ofSeconds(1), LONGEST_FAULT));
  }

  private void freeze() {
    Duration length = sim.chance.between(Duration.ofMillis(100), LONGEST_FAULT);
    sim.trace.say("the process stands still for " + length);
    sim.time.freeze(length);
  }

  private void jump() {
    sim.mark(RunMark.CLOCK_JUMPED);
    Duration by = sim.chance.between(Duration.ofSeconds(1), Duration.ofHours(3));
    sim.faults.jump(sim.chance.happens(0.5) ? by : by.negated());
  }

  private void loseWatch() {
    boolean halfOpen = sim.chance.happens(0.3);
    sim.mark(halfOpen ? RunMark.WATCH_HALF_OPEN : RunMark.WATCH_LOST);
    Duration longest = Duration.ofMinutes(halfOpen ? 15 : 5);
    Duration length = sim.chance.between(Duration.ofSeconds(1), longest);
    sim.process.ifPresent(one -> sim.chance.pick(one.watches.all()).lose(length, halfOpen));
  }

  /** The rules about the status page hold whenever no actor has anything to do. */
  private void look() {
    sim.process
        .filter(one -> !one.stopping() && sim.time.settled())
        .ifPresent(
            one -> {
              Snapshot status = one.status();
              new StatusRules(sim, one.ledger).check(status);
              new HeadlineRules(sim, one.ledger).check(one.json(status));
              int permitsOut = status.rateLimiter().map(RateLimiterView::permitsOut).orElse(0);
              one.ledger.leases.ifPresent(leases -> leases.look(permitsOut));
            });
  }

  private void liveness() {
    sim.faults.heal();
    sim.trace.say("the world is healed");
    users.ifPresent(BindingUsers::heal);
    churn.clear();
    sim.signals.lastOne();
    sim.others.layOut();
    Instant patience = sim.time.now().plus(PATIENCE);
    int wrong = Integer.MAX_VALUE;
    Instant next = sim.time.now();
    while (true) {
      next = next.plus(LOOK);
      until(next);
      look();
      int left = differences().size();
      if (left == 0 && rests()) {
        return;
      }
      if (left < wrong) {
        patience = sim.time.now().plus(PATIENCE);
        wrong = left;
      }
      if (!sim.time.now().isBefore(patience)) {
        throw sim.broken("it does not converge: %s; %s".formatted(differences(), busy()));
      }
    }
  }

  /** Nothing goes wrong any more, and what may still wait has ended; then waits are judged anew. */
  private void quiet() {
    until(sim.time.now().plus(QuietChurn.BEFORE));
    sim.process.ifPresent(one -> one.ledger.waits.judge.quiet());
    new QuietChurn(sim, churn).begin();
    Instant end = sim.time.now().plus(QuietChurn.LENGTH);
    while (sim.time.now().isBefore(end)) {
      until(sim.time.now().plus(LOOK));
      look();
    }
  }

  private Map<String, String> differences() {
    Map<String, String> all = new TreeMap<>(expected.differences());
    users.ifPresent(of -> all.putAll(of.differences(expected)));
    return all;
  }

  /** Whether nothing is left to do; then everything is counted. */
  private boolean rests() {
    if (!busy().isEmpty()) {
      return false;
    }
    sim.process.ifPresent(one -> one.ledger.rests(one.scrape()));
    return true;
  }

  /** Pools that have something to do, as the status page shows them. */
  private List<String> busy() {
    Optional<SimProcess> process = sim.process.filter(one -> !one.stopping());
    if (process.isEmpty() || !sim.time.settled()) {
      return List.of("the process");
    }
    return process.get().status().pools().stream()
        .filter(
            pool -> pool.state() != PoolStatus.State.IDLE && !sim.faults.refuses(pool.id().path()))
        .map(pool -> pool.id() + " " + pool.state())
        .toList();
  }
}
