package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.PauseWriter;
import io.poolkeeper.lock.PauseAnnotations;
import io.poolkeeper.process.Entropy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "pause",
    description = {
      "Makes all replicas write no members for a while. It ends by itself.",
      "Annotates the Lease of the leader; nodes that leave are still set Down, unless --drains."
    },
    footer = {"", "Example:", "  poolkeeper pause --for 30m --reason \"change 1234\""})
final class PauseCommand extends CliCommand implements Runnable {
  /** A difference of clocks that people should know of. */
  private static final Duration NOTABLE = Duration.ofSeconds(5);

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Mixin private final OptionCheck check = new OptionCheck();

  @Option(
      names = "--for",
      required = true,
      paramLabel = "D",
      converter = DurationConverter.class,
      description = "How long, such as 30m or 2h; at most 7d.")
  @SuppressWarnings("NullAway.Init") // Required.
  private Duration duration;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "For people: on the page, in events; at most 200 characters.")
  @SuppressWarnings("NullAway.Init") // Required.
  private String reason;

  @Option(names = "--drains", description = "Nodes that leave wait, too.")
  private boolean drains;

  @Override
  public void run() {
    if (duration.compareTo(Duration.ofSeconds(1)) < 0
        || duration.compareTo(PauseAnnotations.LONGEST) > 0) {
      throw check.wrongAsTyped("--for", "1s to 7d");
    }
    int length = reason.codePointCount(0, reason.length());
    if (reason.isBlank() || length > PauseAnnotations.REASON_LENGTH) {
      throw check.wrong(
          "--reason",
          length + " characters",
          "1 to %d characters".formatted(PauseAnnotations.REASON_LENGTH));
    }
    InstantSource wall = Entropy.system().wall();
    try (KubernetesClient client = cluster.client()) {
      PauseWriter writer = PauseWriter.of(client, cluster.namespace(), cluster.leases());
      Instant until = writer.pause(duration, reason, drains, wall);
      Duration ahead = Duration.between(wall.instant().plus(duration), until);
      say(
          "Paused until %s%s (Lease %s)."
              .formatted(until, drains ? ", drains, too" : "", writer.lease()));
      if (ahead.abs().compareTo(NOTABLE) > 0) {
        say(
            "That is by the API server's clock, which is %d s %s this machine's."
                .formatted(ahead.abs().toSeconds(), ahead.isNegative() ? "behind" : "ahead of"));
      }
      say("All replicas see it within a second: poolkeeper status. Go on: poolkeeper resume.");
    }
  }
}
