package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.config.LoadedSettings;
import io.poolkeeper.config.Settings;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.kube.KubeconfigException;
import io.poolkeeper.process.Controller;
import io.poolkeeper.process.Entropy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code poolkeeper run}: the controller. It ends by itself only if an essential part fails;
 * SIGTERM stops it in order, with exit code 0 within 10 s.
 */
@Command(
    name = "run",
    description = {
      "Runs the controller.",
      "The cluster is that of KUBECONFIG, else of ~/.kube/config, else the Pod's own."
    },
    footer = {"", "Example:", "  poolkeeper run --config conf/poolkeeper.conf"})
final class RunCommand extends CliCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(RunCommand.class);

  private final Map<String, String> env;

  @Mixin private final ConfigFiles files = new ConfigFiles();

  RunCommand(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    try (StopSignal signal = StopSignal.here()) {
      return run(signal);
    } catch (KubeconfigException missing) {
      throw new CommandFailure(String.valueOf(missing.getMessage()), missing);
    }
  }

  private int run(StopSignal signal) throws InterruptedException, ExecutionException {
    Thread.setDefaultUncaughtExceptionHandler(new UncaughtFailures());
    LoadedSettings loaded = files.load(env);
    Entropy entropy = Entropy.system();
    try (KubernetesClient client = KubeClients.create(Optional.empty(), entropy.wall())) {
      warn(loaded.settings());
      Controller controller = Controller.start(new Controller.Deps(loaded, client, entropy, env));
      Optional<String> failure = awaitEnd(controller);
      if (failure.isPresent() && !signal.given()) {
        throw new CommandFailure(failure.get());
      }
      return 0;
    }
  }

  private static void warn(Settings settings) {
    if (!settings.lock().enabled()) {
      log.warn("lease=none: the cloud provider may write at the same time");
    }
    if (!settings.shadow() && !(settings.lock().enabled() && settings.election().enabled())) {
      log.warn(
          "writer=unguarded: another Poolkeeper may write at the same time; this start looks for"
              + " none without lock.enabled and leader-election.enabled");
    }
  }

  /** The command's thread waits for the end or the signal. */
  private static Optional<String> awaitEnd(Controller controller)
      throws InterruptedException, ExecutionException {
    try {
      return controller.ended().toCompletableFuture().get();
    } catch (InterruptedException asked) {
      controller.stop().toCompletableFuture().get();
      return Optional.empty();
    }
  }
}
