package io.poolkeeper.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.lab.judge.ArmWaits;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.lab.judge.ReportedEvent;
import io.poolkeeper.lab.report.Check;
import io.poolkeeper.lab.report.Report;
import io.poolkeeper.lab.Blueprint.Spec;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Runs a scenario: its stage, and the judgement at the end. */
final class Rehearsal extends Stage implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration SHOWN = Duration.ofMillis(200);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final int RETRIES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * A write with the latency of Azure; pools of one load balancer are written one after the other.
   */
  private static final Duration SLOW_WRITE = Duration.ofSeconds(5);

  private static final Duration OTHERS_START = Duration.ofMinutes(10);
  private static final Duration EVENTS_LAG = Duration.ofSeconds(5);

  private final Lab lab;
  private final Audience out;
  private final Judge judge;
  private final Map<Long, FaultRule> rules = new HashMap<>();
  private final CountDownLatch never = new CountDownLatch(1);
  private int part;
  private long begin;

  private interface Condition {
    boolean holds() throws InterruptedException;
  }

  Rehearsal(Lab lab, Audience out) {
    super(
        lab.world(),
        lab.cluster().client(),
        lab.arm().endpoint(),
        new Clock(lab.entropy().monotonicNanos(), lab.entropy().wall()),
        lab.interval(),
        new SplittableRandom(lab.options().seed()));
    this.lab = lab;
    this.out = out;
    List<URI> judged = new ArrayList<>(ArmSeed.each(lab.arm().endpoint()));
    if (lab.options().scenario().bound()) {
      judged.add(BoundPools.url(lab.arm().endpoint()));
    }
    this.judge = new Judge(lab.cluster().client(), judged);
  }

  Report hold() throws IOException, InterruptedException {
    long started = lab.startedNanos();
    if (!lab.options().controller()) {
      awaitController();
      started = now();
    }
    begin = now();
    lab.options().scenario().announce(this);
    if (lab.options().scenario().rested()) {
      say("the controller begins with full buckets, as one that has run for minutes");
    }
    converge();
    long readyMillis = (now() - started) / 1_000_000;
    lab.options().scenario().play(this);
    clearFaults();
    return report(readyMillis);
  }

  /**
   * Events are written asynchronously: the last ones may still be missing. ARM shows a pool as
   * written when it accepts the write, and the event comes after the operation's end.
   */
  private Report report(long readyMillis) throws IOException, InterruptedException {
    await(
        EVENTS_LAG.plus(lab.options().profile().longestCompletion()), () -> judgement().settled());
    long took = (now() - begin) / 1_000_000;
    return judgement().report(judge.look(), took, readyMillis);
  }

  private Judgement judgement() {
    return Judgement.of(lab, this, rules, events());
  }

  /** Looks again and again; returns whether it became true in time. */
  private boolean await(Duration patience, Condition wanted) throws InterruptedException {
    long until = now() + patience.toNanos();
    while (!wanted.holds()) {
      lab.requireController();
      if (now() >= until) {
        return false;
      }
      pause(LOOK_AGAIN);
    }
    return true;
  }

  /** The events about the Services of this rehearsal; earlier ones had other uids. */
  private List<ReportedEvent> events() {
    Set<String> uids =
        lab.world().services().stream().map(lab.world()::uid).collect(Collectors.toSet());
    return ReportedEvent.about(uids, lab.cluster().client());
  }

  private void awaitController() throws InterruptedException {
    say("waiting for a controller: poolkeeper run on the configuration above");
    if (!await(OTHERS_START, lab.journal()::listed)) {
      throw new LabException("no controller listed load balancers within " + OTHERS_START);
    }
  }

  @Override
  protected void part(int number, String line) {
    part = number;
    say(line);
  }

  @Override
  protected void say(String line) {
    out.accept(line);
  }

  @Override
  protected boolean accepted(Change change) {
    return lab.journal().writes().stream()
        .filter(change::concerns)
        .anyMatch(put -> put.acceptedNanos() >= change.atNanos());
  }

  @Override
  protected void inject(Map<String, ?> members) throws InterruptedException {
    FaultRule rule = FaultRule.parse(JSON.valueToTree(members));
    rules.put(Lab.await(lab.arm().addFault(rule)), rule);
  }

  @Override
  protected void awaitOpening(Duration before) throws InterruptedException {
    long opens = new ArmWaits(lab.journal().requests(rules)).opensNanos().orElse(now());
    pause(Duration.ofNanos(opens - now()).minus(before));
  }

  @Override
  protected void clearFaults() throws InterruptedException {
    Lab.await(lab.arm().dropFaults());
  }

  @Override
  protected Duration drainWait() {
    return lab.lock().drainWait().orElse(Duration.ZERO);
  }

  @Override
  protected int kills() {
    return lab.options().kills();
  }

  @Override
  protected void killController() throws InterruptedException {
    lab.killController();
  }

  @Override
  protected void startController() throws InterruptedException {
    lab.launchController();
  }

  @Override
  protected void restartController() throws InterruptedException {
    if (lab.options().controller()) {
      lab.restartController();
    } else {
      say("restart your controller, if you like");
    }
  }

  @Override
  protected void awaitNodeEvents() throws InterruptedException {
    await("events on nodes", () -> judgement().nodeEvents().isEmpty());
  }

  @Override
  protected void awaitRetries(Spec spec) throws InterruptedException {
    String what = "a retry of %s to be reported".formatted(spec.name());
    await(what, () -> retries(spec) >= ledger().retries(spec));
  }

  @Override
  protected void settle() throws InterruptedException {
    await("events", () -> judgement().settled());
  }

  private int retries(Spec spec) {
    return events().stream()
        .filter(event -> event.retrying() && event.service().equals(spec.name()))
        .mapToInt(ReportedEvent::count)
        .sum();
  }

  @Override
  protected void pause(Duration time) throws InterruptedException {
    long until = now() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = until - now()) {
      out.progress(part, lab.options().scenario().parts(), Duration.ofNanos(now() - begin));
      // The latch is never counted down: only an interruption ends a pause early.
      boolean counted = never.await(Math.min(left, SHOWN.toNanos()), TimeUnit.NANOSECONDS);
      if (counted) {
        throw new IllegalStateException("the rehearsal is over");
      }
    }
  }

  @Override
  protected void await(String what, BooleanSupplier wanted) throws InterruptedException {
    if (!await(patience(), wanted::getAsBoolean)) {
      say("gave up waiting for " + what);
    }
  }

  @Override
  protected void awaitBindings() throws InterruptedException {
    await("bindings", () -> judgement().bindings().differences().isEmpty());
  }

  @Override
  protected void converge() throws InterruptedException {
    long from = now();
    say(
        await(patience(), () -> differences().isEmpty())
            ? "every pool equals its wish after %.1f s%s".formatted((now() - from) / 1e9, tick())
            : "gave up waiting: " + Check.nothing("", differences()).detail());
  }

  /** What one tick for all pools would have shown by now; the scenarios of one kind say it once. */
  private String tick() {
    boolean story = part > 0;
    Tick tick = new Tick(lab.startedNanos(), lab.interval());
    return story ? "; " + tick.at(now(), world().changes()) : "";
  }

  /** A change may need all retries, an interval each, and the writes take some time. */
  private Duration patience() {
    long work = lab.options().profile() == LatencyProfile.FAST ? 0 : world().services().size();
    return lab.interval()
        .multipliedBy(RETRIES + 1)
        .plus(PATIENCE)
        .plus(SLOW_WRITE.multipliedBy(work));
  }

  private List<String> differences() throws InterruptedException {
    try {
      List<String> wrong = new ArrayList<>(judge.differences());
      wrong.addAll(nodes().differences());
      return wrong;
    } catch (IOException unreachable) {
      return List.of("ARM does not answer: " + unreachable.getMessage());
    }
  }

  @Override
  protected void quiet() throws InterruptedException {
    long nanos =
        lab.journal()
            .lastPutNanos()
            .map(last -> last + lab.interval().toNanos() - now())
            .orElse(0L);
    if (nanos > 0) {
      pause(Duration.ofNanos(nanos).plusMillis(200));
    }
  }

  private long now() {
    return lab.entropy().monotonicNanos().getAsLong();
  }

  @Override
  public void close() {
    checkers().close();
    peer().close();
    judge.close();
  }
}
