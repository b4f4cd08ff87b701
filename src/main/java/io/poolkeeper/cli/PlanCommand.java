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

  /** The pod of the leader, if it is known. */
  private static String leader(Leader standby) {
    String pod = standby.json("/api/v1/status").path("replicas").path("leader").asText("");
    return pod.isEmpty() ? "" : ", " + pod;
  }

  @Override
  public Integer call() {
    try (Leader asked = leader.leader()) {
      JsonNode plan = asked.json("/api/v1/plan");
      if (!plan.path("leads").asBoolean()) {
        throw new CommandFailure(
            "%s is on standby, and follows no pool: ask the replica that leads%s"
                .formatted(asked.name(), leader(asked)));
      }
      output.print(out(), plan, new PlanText(ink())::lines);
      return plan.path("differ").isEmpty() ? 0 : DIFFERS;
    }
  }
}
