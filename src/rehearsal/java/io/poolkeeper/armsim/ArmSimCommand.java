package io.poolkeeper.armsim;

import static java.util.stream.Collectors.joining;

import com.typesafe.config.ConfigFactory;
import io.poolkeeper.armsim.ArmSimSettings.Access;
import io.poolkeeper.armsim.compare.Comparison;
import io.poolkeeper.cli.CliCommand;
import io.poolkeeper.cli.CommandFailure;
import io.poolkeeper.cli.CommandProvider;
import io.poolkeeper.cli.OptionCheck;
import io.poolkeeper.cli.StopSignal;
import io.poolkeeper.process.Actors;
import io.poolkeeper.process.Entropy;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * {@code poolkeeper arm-sim}: the ARM simulator alone, on loopback, for any client. Prints only its
 * URL (and certificate) on standard output; SIGTERM saves the state and ends it with exit code 0.
 */
@Command(
    name = "arm-sim",
    description = {
      "Simulates Azure Resource Manager for load balancers and their backend pools.",
      "Listens on 127.0.0.1 until interrupted, and prints where."
    },
    footer = {
      "",
      "Example:",
      "  poolkeeper arm-sim --port 8400 --state arm.json",
      "  poolkeeper arm-sim --port 8443 --tls --ca-file ca.pem --profile azure",
      "  poolkeeper arm-sim --compare report.json"
    })
final class ArmSimCommand extends CliCommand implements Callable<Integer> {
  private static final int MAX_PAGE_SIZE = 1_000;

  /** Of a report that is wrong throughout. */
  private static final int MOST_PROBLEMS = 20;

  /** Long enough for the largest supported state file, which takes a few seconds. */
  private static final Duration START = Duration.ofSeconds(60);

  /** Shorter than the grace of {@link StopSignal}. */
  private static final Duration STOP = Duration.ofSeconds(8);

  @Mixin private final OptionCheck check = new OptionCheck();

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "0",
      description = "Where to listen. Default: 0, any free port.")
  private int port;

  @Option(names = "--tls", description = "Speaks https, with a certificate of its own authority.")
  private boolean tls;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description = "With --tls: where to write the authority's certificate. Default: a new file.")
  private @Nullable Path caFile;

  @Option(
      names = "--require-token",
      description = "Answers 401 to calls of Resource Manager without a bearer token.")
  private boolean requireToken;

  @Option(
      names = "--profile",
      paramLabel = "fast|azure",
      defaultValue = "fast",
      description = "How long it takes. Default: fast, without any waiting.")
  @SuppressWarnings("NullAway.Init") // Has a default.
  private String profile;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "Loads the state from this file, if it exists, and keeps it there.")
  private @Nullable Path state;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of latencies and ids. Default: 1.")
  private long seed;

  @Option(
      names = "--page-size",
      paramLabel = "N",
      defaultValue = "100",
      description = "Items per page of a list. Default: 100.")
  private int pageSize;

  @Option(
      names = "--compare",
      paramLabel = "REPORT",
      description = {
        "Starts nothing: says where the simulator answers otherwise than Azure in this report",
        "of verify-azure, and exits with 1 if it does anywhere."
      })
  private @Nullable Path compare;

  private ArmSimCommand() {}

  /** Found by the command line. */
  public static final class Provider implements CommandProvider {
    @Override
    public Callable<Integer> command(Map<String, String> env) {
      return new ArmSimCommand();
    }
  }

  @Override
  public Integer call() throws TimeoutException {
    if (compare != null) {
      return compare(compare);
    }
    ArmSimSettings settings = settings();
    try (StopSignal signal = StopSignal.here()) {
      ActorSystem<Void> system = Actors.start(Behaviors.empty(), "arm-sim", ConfigFactory.load());
      try {
        serve(within(START, ArmSim.start(system, settings)));
      } catch (InterruptedException interrupted) {
        if (!signal.given()) {
          throw new CommandFailure("interrupted", interrupted);
        }
      } finally {
        system.terminate();
      }
    }
    return 0;
  }

  private int compare(Path report) {
    String others =
        spec().commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(name -> !name.equals("--compare"))
            .collect(joining(", "));
    if (!others.isEmpty()) {
      throw check.refused("--compare: allowed without other options, found " + others);
    }
    List<String> problems = new ArrayList<>();
    Optional<Comparison> result = Comparison.of(report, problems);
    if (result.isEmpty()) {
      int more = problems.size() - MOST_PROBLEMS;
      throw new CommandFailure(
          problems.stream().limit(MOST_PROBLEMS).collect(joining("\n"))
              + (more > 0 ? "\nand %d more".formatted(more) : ""));
    }
    result.get().lines().forEach(this::say);
    return result.get().agrees() ? 0 : 1;
  }

  private void serve(ArmSim sim) throws TimeoutException, InterruptedException {
    PrintWriter out = out();
    out.println("listening on " + sim.endpoint());
    sim.caCertificate().ifPresent(file -> out.println("ca certificate: " + file));
    out.flush();
    try {
      new CountDownLatch(1).await(); // the signal interrupts it
    } catch (InterruptedException asked) {
      // A state that cannot be saved is a failure, as the next start would have an older one.
      within(STOP, sim.close());
    }
  }

  private <T> T within(Duration time, CompletionStage<T> stage)
      throws InterruptedException, TimeoutException {
    try {
      return stage.toCompletableFuture().get(time.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw failure(failed.getCause() == null ? failed : failed.getCause());
    }
  }

  private CommandFailure failure(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        String message = "cannot listen on 127.0.0.1:%d: %s".formatted(port, cause.getMessage());
        return new CommandFailure(message, failed);
      }
    }
    return new CommandFailure(String.valueOf(failed.getMessage()), failed);
  }

  private ArmSimSettings settings() {
    Entropy entropy = Entropy.seeded(seed);
    ArmSimSettings settings =
        ArmSimSettings.fast(entropy.monotonicNanos(), entropy.wall())
            .withPort(check.inRange("--port", port, 0, OptionCheck.MAX_PORT))
            .withLatency(
                LatencyProfile.named(profile)
                    .orElseThrow(() -> check.wrong("--profile", profile, "fast, azure")))
            .withSeed(seed)
            .withPageSize(check.inRange("--page-size", pageSize, 1, MAX_PAGE_SIZE))
            .withAccess(access());
    return state == null ? settings : settings.withStateFile(state);
  }

  private Access access() {
    if (caFile != null && !tls) {
      throw check.refused("--ca-file: allowed with --tls only");
    }
    Access open = requireToken ? Access.OPEN.withTokenRequired() : Access.OPEN;
    return tls ? open.withTls(Optional.ofNullable(caFile)) : open;
  }
}
