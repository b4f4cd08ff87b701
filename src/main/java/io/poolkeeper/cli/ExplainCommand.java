package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.console.ExplainText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "explain",
    description = {
      "Says why a pool, the pools of a Service, or a node are as they are, and what happens next."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Example:", "  poolkeeper explain shop/web"})
final class ExplainCommand implements Callable<Integer> {
  /** A name that means more pools than this is to be given in full. */
  private static final int MOST = 20;

  private final Map<String, String> env;

  @Spec
  @SuppressWarnings("NullAway.Init") // Injected before run.
  private CommandSpec spec;

  @Mixin private final LeaderOptions leader = new LeaderOptions();

  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(
      paramLabel = "SERVICE|POOL|NODE",
      description = "NAMESPACE/SERVICE, LOAD_BALANCER/POOL, or one of these names alone.")
  @SuppressWarnings("NullAway.Init") // Required.
  private String name;

  ExplainCommand(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    ExplainText text = new ExplainText(Output.ink(env));
    try (Leader asked = leader.leader()) {
      LiveState state = LiveState.read(asked);
      if (state.named(name).isEmpty()) {
        Optional<JsonNode> node =
            name.contains("/")
                ? Optional.empty()
                : asked.find("/api/v1/nodes/" + LiveState.encoded(name));
        if (node.isPresent()) {
          output.value().print(out, node.get(), of -> text.node(of, state.status()));
          return 0;
        }
      }
      boolean further = false;
      for (JsonNode row : pools(state, name)) {
        if (further && output.value() == Output.TABLE) {
          out.println();
        }
        further = true;
        JsonNode detail = asked.json(LiveState.path(row));
        output.value().print(out, detail, of -> text.pool(of, state.status()));
      }
    }
    return 0;
  }

  static List<JsonNode> pools(LiveState state, String name) {
    List<JsonNode> found = state.named(name);
    if (found.isEmpty()) {
      JsonNode headline = state.status().path("headline");
      throw new CommandFailure(
          "%s: no pool, Service or node of a pool has this name. %s%s"
              .formatted(name, headline.path("text").asText(), headline.path("rest").asText()));
    }
    if (found.size() > MOST) {
      throw new CommandFailure(
          "%s: %d pools have this name: give NAMESPACE/SERVICE or LOAD_BALANCER/POOL"
              .formatted(name, found.size()));
    }
    return found;
  }
}
