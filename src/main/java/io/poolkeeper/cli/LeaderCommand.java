package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.console.Ink;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that shows what the API of the leader answers, in one of the forms of {@code -o}. */
abstract class LeaderCommand extends CliCommand implements Callable<Integer> {
  final Map<String, String> env;

  @Mixin final LeaderOptions leaderOptions = new LeaderOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init") // It has a default.
  Output output;

  LeaderCommand(Map<String, String> env) {
    this.env = env;
  }

  /** Refuses the answer of a standby, which follows no pool. */
  static void leading(Leader asked, JsonNode answer) {
    if (!answer.path("leads").asBoolean()) {
      String pod = asked.json("/api/v1/status").path("replicas").path("leader").asText("");
      throw new CommandFailure(
          "%s is on standby, and follows no pool: ask the replica that leads%s"
              .formatted(asked.name(), pod.isEmpty() ? "" : ", " + pod));
    }
  }

  /** Colours on a terminal, unless {@code NO_COLOR} is set. */
  final Ink ink() {
    boolean colour = Progress.onTerminal() && env.getOrDefault("NO_COLOR", "").isEmpty();
    return colour ? Ink.COLOUR : Ink.PLAIN;
  }
}
