package io.poolkeeper.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One seed, from the first second to the end: first anything may happen and the rules are watched,
 * then the world is healed and everything must come right within a time that begins anew with each
 * progress.
 */
final class Run {
  private static final Duration PATIENCE = Duration.ofMinutes(40);
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** More would be a controller that never comes to rest. */
  private static final long MOST_STEPS = 20_000_000;

  private final Timeline time = new Timeline();
  private final Chance chance;
  private final Swarm swarm;
  private final Trace trace;
  private final SimAzure azure;
  private final SimCluster cluster = new SimCluster();
  private final Checker checker;
  private final Neighbours neighbours;
  private final Weather weather;
  private final Truth truth;
  private final Witness witness;
  private Life life;
  private int lives;

  /**
   * How a run went.
   *
   * @param violation the rule that was broken
   * @param tail the last events
   */
  record Result(
      long seed,
      Swarm swarm,
      Optional<String> violation,
      List<String> tail,
      Map<Mark, Integer> marks,
      long draws,
      long hash,
      Duration simulated) {
    /** The same run, found to break a rule afterwards. */
    Result broken(String rule) {
      return new Result(seed, swarm, Optional.of(rule), tail, marks, draws, hash, simulated);
    }
  }

  private Run(long seed, Optional<List<Fault>> script, Consumer<String> out, Witness witness) {
    this.witness = witness;
    chance = new Chance(seed);
    swarm = script.isPresent() ? Swarm.SMALL : Swarm.draw(chance);
    trace = new Trace(time, out);
    azure = new SimAzure(time, chance, swarm, script);
    checker = new Checker(time, swarm, azure, trace);
    neighbours = new Neighbours(time, chance, swarm, azure, cluster, checker, trace);
    weather = new Weather(chance, swarm, cluster, checker, trace);
    truth = new Truth(cluster, azure);
    weather.begin();
    neighbours.layOut();
    life = begin();
  }

  static Result of(long seed, Duration length, Consumer<String> out) {
    return of(seed, length, out, Witness.NONE);
  }

  static Result of(long seed, Duration length, Consumer<String> out, Witness witness) {
    Run run = new Run(seed, Optional.empty(), out, witness);
    return run.result(seed, () -> run.safety(length));
  }

  /**
   * The smallest world: one pool, two changes of which the second may come while the first is
   * written, and a script of what the exchanges with ARM meet, in their order.
   */
  static Result small(List<Fault> script) {
    Run run = new Run(script.toString().hashCode(), Optional.of(script), line -> {}, Witness.NONE);
    return run.result(script.toString().hashCode(), run::smallSafety);
  }

  private Result result(long seed, Runnable safety) {
    Optional<String> violation = Optional.empty();
    try {
      safety.run();
      liveness();
    } catch (RuntimeException broken) {
      String how = said(checker.first().<RuntimeException>map(first -> first).orElse(broken));
      violation = Optional.of(how);
      trace.say("ends early: " + how);
    }
    return new Result(
        seed,
        swarm,
        violation,
        trace.tail(),
        checker.marks(),
        chance.draws(),
        trace.hash(),
        time.elapsed());
  }

  private static String said(RuntimeException broken) {
    return broken instanceof Checker.Violation
        ? String.valueOf(broken.getMessage())
        : "an actor would have failed: " + broken;
  }

  private Life begin() {
    return new Life(++lives, time, chance, swarm, azure, cluster, checker, trace, witness);
  }

  private void smallSafety() {
    Instant begin = time.now();
    time.after(Duration.ofSeconds(10), weather::moveAll);
    time.after(Duration.ofMillis(10_200), weather::moveAll);
    until(begin.plus(Duration.ofMinutes(3)));
  }

  private void safety(Duration length) {
    Instant end = time.now().plus(length);
    repeat(swarm.change(), weather::change);
    cluster.watch(
        (kind, name) -> {
          if (kind == SimCluster.Kind.SERVICE) {
            time.after(Weather.layoutDelay(chance), neighbours::layOut);
          }
        });
    sometimes(Fault.PEER, Duration.ofMinutes(2), neighbours::peer);
    sometimes(Fault.PORTAL, Duration.ofMinutes(3), neighbours::portal);
    sometimes(Fault.CRASH, Duration.ofMinutes(10), this::crash);
    sometimes(Fault.RESTART, Duration.ofMinutes(10), this::restart);
    sometimes(Fault.POOL_CRASH, Duration.ofMinutes(5), this::crashPool);
    sometimes(Fault.SLOW_ACTOR, Duration.ofMinutes(5), this::slowActor);
    sometimes(Fault.FREEZE, Duration.ofMinutes(8), this::freeze);
    sometimes(Fault.CLOCK_JUMP, Duration.ofMinutes(5), this::jump);
    sometimes(Fault.WATCH_GAP, Duration.ofMinutes(4), this::gap);
    until(end);
  }

  private void until(Instant end) {
    while (time.next().filter(next -> next.isBefore(end)).isPresent()) {
      step();
    }
    time.pass(end);
  }

  private void step() {
    if (time.happened() > MOST_STEPS) {
      checker.violated("more than " + MOST_STEPS + " events: something never comes to rest");
    }
    time.step();
    // What a check says inside the adapter to ARM is an error like any other there.
    checker.first().ifPresent(Run::end);
  }

  private static void end(Checker.Violation violation) {
    throw violation;
  }

  private void sometimes(Fault fault, Duration mean, Runnable what) {
    if (swarm.has(fault)) {
      repeat(mean, what);
    }
  }

  private void repeat(Duration mean, Runnable what) {
    time.after(
        chance.around(mean),
        () -> {
          if (azure.troubles().on()) {
            what.run();
            repeat(mean, what);
          }
        });
  }

  private void crash() {
    if (life.alive()) {
      life.die();
      time.after(chance.between(Duration.ofMillis(100), Duration.ofMinutes(1)), this::startAgain);
    }
  }

  private void restart() {
    if (life.alive() && !life.stopping()) {
      Duration grace = Duration.ofSeconds(10);
      life.stop(grace);
      time.after(grace.plusMillis(1), this::startAgain);
    }
  }

  private void startAgain() {
    if (!life.alive()) {
      life = begin();
    }
  }

  private void crashPool() {
    List<PoolCell> cells = life.map.cells();
    if (life.alive() && !cells.isEmpty()) {
      chance.pick(cells).crash();
    }
  }

  private void slowActor() {
    List<PoolCell> cells = life.map.cells();
    String cell =
        cells.isEmpty() || chance.happens(0.5)
            ? chance.pick(List.of(MapCell.NAME, TurnstileCell.NAME))
            : chance.pick(cells).name;
    life.slow(
        cell,
        chance.between(Duration.ofMillis(10), Duration.ofSeconds(5)),
        chance.between(Duration.ofSeconds(1), Duration.ofMinutes(2)));
  }

  private void freeze() {
    if (life.alive()) {
      life.freeze(chance.between(Duration.ofMillis(100), Duration.ofMinutes(3)));
    }
  }

  private void jump() {
    checker.mark(Mark.CLOCK_JUMPED);
    Duration by = chance.between(Duration.ofSeconds(1), Duration.ofHours(3));
    azure.troubles().jump(chance.happens(0.5) ? by : by.negated());
  }

  private void gap() {
    checker.mark(Mark.WATCH_LOST);
    chance.pick(life.feeds()).gap(chance.between(Duration.ofSeconds(1), Duration.ofMinutes(5)));
  }

  private void liveness() {
    azure.troubles().heal();
    trace.say("the world is healed");
    weather.clear();
    neighbours.layOut();
    Instant patience = time.now().plus(PATIENCE);
    int wrong = Integer.MAX_VALUE;
    Instant look = time.now();
    while (true) {
      look = look.plus(LOOK);
      until(look);
      int left = truth.differences().size();
      if (left == 0 && rests()) {
        checker.rests(life);
        return;
      }
      if (left < wrong) {
        patience = time.now().plus(PATIENCE);
        wrong = left;
      }
      if (time.now().isAfter(patience)) {
        checker.violated("it does not come right: %s; %s".formatted(truth.differences(), busy()));
      }
    }
  }

  /** Whether nothing is left to do. */
  private boolean rests() {
    return life.alive() && !life.stopping() && busy().isEmpty();
  }

  private List<String> busy() {
    return life.map.cells().stream()
        .filter(cell -> !cell.state().queue().isEmpty() || cell.state().failing().isPresent())
        .map(cell -> cell.name + " " + cell.state().phase())
        .toList();
  }
}
