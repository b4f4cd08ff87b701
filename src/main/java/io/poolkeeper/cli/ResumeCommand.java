package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.PauseWriter;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "resume",
    description = {"Ends a pause: what has become due meanwhile is written."},
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Example:", "  poolkeeper resume"})
final class ResumeCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // Injected before run.
  private CommandSpec spec;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Override
  public void run() {
    try (KubernetesClient client = cluster.client()) {
      PauseWriter writer = PauseWriter.of(client, cluster.namespace(), cluster.leases());
      Optional<String> until = writer.until();
      writer.resume();
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          until
              .map(
                  of ->
                      "Resumed; the pause would have ended at %s (Lease %s)."
                          .formatted(of, writer.lease()))
              .orElse("There was no pause on Lease %s.".formatted(writer.lease())));
      out.flush();
    }
  }
}
