package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.PauseWriter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "resume",
    description = {"Ends a pause: what has become due meanwhile is written."},
    footer = {"", "Example:", "  poolkeeper resume"})
final class ResumeCommand extends CliCommand implements Runnable {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Override
  public void run() {
    try (KubernetesClient client = cluster.client()) {
      PauseWriter writer = PauseWriter.of(client, cluster.namespace(), cluster.leases());
      Optional<String> until = writer.until();
      writer.resume();
      say(
          until.isPresent()
              ? "Resumed; the pause would have ended at %s (Lease %s)."
                  .formatted(until.get(), writer.lease())
              : "There was no pause on Lease %s.".formatted(writer.lease()));
    }
  }
}
