package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.cli.CommandThread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the shell blocks of docs/arm-simulator.md in order, in one shell with {@code curl}; their
 * output is that of the page.
 */
class ArmSimulatorPageIT {
  private static final Path PAGE = Path.of("docs", "arm-simulator.md");
  private static final Pattern BLOCK =
      Pattern.compile(
          "^```sh\\n(.*?)^```\\n(?:```text\\n(.*?)^```\\n)?", Pattern.DOTALL | Pattern.MULTILINE);
  private static final String MARK = "== end of block ==";

  @TempDir private Path directory;

  private record Block(String script, String expected) {
    /** The expected text; an ellipsis matches anything on its line. */
    Pattern pattern() {
      return Pattern.compile(
          Arrays.stream(expected.split("…", -1))
              .map(Pattern::quote)
              .collect(Collectors.joining("[^\\n]*")));
    }
  }

  private static List<Block> blocks() throws Exception {
    List<Block> blocks = new ArrayList<>();
    Matcher found = BLOCK.matcher(Files.readString(PAGE));
    while (found.find()) {
      blocks.add(new Block(found.group(1), found.group(2) == null ? "" : found.group(2)));
    }
    return blocks;
  }

  @Test
  void everyBlockPrintsWhatThePageSays() throws Exception {
    List<Block> blocks = blocks();
    assertThat(blocks).hasSizeGreaterThan(5);
    try (CommandThread sim = CommandThread.start("arm-sim")) {
      String said = run(blocks, sim.awaitOut("listening on "));

      String[] outputs = said.split(Pattern.quote(MARK + "\n"), -1);
      for (int i = 0; i < blocks.size(); i++) {
        String output = i < outputs.length ? outputs[i] : "nothing";
        assertThat(output).as(blocks.get(i).script()).matches(blocks.get(i).pattern());
      }
    }
  }

  private String run(List<Block> blocks, String arm) throws Exception {
    String script =
        blocks.stream()
            .map(block -> block.script() + "echo '" + MARK + "'\n")
            .collect(Collectors.joining("", "set -eu\n", ""));
    Path out = directory.resolve("shell.out");
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", script)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("ARM", arm);
    builder.environment().put("NO_PROXY", "127.0.0.1");
    Process shell = builder.start();
    assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readString(out);
  }
}
