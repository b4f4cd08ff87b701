package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.Controller;
import io.poolkeeper.Entropy;
import io.poolkeeper.config.LoadedSettings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.kube.KubeconfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code poolkeeper run}: the controller. It ends by itself only if a part fails without which it
 * cannot go on; SIGTERM stops it in order, with exit code 0 within 10 s.
 */
@Command(
    name = "run",
    description = {
      "Runs the controller.",
      "The cluster is that of KUBECONFIG, else of ~/.kube/config, else the Pod's own."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Example:", "  poolkeeper run --config conf/poolkeeper.conf"})
final class RunCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(RunCommand.class);
  private static final Duration GRACE = Duration.ofSeconds(9);

  private final Map<String, String> env;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration (HOCON).")
  @SuppressWarnings("NullAway.Init") // Required.
  private Path config;

  RunCommand(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    LoadedSettings loaded = SettingsLoader.load(config, Optional.empty(), env);
    log.warn(
        "lease=none leader-election=none: run one replica only; the cloud provider's own writes"
            + " are met without its lock");
    try (KubernetesClient client = KubeClients.create(Optional.empty())) {
      Controller controller =
          Controller.start(
              new Controller.Deps(loaded.settings(), loaded.pekko(), client, Entropy.system()));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(controller), "stop"));
      // The command's own thread has nothing to do but to wait for the end.
      Optional<String> failure = controller.ended().toCompletableFuture().get();
      failure.ifPresent(
          why -> {
            throw new CommandFailure(why);
          });
      return 0;
    } catch (KubeconfigException missing) {
      throw new CommandFailure(String.valueOf(missing.getMessage()), missing);
    }
  }

  /**
   * The JVM leaves with the signal's number unless it is halted: an orderly stop is a success. The
   * hook's thread has to wait, since the JVM ends with it.
   */
  private static void stop(Controller controller) {
    if (controller.ended().toCompletableFuture().isDone()) {
      return;
    }
    try {
      controller.stop().toCompletableFuture().get(GRACE.toSeconds(), TimeUnit.SECONDS);
      Runtime.getRuntime().halt(0);
    } catch (TimeoutException | ExecutionException | InterruptedException late) {
      log.error("stop=incomplete after={}s", GRACE.toSeconds());
      Runtime.getRuntime().halt(1);
    }
  }
}
