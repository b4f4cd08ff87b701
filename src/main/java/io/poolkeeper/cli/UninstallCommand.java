package io.poolkeeper.cli;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.config.Settings;
import io.poolkeeper.kube.Causes;
import io.poolkeeper.kube.KubeTraces;
import io.poolkeeper.kube.LeaderHold;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ShellCommand;
import io.poolkeeper.process.Entropy;
import io.poolkeeper.uninstall.Plan;
import io.poolkeeper.uninstall.Uninstall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "uninstall",
    description = {
      "Takes out of Azure and the cluster what Poolkeeper has written.",
      "Marked entries, Down, taints, annotations, finalizers, statuses, Leases.",
      "No replica may run. It holds their Lease meanwhile; exit code 1: something is left."
    },
    footer = {"", "Example:", "  poolkeeper uninstall --config my.conf --dry-run"})
final class UninstallCommand extends CliCommand implements Callable<Integer> {
  private final Map<String, String> env;

  @Mixin private final ConfigFiles files = new ConfigFiles();

  @Mixin private final KubeOptions cluster = new KubeOptions();

  @ArgGroup(multiplicity = "1")
  @SuppressWarnings("NullAway.Init") // Injected before run.
  private Consent consent;

  private static final class Consent {
    @Option(names = "--dry-run", description = "Says what would go, and changes nothing.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Does it.")
    @SuppressWarnings("UnusedVariable") // One of the two is given.
    private boolean yes;
  }

  UninstallCommand(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public Integer call() {
    Settings settings = files.loadForCommand(env);
    Entropy entropy = Entropy.system();
    Clocks clocks =
        new Clocks(entropy.monotonicNanos(), entropy.monotonic(), entropy.wall(), entropy::random);
    String namespace = settings.leaderElection().namespace().orElse(cluster.namespace());
    try (KubernetesClient client = cluster.client();
        LeaderHold hold =
            new LeaderHold(client, settings.leaderElection(), namespace, entropy.wall());
        AzureArm azure =
            AzureArm.create(
                settings.azure(),
                settings.rateLimiter().permitDeadline(),
                settings.maxRetryAfter(),
                ArmObserver.NONE,
                at -> hold.lost().map(why -> new ArmFailure(ArmFailure.Kind.SHUTDOWN, 0, "", why)),
                clocks,
                Optional.empty())) {
      Uninstall uninstall =
          new Uninstall(
              settings,
              azure,
              azure,
              azure,
              entropy.monotonic(),
              entropy.random(),
              UninstallCommand::pause);
      KubeTraces traces = new KubeTraces(client, settings.lock());
      if (!settings.leaderElection().enabled()) {
        say(
            "leader-election.enabled = false: no Lease shows whether a controller runs. Stop it"
                + " first.");
      }
      if (consent.dryRun) {
        dryRun(uninstall.plan(traces.read()), hold);
      } else {
        hold.leader().ifPresent(leader -> refuse(leader, namespace));
        List<String> leases = hold.names();
        hold.take("uninstall_%016x".formatted(entropy.random().nextLong()), entropy.monotonic());
        run(uninstall, traces, hold);
        leases.forEach(lease -> say(lease + ": deleted"));
      }
      say("Stays: members of the cloud provider's pools, networks of pools, and what was applied:");
      say(ShellCommand.of("  helm uninstall poolkeeper -n %s, or kubectl delete -k", namespace));
      say("  kubectl delete -f deploy/first: the namespace, the definition, and all bindings");
      return 0;
    } catch (ArmException failed) {
      throw new CommandFailure("Azure: " + failed.failure().inFull(), failed);
    } catch (KubernetesClientException refused) {
      throw new CommandFailure("API server: " + Causes.text(refused), refused);
    }
  }

  private void dryRun(Plan plan, LeaderHold hold) {
    plan.lines().forEach(this::say);
    hold.names().forEach(lease -> say(lease + ": deleted"));
    hold.leader().ifPresent(leader -> say(leader + " leads: stop all replicas first."));
    say("Nothing was changed. With --yes that goes.");
  }

  private static void refuse(String leader, String namespace) {
    throw new CommandFailure(
        "%s leads, and would write it all again: %s, then try again (what a crash has left expires by itself)"
            .formatted(
                leader,
                ShellCommand.of(
                    "kubectl -n %s scale deployment/poolkeeper --replicas=0", namespace)));
  }

  /** Looks afresh when no replica can write any more, and again at the end. */
  private void run(Uninstall uninstall, KubeTraces traces, LeaderHold hold) {
    List<String> left = uninstall.run(uninstall.plan(traces.read()), hold::lost, this::say);
    if (left.isEmpty()) {
      left = uninstall.plan(traces.read()).lines();
    }
    if (!left.isEmpty()) {
      throw new CommandFailure(
          "Not all is done; try again:%n%s".formatted(String.join(System.lineSeparator(), left)));
    }
    hold.release();
  }

  private static void pause(Duration time) {
    new CompletableFuture<Boolean>()
        .completeOnTimeout(true, time.toMillis(), MILLISECONDS)
        .join(); // the command's thread has nothing else to do
  }
}
