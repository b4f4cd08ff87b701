package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.console.PlanText;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "plan",
    description = {
      "Shows what would be written now, as a diff per pool. Writes nothing.",
      "Exit code 0: nothing; 3: something."
    },
    footer = {"", "Example:", "  poolkeeper plan"})
final class PlanCommand extends LeaderCommand {
  private static final int DIFFERS = 3;

  PlanCommand(Map<String, String> env) {
    super(env);
  }

  @Override
  public Integer call() {
    try (Leader asked = leaderOptions.connect()) {
      JsonNode plan = asked.json("/api/v1/plan");
      leading(asked, plan);
      output.print(out(), plan, new PlanText(ink())::lines);
      return plan.path("differ").isEmpty() ? 0 : DIFFERS;
    }
  }
}
