package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.console.ExplainText;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code poolkeeper explain}: why a pool, the pools of a Service, or a node are as they are. */
@Command(
    name = "explain",
    description = {
      "Says why a pool, the pools of a Service, or a node are as they are, and what happens next."
    },
    footer = {"", "Example:", "  poolkeeper explain shop/web"})
final class ExplainCommand extends LeaderCommand {
  /** A name that more pools have is refused. */
  private static final int MAX_POOLS = 20;

  @Parameters(
      paramLabel = "SERVICE|POOL|NODE",
      description =
          "NAMESPACE/SERVICE, [RESOURCE_GROUP/]LOAD_BALANCER/POOL, or one of these names alone.")
  @SuppressWarnings("NullAway.Init") // Required.
  private String name;

  ExplainCommand(Map<String, String> env) {
    super(env);
  }

  @Override
  public Integer call() {
    PrintWriter out = out();
    ExplainText text = new ExplainText(ink());
    try (Leader asked = leaderOptions.connect()) {
      LiveState state = LiveState.read(asked);
      if (state.named(name).isEmpty()) {
        Optional<JsonNode> node =
            name.contains("/")
                ? Optional.empty()
                : asked.find("/api/v1/nodes/" + LiveState.encoded(name));
        if (node.isPresent()) {
          output.print(out, node.get(), answer -> text.node(answer, state.status()));
          return 0;
        }
        throw unknown(state, name, nodes(asked, state));
      }
      boolean first = true;
      for (JsonNode row : pools(state, name)) {
        if (!first && output == Output.TABLE) {
          out.println();
        }
        first = false;
        JsonNode detail = asked.json(LiveState.path(row));
        output.print(out, detail, answer -> text.pool(answer, state.status()));
      }
    }
    return 0;
  }

  static List<JsonNode> pools(LiveState state, String name) {
    List<JsonNode> found = state.named(name);
    if (found.isEmpty()) {
      throw unknown(state, name, Set.of());
    }
    if (found.size() > MAX_POOLS) {
      throw new CommandFailure(
          "%s: %d pools have this name: give NAMESPACE/SERVICE or RESOURCE_GROUP/LOAD_BALANCER/POOL"
              .formatted(name, found.size()));
    }
    return found;
  }

  private static CommandFailure unknown(LiveState state, String name, Set<String> nodes) {
    JsonNode headline = state.status().path("headline");
    Optional<String> near = state.near(name, nodes).map(", did you mean %s?"::formatted);
    return new CommandFailure(
        "%s: no pool, Service or node of a pool has this name%s %s%s"
            .formatted(
                name,
                near.orElse("; `poolkeeper status -o wide` lists them."),
                headline.path("text").asText(),
                headline.path("rest").asText()));
  }

  /** The nodes that leave, and those of the largest pool, as asking all pools would cost much. */
  private static Set<String> nodes(Leader asked, LiveState state) {
    Set<String> names = new TreeSet<>();
    state.status().path("nodes").forEach(node -> names.add(node.path("node").asText()));
    state.pools().stream()
        .max(Comparator.comparingInt(row -> row.path("wanted").asInt()))
        .flatMap(row -> asked.find(LiveState.path(row)))
        .ifPresent(
            pool -> pool.path("entries").forEach(entry -> names.add(entry.path("node").asText())));
    return names;
  }
}
