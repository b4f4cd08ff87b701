package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.console.ShadowText;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "shadow",
    description = {
      "Says whether shadow mode has shown enough to go live, and what decides it.",
      "Exit code 0: ready; 3: not yet."
    },
    footer = {"", "Example:", "  poolkeeper shadow"})
final class ShadowCommand extends LeaderCommand {
  private static final int NOT_YET = 3;

  ShadowCommand(Map<String, String> env) {
    super(env);
  }

  @Override
  public Integer call() {
    try (Leader asked = leaderOptions.connect(leaderOptions.cluster().leases().reversed())) {
      JsonNode status = asked.json("/api/v1/status");
      leading(asked, status);
      JsonNode shadow = status.path("shadow");
      if (!shadow.isObject()) {
        throw new CommandFailure(
            "%s: it is in %s mode: what it decides is written, and nothing is compared"
                .formatted(asked.name(), status.path("mode").asText()));
      }
      if (!shadow.path("verdict").isObject()) {
        throw new CommandFailure(
            asked.name() + " gives no verdict: is its version as new as this one's?");
      }
      ShadowText text = new ShadowText(ink(), output == Output.WIDE);
      output.print(out(), shadow, answer -> text.lines(status));
      return shadow.at("/verdict/ready").asBoolean() ? 0 : NOT_YET;
    }
  }
}
