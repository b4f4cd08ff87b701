package io.poolkeeper.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.lab.Blueprint.Spec;
import io.poolkeeper.lab.LabReport.CheckResult;
import io.poolkeeper.lab.judge.ArmWaits;
import io.poolkeeper.lab.judge.HeadlineAudit;
import io.poolkeeper.lab.judge.Judge;
import io.poolkeeper.lab.judge.ReportedEvent;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * What a scenario acts on, from its start to the judgement: the world, the others, faults of ARM,
 * waits, progress lines. Used by one thread.
 */
final class Stage implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration SHOWN = Duration.ofMillis(200);
  private static final Duration OBSERVED = Duration.ofSeconds(1);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final int RETRIES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * A write with the latency of Azure; pools of one load balancer are written one after the other.
   */
  private static final Duration SLOW_WRITE = Duration.ofSeconds(5);

  private static final Duration OTHERS_START = Duration.ofMinutes(10);
  private static final Duration EVENTS_LAG = Duration.ofSeconds(5);

  /** Endpoints of a Service that are remembered; there are not many more. */
  private static final int MOST_FORMER = 40;

  final Lab lab;
  private final Audience out;
  private final Judge judge;
  private final CountDownLatch never = new CountDownLatch(1);

  /** The members that the pools of a Service had; none of them is used again. */
  private final Map<Spec, Set<Set<String>>> former = new HashMap<>();

  final HeadlineAudit headlines = new HeadlineAudit();
  private long observed;
  private int part;
  private long begin;

  final World world;
  final Expectations ledger = new Expectations();
  final Nodes nodes;

  final ProblemDetector detector;
  final Peer peer;
  final BindingObjects bindings;
  final Checkers checkers;
  final Duration interval;

  final RandomGenerator random;
  final Play play;

  interface Condition {
    boolean holds() throws InterruptedException;
  }

  Stage(Lab lab, Audience out) {
    KubernetesClient client = lab.cluster.client();
    this.lab = lab;
    this.out = out;
    world = lab.world;
    nodes = new Nodes(lab, ledger);
    detector = new ProblemDetector(client, lab.entropy.wall());
    peer = new Peer(lab, new PeerLease(lab), new HashMap<>());
    bindings = new BindingObjects(client, new ArrayList<>());
    checkers = new Checkers(client, lab.entropy.wall());
    interval = lab.interval();
    random = new SplittableRandom(lab.options.seed());
    List<String> judged = new ArrayList<>(Blueprint.paths());
    if (lab.scenario().bound()) {
      judged.add(UnmanagedBalancer.path());
    }
    judge = new Judge(client, lab.http, judged);
    play = lab.scenario().on(this);
  }

  LabReport hold() throws InterruptedException {
    long started = lab.startedNanos();
    if (!lab.options.controller()) {
      say("waiting for a controller: poolkeeper run on the configuration above");
      if (!await(OTHERS_START, lab.journal()::listed)) {
        throw new LabException("no controller listed load balancers within " + OTHERS_START);
      }
      started = nanos();
    }
    begin = nanos();
    play.opening().forEach(this::say);
    if (lab.scenario().rested()) {
      say("the controller begins with full buckets, as one that has run for minutes");
    }
    converge();
    long readyMillis = (nanos() - started) / 1_000_000;
    play.play();
    clearFaults();
    return report(readyMillis);
  }

  /**
   * Events are written asynchronously: the last ones may still be missing. ARM shows a pool as
   * written when it accepts the write, and the event comes after the operation's end.
   */
  private LabReport report(long readyMillis) throws InterruptedException {
    await(EVENTS_LAG.plus(lab.options.profile().longestCompletion()), this::reported);
    long took = (nanos() - begin) / 1_000_000;
    return judgement().report(judge.look(), took, readyMillis);
  }

  private Judgement judgement() {
    return Judgement.of(lab, this, events());
  }

  /** What a controller has not reported before it was killed, it never will. */
  private boolean reported() {
    return lab.scenario().kills() || lab.scenario().bound() || judgement().reported();
  }

  /** The events about the Services of this rehearsal; earlier ones had other uids. */
  private List<ReportedEvent> events() {
    Set<String> uids = world.services.stream().map(world::uid).collect(Collectors.toSet());
    return ReportedEvent.about(uids, lab.cluster.client());
  }

  long nanos() {
    return lab.nanos();
  }

  /** Gives a Service endpoints that it had not had in this rehearsal, or not for many moves. */
  void move(Spec spec) {
    Set<Set<String>> before = former.computeIfAbsent(spec, s -> new HashSet<>());
    if (before.size() >= MOST_FORMER) {
      before.clear();
    }
    before.add(world.members(spec, false).keySet());
    Set<Integer> drawn = draw();
    while (before.contains(world.membersWith(spec, 0, drawn))) {
      drawn = draw();
    }
    world.setSlice(spec, 0, drawn);
  }

  private Set<Integer> draw() {
    int first = random.nextInt(Blueprint.NODES);
    return World.window(first, 2 + random.nextInt(5));
  }

  /** Moves a Service whose next writes fail; {@code how} are members of the rule. */
  void fail(String service, int times, Map<String, ?> how) throws InterruptedException {
    Spec spec = Blueprint.named(service);
    failNext(spec, times, how);
    ledger.refused(spec, times);
    move(spec);
  }

  /** Makes the next writes to one pool fail. */
  void failNext(Spec spec, int times, Map<String, ?> how) throws InterruptedException {
    Map<String, Object> rule = new HashMap<>(how);
    rule.put("method", "PUT");
    rule.put("path", "/backendAddressPools/%s$".formatted(spec.pool(false)));
    rule.put("times", times);
    inject(rule);
  }

  /** Adds a fault rule with these members to the ARM simulator. */
  void inject(Map<String, ?> members) throws InterruptedException {
    FaultRule rule = FaultRule.parse(JSON.valueToTree(members));
    lab.rules.put(Lab.await(lab.arm().addFault(rule)), rule);
  }

  void clearFaults() throws InterruptedException {
    Lab.await(lab.arm().dropFaults());
  }

  /** So many intervals in whole seconds, the unit of {@code Retry-After}; at least one. */
  long seconds(double intervals) {
    return Math.max(1, Math.round(interval.toMillis() * intervals / 1000));
  }

  /** A part of the scenario begins, the first one being the start. */
  void part(int number, String line) {
    part = number;
    say(line);
  }

  void say(String line) {
    out.accept(line);
  }

  /** Whether ARM has accepted a write of the change's pool since. */
  boolean accepted(Change change) {
    return lab.journal().writes().stream()
        .filter(change::concerns)
        .anyMatch(put -> put.acceptedNanos() >= change.atNanos());
  }

  void restartController() throws InterruptedException {
    if (lab.options.controller()) {
      lab.restartController();
    } else {
      say("restart your controller, if you like");
    }
  }

  /** Waits; throws if the rehearsal is interrupted. */
  void pause(Duration time) throws InterruptedException {
    long until = nanos() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = until - nanos()) {
      out.progress(part, lab.scenario().parts(), Duration.ofNanos(nanos() - begin));
      // The latch is never counted down: only an interruption ends a pause early.
      observe();
      boolean counted = never.await(Math.min(left, SHOWN.toNanos()), TimeUnit.NANOSECONDS);
      if (counted) {
        throw new IllegalStateException("the rehearsal is over");
      }
    }
  }

  /** Once a second: does the page call well what is not? */
  private void observe() throws InterruptedException {
    if (nanos() - observed < OBSERVED.toNanos()) {
      return;
    }
    observed = nanos();
    try {
      Optional<JsonNode> status = lab.status();
      if (status.isPresent()) {
        List<String> poolless =
            lab.scenario().bound()
                ? judge.poolless(Blueprint.id(Blueprint.ELSEWHERE).path())
                : List.of();
        long shown = lab.journal().shownNanos(observed);
        headlines.look(status.get(), judge.look(), poolless, shown, nanos());
      }
    } catch (UncheckedIOException unreachable) {
      // ARM does not answer, or no controller does: nothing is shown, or nothing can be judged.
      return;
    }
  }

  /** Looks again and again; returns whether it became true in time. */
  private boolean await(Duration patience, Condition wanted) throws InterruptedException {
    long until = nanos() + patience.toNanos();
    while (!wanted.holds()) {
      lab.requireController();
      if (nanos() >= until) {
        return false;
      }
      pause(LOOK_AGAIN);
    }
    return true;
  }

  /** Waits until something is so, or prints that it took too long. */
  void await(String what, Condition wanted) throws InterruptedException {
    if (!await(patience(), wanted)) {
      say("gave up waiting for " + what);
    }
  }

  /** Waits until as many events on Nodes were reported as the ledger has. */
  void awaitNodeEvents() throws InterruptedException {
    await("events on nodes", () -> judgement().nodeEvents().isEmpty());
  }

  /** Waits until as many retries of the Service were reported as the ledger has. */
  void awaitRetries(Spec spec) throws InterruptedException {
    String what = "a retry of %s to be reported".formatted(spec.name());
    await(what, () -> retries(spec) >= ledger.refused.getOrDefault(spec.name(), 0));
  }

  private int retries(Spec spec) {
    return events().stream()
        .filter(event -> event.retrying() && event.service().equals(spec.name()))
        .mapToInt(ReportedEvent::count)
        .sum();
  }

  void settle() throws InterruptedException {
    await("events", this::reported);
  }

  /** Waits until every bound pool, and the status of every binding, is correct. */
  void awaitBindings() throws InterruptedException {
    await("bindings", () -> judgement().bindings().differences().isEmpty());
  }

  /** Waits until shortly before ARM takes all calls again, as it has said. */
  void awaitOpening(Duration before) throws InterruptedException {
    long opens = new ArmWaits(lab.journal().requests()).opensNanos().orElse(nanos());
    pause(Duration.ofNanos(opens - nanos()).minus(before));
  }

  /**
   * Waits until no pool was written for an interval, so that the next change follows a quiet
   * interval.
   */
  void quiet() throws InterruptedException {
    long left =
        lab.journal().lastPutNanos().map(last -> last + interval.toNanos() - nanos()).orElse(0L);
    if (left > 0) {
      pause(Duration.ofNanos(left).plusMillis(200));
    }
  }

  /** Waits until every pool is correct, or prints that it took too long. */
  void converge() throws InterruptedException {
    long from = nanos();
    say(
        await(patience(), () -> differences().isEmpty())
            ? "every pool is in sync after %.1f s%s".formatted((nanos() - from) / 1e9, tick())
            : "gave up waiting: " + CheckResult.nothing("", differences()).detail());
  }

  /** Waits until every pool is correct and all changes of nodes are reported on them. */
  void convergeAndReport() throws InterruptedException {
    converge();
    awaitNodeEvents();
  }

  /** Taints nodes, or takes their taints if none is given, and waits for what follows. */
  void taint(Collection<Integer> which, Leaving... taints) throws InterruptedException {
    nodes.taint(which, taints);
    convergeAndReport();
  }

  /** What one tick for all pools would have shown by now, in a scenario that has parts. */
  private String tick() {
    Tick tick = new Tick(lab.startedNanos(), interval);
    return part > 0 ? "; " + tick.at(nanos(), world.changes()) : "";
  }

  /** A change may need all retries, an interval each, and the writes take some time. */
  private Duration patience() {
    long work = lab.options.profile() == LatencyProfile.FAST ? 0 : world.services.size();
    return interval.multipliedBy(RETRIES + 1).plus(PATIENCE).plus(SLOW_WRITE.multipliedBy(work));
  }

  private List<String> differences() throws InterruptedException {
    try {
      List<String> wrong = new ArrayList<>(judge.look().all());
      wrong.addAll(nodes.differences());
      return wrong;
    } catch (UncheckedIOException unreachable) {
      return List.of("ARM: " + unreachable.getMessage());
    }
  }

  @Override
  public void close() {
    checkers.close();
  }
}
