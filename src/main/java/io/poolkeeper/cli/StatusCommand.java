package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.console.ExplainText;
import io.poolkeeper.console.StatusText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "status",
    description = {
      "Says whether all pools are in sync; if not, which are behind, why, and until when.",
      "Asks the replica that leads. The same as its page, in the same words."
    },
    footer = {"", "Example:", "  poolkeeper status --watch"})
final class StatusCommand extends LeaderCommand {
  private static final String CLEAR = "\u001b[H\u001b[2J";

  @Mixin private final OptionCheck check = new OptionCheck();

  @Option(names = "--watch", description = "Shows each change, until Ctrl-C.")
  private boolean watch;

  @Parameters(
      arity = "0..1",
      paramLabel = "POOL",
      description =
          "One pool alone: its name, [RESOURCE_GROUP/]LOAD_BALANCER/POOL, or its Service.")
  private @Nullable String pool;

  /** Whether the last block has its blank line. */
  private boolean separated = true;

  StatusCommand(Map<String, String> env) {
    super(env);
  }

  @Override
  public Integer call() {
    if (watch && (pool != null || output == Output.JSON || output == Output.YAML)) {
      throw check.refused("--watch shows all pools as a table: leave out POOL and -o");
    }
    PrintWriter out = out();
    try (Leader asked = leaderOptions.connect()) {
      if (watch) {
        follow(asked, out);
      } else if (pool != null) {
        showPools(asked, pool, out);
      } else {
        LiveState state = LiveState.read(asked);
        output.print(out, state.json(), answer -> text(state));
      }
    }
    return 0;
  }

  private List<String> text(LiveState state) {
    return new StatusText(ink(), output == Output.WIDE).lines(state.status(), state.pools());
  }

  /**
   * On a terminal in place; elsewhere a block for each change, without those of the time alone. A
   * block's blank line comes a second later, as only writing shows that nobody reads any more: so
   * {@code head -1} ends this at once, although nothing changes.
   */
  private void follow(Leader asked, PrintWriter out) {
    boolean terminal = Progress.onTerminal();
    LiveState.follow(
        asked,
        state -> {
          if (!separated) {
            out.println();
            separated = true;
          }
          if (terminal || state.changed()) {
            out.print(terminal ? CLEAR : "");
            text(state).forEach(out::println);
            separated = terminal;
          }
          return !out.checkError();
        });
  }

  private void showPools(Leader asked, String name, PrintWriter out) {
    LiveState state = LiveState.read(asked);
    ExplainText text = new ExplainText(ink());
    for (JsonNode row : ExplainCommand.pools(state, name)) {
      JsonNode detail = asked.json(LiveState.path(row));
      output.print(out, detail, answer -> text.brief(answer, state.status()));
    }
  }
}
