package io.poolkeeper.verify;

import io.poolkeeper.cli.CliCommand;
import io.poolkeeper.cli.CommandFailure;
import io.poolkeeper.cli.CommandProvider;
import io.poolkeeper.cli.OptionCheck;
import io.poolkeeper.cli.ReportFile;
import io.poolkeeper.cli.ReportOption;
import io.poolkeeper.cli.StopSignal;
import io.poolkeeper.config.Build;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.model.ShellCommand;
import io.poolkeeper.process.Entropy;
import io.poolkeeper.verify.Scratch.Refused;
import io.poolkeeper.verify.Verification.Given;
import io.poolkeeper.verify.Verification.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code poolkeeper verify-azure}: see docs/topics/verify-azure.md. */
@Command(
    name = "verify-azure",
    description = {
      "Tries on your own Azure what Poolkeeper assumes of it.",
      "Makes a network and an internal load balancer in a group, and deletes them. Costs cents.",
      "Exit code 1: something differs, is unknown, or is left."
    },
    footer = {
      "",
      "Example:",
      "  poolkeeper verify-azure --config my.conf --resource-group scratch --yes"
    })
final class VerifyCommand extends CliCommand implements Callable<Integer> {
  /** Deletes for 60 s; the rest is for what runs when the signal comes. */
  private static final Duration GRACE = Duration.ofSeconds(70);

  private final Map<String, String> env;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration (HOCON). Its section azure counts.")
  @SuppressWarnings("NullAway.Init") // Required.
  private Path config;

  @Option(
      names = "--resource-group",
      required = true,
      paramLabel = "GROUP",
      description = "Where to work. It must exist, and be empty.")
  @SuppressWarnings("NullAway.Init") // Required.
  private String group;

  @Option(
      names = "--location",
      paramLabel = "L",
      description = "Where to make the resources. Default: where the group is.")
  private @Nullable String location;

  @Option(names = "--quick", description = "Two minutes instead of ten: fewer measurements.")
  private boolean quick;

  @Option(names = "--beside", description = "Works in a group that holds other resources, too.")
  private boolean beside;

  @ArgGroup(multiplicity = "1")
  @SuppressWarnings("NullAway.Init") // Injected before run.
  private Consent consent;

  @ArgGroup(exclusive = false)
  private @Nullable Second second;

  @Mixin private final ReportOption report = new ReportOption();

  @Mixin private final OptionCheck check = new OptionCheck();

  private static final class Consent {
    @Option(names = "--yes", description = "Makes the resources, and runs the checks.")
    @SuppressWarnings("UnusedVariable") // One of the three is given.
    private boolean yes;

    @Option(names = "--dry-run", description = "Prints all calls and rights; calls nobody.")
    private boolean dryRun;

    @Option(
        names = "--clean",
        arity = "0..1",
        paramLabel = "RUN",
        fallbackValue = "",
        description = "Deletes what a run has left, or all runs older than an hour.")
    private @Nullable String clean;
  }

  private static final class Second {
    @Option(
        names = "--rights",
        required = true,
        description = "Also tries to write without the right.")
    @SuppressWarnings("UnusedVariable") // Given with the other.
    private boolean rights;

    @Option(
        names = "--second-config",
        required = true,
        paramLabel = "FILE",
        description = "With --rights: names an identity that may not write.")
    @SuppressWarnings("NullAway.Init") // Required.
    private Path config;
  }

  private VerifyCommand(Map<String, String> env) {
    this.env = env;
  }

  /** Found by the command line. */
  public static final class Provider implements CommandProvider {
    @Override
    public Callable<Integer> command(Map<String, String> env) {
      return new VerifyCommand(env);
    }
  }

  @Override
  public Integer call() throws InterruptedException, TimeoutException {
    if (!group.matches("[\\p{L}\\p{N}_().-]{1,90}") || group.endsWith(".")) {
      throw check.wrong("--resource-group", group, "the name of a resource group");
    }
    Verification verification = verification();
    Optional<ReportFile> file = report.open();
    try (StopSignal signal = StopSignal.here(GRACE)) {
      signal.exitCode(1); // it has not seen all
      return work(verification, file, signal);
    } catch (Refused refused) {
      throw new CommandFailure(String.valueOf(refused.getMessage()), refused);
    } catch (IllegalArgumentException wrong) {
      throw new CommandFailure("%s: %s".formatted(config, wrong.getMessage()), wrong);
    }
  }

  private Verification verification() {
    Settings settings = load(config);
    return new Verification(
        new Given(
            settings.rateLimiter().permitDeadline(),
            settings.maxRetryAfter(),
            Build.read().version()),
        settings.azure(),
        new Options(
            group,
            Optional.ofNullable(location),
            quick,
            beside,
            ShellCommand.of(
                "./poolkeeper verify-azure --config %s --resource-group %s --clean",
                config.toString(), group)),
        Optional.ofNullable(second).map(of -> load(of.config).azure()),
        this::say);
  }

  private Settings load(Path file) {
    return SettingsLoader.loadForCommand(file, Optional.empty(), env);
  }

  private int work(Verification verification, Optional<ReportFile> file, StopSignal signal)
      throws InterruptedException, TimeoutException {
    try {
      return consent.dryRun ? dryRun(verification) : run(verification, file);
    } catch (InterruptedException stopped) {
      if (!signal.given()) {
        throw stopped;
      }
      return 1; // ignored: the signal decides
    }
  }

  private int dryRun(Verification verification) throws InterruptedException, TimeoutException {
    new DryRun(verification).lines().forEach(this::say);
    return 0;
  }

  private int run(Verification verification, Optional<ReportFile> file)
      throws InterruptedException {
    Entropy entropy = Entropy.system();
    if (consent.clean != null) {
      verification.clean(entropy, consent.clean);
      return 0;
    }
    VerifyReport found = verification.run(entropy);
    file.ifPresent(to -> to.write(found.json()));
    return found.allHold() ? 0 : 1;
  }
}
