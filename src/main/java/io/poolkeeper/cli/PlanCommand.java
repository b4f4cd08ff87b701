package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.console.PlanText;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "plan",
    description = {
      "Shows what would be written now, as a diff per pool. Writes nothing.",
      "Exit code 0: nothing; 3: something."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Example:", "  poolkeeper plan"})
final class PlanCommand implements Callable<Integer> {
  private static final int DIFFERS = 3;

  private final Map<String, String> env;

  @Spec
  @SuppressWarnings("NullAway.Init") // Injected before run.
  private CommandSpec spec;

  @Mixin private final LeaderOptions leader = new LeaderOptions();

  @Mixin private final OutputOption output = new OutputOption();

  PlanCommand(Map<String, String> env) {
    this.env = env;
  }

  /** As far as it is known. */
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
      output.value().print(spec.commandLine().getOut(), plan, new PlanText(Output.ink(env))::lines);
      return plan.path("differ").isEmpty() ? 0 : DIFFERS;
    }
  }
}
