package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.LeaderPod;
import io.poolkeeper.kube.NoLeaderException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "page",
    description = {
      "Opens the way to the page of the replica that leads, and prints its URL.",
      "Follows if another one leads, says so, and ends at Ctrl-C."
    },
    footer = {"", "Example:", "  poolkeeper page"})
final class PageCommand extends CliCommand implements Callable<Integer> {
  /** A Lease changes hands in 15 s; this adds little to it. */
  private static final Duration LOOKS = Duration.ofSeconds(3);

  @Mixin private final LeaderOptions leaderOptions = new LeaderOptions();

  @Mixin private final OptionCheck check = new OptionCheck();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8558",
      description = "On 127.0.0.1 (${DEFAULT-VALUE}); 0: any that is free.")
  private int port;

  /** The last line, which is not printed twice. */
  private String lastLine = "";

  @Override
  public Integer call() {
    check.inRange("--port", port, 0, OptionCheck.MAX_PORT);
    try (StopSignal signal = StopSignal.here();
        Leader first = leaderOptions.connect()) {
      if (first instanceof LeaderByPod pod) {
        forward(pod, signal);
      } else {
        first.answers();
        say(first.name() + " answers by itself: open it, no port-forward is needed.");
      }
    }
    return 0;
  }

  private void forward(LeaderByPod first, StopSignal signal) {
    first.answers();
    try (KubernetesClient looks = LeaderPod.lookupClient(first.client());
        LeaderForward way = new LeaderForward(first.client(), first.pod(), port)) {
      tell(way, first);
      say("Ctrl-C ends this. Over https the browser warns of a self-made certificate.");
      while (!signal.given()) {
        way.await(LOOKS);
        follow(way, looks);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt(); // Ctrl-C, which is its orderly end
    }
  }

  /** Redirects to the pod that leads now; one that does not answer is asked again each time. */
  private void follow(LeaderForward way, KubernetesClient looks) {
    try {
      LeaderPod now = leaderOptions.pod(looks);
      if (now.equals(way.pod()) && !way.doubted()) {
        return;
      }
      LeaderByPod asked = new LeaderByPod(way.client(), now); // not closed: the client goes on
      asked.answers();
      way.redirect(now);
      tell(way, asked);
    } catch (NoLeaderException | CommandFailure failed) {
      way.doubt();
      tell("No way to the leader, it is tried again: " + failed.getMessage());
    }
  }

  private void tell(LeaderForward way, LeaderByPod to) {
    tell(
        "%s://127.0.0.1:%d/ is the page of %s, which leads."
            .formatted(to.scheme(), way.port(), to.name()));
  }

  /** Prints a line unless it was the last one. */
  private void tell(String line) {
    if (!line.equals(lastLine) && !Thread.currentThread().isInterrupted()) {
      lastLine = line;
      say(line);
    }
  }
}
