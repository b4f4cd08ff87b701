package io.poolkeeper.lab;

import io.fabric8.kubernetes.api.model.Event;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.lab.report.Check;
import io.poolkeeper.lab.report.Report;
import io.poolkeeper.lab.report.Spread;
import io.poolkeeper.lab.scenario.ArmSeed;
import io.poolkeeper.lab.scenario.Propagation;
import io.poolkeeper.lab.scenario.Scenario;
import io.poolkeeper.lab.scenario.Stage;
import io.poolkeeper.lab.scenario.World;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** A scenario under way: the stage it plays on, and the judgement at the end. */
final class Rehearsal implements Stage, AutoCloseable {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration OTHERS_START = Duration.ofMinutes(10);
  private static final String EVENTS_OF = "LoadBalancerBackendPool";

  private final Lab lab;
  private final Consumer<String> out;
  private final Judge judge;
  private final RandomGenerator random;
  private final CountDownLatch never = new CountDownLatch(1);

  Rehearsal(Lab lab, Consumer<String> out) {
    this.lab = lab;
    this.out = out;
    this.judge = new Judge(lab.cluster().client(), ArmSeed.each(lab.arm().endpoint()));
    this.random = new SplittableRandom(lab.options().seed());
  }

  Report hold() throws IOException, InterruptedException {
    if (!lab.options().controller()) {
      awaitController();
    }
    long begin = now();
    say("starting up: the pools of web and reports are wrong and must be put right");
    converge();
    long readyMillis = (now() - lab.startedNanos()) / 1_000_000;
    Scenario scenario = lab.options().scenario();
    scenario.play(this);
    return report(scenario, begin, readyMillis);
  }

  private Report report(Scenario scenario, long begin, long readyMillis)
      throws IOException, InterruptedException {
    ArmJournal journal = lab.journal();
    List<String> differences = judge.differences();
    Report.Arm arm = journal.counts();
    Map<String, Integer> events = events();
    Propagation propagation =
        Propagation.measure(lab.world().changes(), journal.puts(), interval());
    List<String> inParallel =
        arm.maxInFlightPerLoadBalancer() > 1
            ? List.of(arm.maxInFlightPerLoadBalancer() + " at once")
            : List.of();
    List<String> failures =
        events.keySet().stream().filter(reason -> reason.endsWith("Failed")).toList();
    List<Check> checks =
        List.of(
            Check.nothing("every pool equals its wish", differences),
            Check.nothing("one write at a time per load balancer", inParallel),
            Check.nothing("at most one write per pool and interval", journal.tooSoon(interval())),
            Check.nothing("no write that changes nothing", journal.needless()),
            Check.nothing("no failure was reported", failures));
    return new Report(
        scenario.title(),
        lab.options().seed(),
        checks.stream().allMatch(Check::passed),
        (now() - begin) / 1_000_000,
        interval().toMillis(),
        lab.options().profile().name().toLowerCase(Locale.ROOT),
        lab.notes(),
        checks,
        Spread.of(propagation.afterQuiet()),
        Spread.of(propagation.withinInterval()),
        arm,
        events,
        differences.size(),
        readyMillis);
  }

  /** How often each reason was reported about the lab's Services. */
  private Map<String, Integer> events() {
    Map<String, Integer> byReason = new TreeMap<>();
    for (Event event : lab.cluster().client().v1().events().inAnyNamespace().list().getItems()) {
      if (event.getReason() != null && event.getReason().startsWith(EVENTS_OF)) {
        byReason.merge(
            event.getReason(), Objects.requireNonNullElse(event.getCount(), 1), Integer::sum);
      }
    }
    return byReason;
  }

  private void awaitController() throws InterruptedException {
    say("waiting for a controller: poolkeeper run on the configuration above");
    long until = now() + OTHERS_START.toNanos();
    while (!lab.journal().listed()) {
      if (now() > until) {
        throw new LabException("no controller listed load balancers within " + OTHERS_START);
      }
      pause(LOOK_AGAIN);
    }
  }

  @Override
  public World world() {
    return lab.world();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Duration interval() {
    return lab.interval();
  }

  @Override
  public void say(String line) {
    out.accept(line);
  }

  @Override
  public void pause(Duration time) throws InterruptedException {
    // Nobody counts it down: an interruption of the thread is what ends a pause early.
    boolean counted = never.await(time.toNanos(), TimeUnit.NANOSECONDS);
    if (counted) {
      throw new IllegalStateException("the rehearsal is over");
    }
  }

  @Override
  public void converge() throws InterruptedException {
    long begin = now();
    long until = begin + interval().toNanos() * 2 + PATIENCE.toNanos();
    List<String> differences = differences();
    while (!differences.isEmpty() && now() < until) {
      pause(LOOK_AGAIN);
      differences = differences();
    }
    say(
        differences.isEmpty()
            ? "every pool equals its wish after %.1f s".formatted((now() - begin) / 1e9)
            : "gave up waiting, %d pools differ".formatted(differences.size()));
  }

  private List<String> differences() throws InterruptedException {
    try {
      return judge.differences();
    } catch (IOException unreachable) {
      return List.of("ARM does not answer: " + unreachable.getMessage());
    }
  }

  @Override
  public void quiet() throws InterruptedException {
    long nanos =
        lab.journal().lastPutNanos().map(last -> last + interval().toNanos() - now()).orElse(0L);
    if (nanos > 0) {
      pause(Duration.ofNanos(nanos).plusMillis(200));
    }
  }

  private long now() {
    return lab.entropy().monotonicNanos().getAsLong();
  }

  @Override
  public void close() {
    judge.close();
  }
}
