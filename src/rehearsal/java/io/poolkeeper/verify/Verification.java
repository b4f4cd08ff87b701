package io.poolkeeper.verify;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.WriteFence;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.process.Entropy;
import io.poolkeeper.verify.Scratch.Refused;
import io.poolkeeper.verify.azure.PlainArm;
import io.poolkeeper.verify.azure.TypedScratch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A run against an Azure: its clients, its scratch resources, its checks. Says what it does line by
 * line.
 *
 * @param azure where; as configured, or a simulator
 * @param second an identity that may not write
 */
record Verification(
    Given given, Azure azure, Options options, Optional<Azure> second, Consumer<String> say) {
  /**
   * What the command line says.
   *
   * @param location where to make the resources; empty = where the group is
   * @param beside in a group with other resources, too
   * @param clean the command that deletes what is left
   */
  record Options(
      String group, Optional<String> location, boolean quick, boolean beside, String clean) {}

  /**
   * What the controller's own client is given.
   *
   * @param version of the program
   */
  record Given(Duration permitDeadline, Duration maxRetryAfter, String version) {}

  private static final Duration YOUNG = Duration.ofHours(1);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final int SAMPLES = 20;
  private static final int QUICK_SAMPLES = 5;

  /** Makes the resources, runs the checks, and deletes the resources. */
  VerifyReport run(Entropy entropy) throws InterruptedException {
    String run = "%08x".formatted(entropy.random().nextInt());
    return with(
        entropy,
        run,
        clients -> {
          Place place = new Place(azure.subscriptionId(), options.group(), location(clients), run);
          return new Session(place, clients.scratch(), options.clean() + "=" + run, PAUSE, say)
              .run(() -> checks(entropy, clients, place));
        });
  }

  /**
   * Deletes what a run has left, or all runs that began more than an hour ago: a younger one may
   * still run.
   *
   * @param only the id of the run; empty = all
   */
  void clean(Entropy entropy, String only) throws InterruptedException {
    Instant before = entropy.wall().instant().minus(YOUNG);
    List<String> failures = with(entropy, "", clients -> clean(clients, only, before));
    if (!failures.isEmpty()) {
      throw new Refused(String.join(System.lineSeparator(), failures), false);
    }
  }

  private List<String> clean(Clients clients, String only, Instant before)
      throws InterruptedException {
    List<String> failures = new ArrayList<>();
    Map<String, Boolean> runs = new TreeMap<>();
    for (Scratch.Found one : clients.scratch().found()) {
      if (one.run().matches("[0-9a-f]{8}")) {
        boolean young = one.made().filter(at -> at.isAfter(before)).isPresent();
        runs.merge(one.run(), young, Boolean::logicalOr);
      } else if (one.name().startsWith(Place.NAMES + only)) {
        failures.add("%s %s has lost its tag: delete it by hand".formatted(one.type(), one.name()));
      }
    }
    runs.keySet().removeIf(run -> !only.isEmpty() && !run.equals(only));
    for (var run : runs.entrySet()) {
      if (run.getValue() && only.isEmpty()) {
        say.accept("run %1$s: younger than an hour, give --clean=%1$s".formatted(run.getKey()));
      } else {
        delete(clients, run.getKey()).ifPresent(failures::add);
      }
    }
    if (runs.isEmpty()) {
      say.accept("resource group %s: no run has left anything".formatted(options.group()));
    }
    return failures;
  }

  /** Deletes what a run has made; why not, if it is not gone. */
  private Optional<String> delete(Clients clients, String run) throws InterruptedException {
    try {
      clients.scratch().delete(new Place(azure.subscriptionId(), options.group(), "", run));
      say.accept("run %s: deleted".formatted(run));
      return Optional.empty();
    } catch (Refused refused) {
      return Optional.of("run %s: %s".formatted(run, refused.getMessage()));
    }
  }

  private record Clients(PlainArm arm, TypedScratch scratch, Recorder recorder) {}

  private interface Work<T> {
    T done(Clients clients) throws InterruptedException;
  }

  private <T> T with(Entropy entropy, String run, Work<T> work) throws InterruptedException {
    Recorder recorder = new Recorder();
    try (PlainArm arm = PlainArm.connect(azure, entropy.wall(), recorder::add)) {
      TypedScratch scratch =
          new TypedScratch(
              arm, azure.subscriptionId(), options.group(), run, entropy.wall().instant());
      return work.done(new Clients(arm, scratch, recorder));
    }
  }

  /** Where to work, when it is clear that the group may be used. */
  private String location(Clients clients) throws InterruptedException {
    String ofGroup = clients.scratch().location();
    List<String> others =
        clients.scratch().found().stream()
            .filter(one -> one.run().isEmpty())
            .map(one -> one.type() + " " + one.name())
            .toList();
    if (!others.isEmpty() && !options.beside()) {
      throw new Refused(
          "resource group %s has %d resources that no run has made, one of them %s: give an empty group, or --beside"
              .formatted(options.group(), others.size(), others.getFirst()),
          false);
    }
    return options.location().orElse(ofGroup);
  }

  private VerifyReport checks(Entropy entropy, Clients clients, Place place)
      throws InterruptedException {
    Pseudonyms names = new Pseudonyms(options.group());
    try (AzureArm adapter = adapter(entropy)) {
      Bench bench =
          new Bench(
              place,
              clients.arm(),
              adapter,
              clients.scratch(),
              entropy.monotonic(),
              options.quick() ? QUICK_SAMPLES : SAMPLES,
              given.permitDeadline());
      List<CheckRun.Result> results = results(entropy, clients, bench, names);
      VerifyReport report =
          new VerifyReport(
              given.version(),
              azure.apiVersion(),
              place,
              results,
              clients.recorder(),
              names,
              false);
      report.summary().forEach(say);
      return report;
    }
  }

  private List<CheckRun.Result> results(
      Entropy entropy, Clients clients, Bench bench, Pseudonyms names) throws InterruptedException {
    CheckRun run = new CheckRun(bench, clients.recorder(), CheckRun.LIMIT);
    List<Assumption> checks = CheckRun.checks(options.quick());
    Consumer<CheckRun.Result> each = result -> VerifyReport.lines(result, names).forEach(say);
    if (second.isEmpty()) {
      return run.all(checks, each);
    }
    try (PlainArm other = PlainArm.connect(second.get(), entropy.wall(), clients.recorder()::add)) {
      List<Assumption> more = new ArrayList<>(checks);
      more.addFirst(AnswerChecks.forbidden(other));
      return run.all(more, each);
    }
  }

  private AzureArm adapter(Entropy entropy) {
    return AzureArm.create(
        azure,
        given.permitDeadline(),
        given.maxRetryAfter(),
        ArmObserver.NONE,
        WriteFence.OPEN,
        new Clocks(entropy.monotonicNanos(), entropy.monotonic(), entropy.wall(), entropy::random),
        Optional.empty());
  }
}
