package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.kube.SupportFacts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "bundle",
    description = {
      "Writes one file for a support case: settings in force (secrets masked),",
      "status, the last attempts at pools that are behind with Azure's ids, metrics,",
      "Events, both Leases, the pods with their logs, versions. What cannot be had",
      "is named; it needs no leader."
    },
    footer = {"", "Example:", "  poolkeeper bundle -f case-1234.zip"})
final class BundleCommand extends CliCommand implements Runnable {
  /** The most pools that are behind whose details are in the file. */
  private static final int MOST_POOLS = 100;

  /** So many parts in a row that cannot be had. */
  private static final int MOST_SILENT = 3;

  private static final List<String> PATHS =
      List.of(
          "settings",
          "status",
          "pools",
          "nodes",
          "turnstile",
          "leftovers",
          "plan",
          "shadow",
          "doctor");

  @Mixin private final LeaderOptions leaderOptions = new LeaderOptions();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      defaultValue = "poolkeeper-bundle.zip",
      description = "Where to (${DEFAULT-VALUE}); it must not exist.")
  @SuppressWarnings("NullAway.Init") // It has a default.
  private Path file;

  @Override
  public void run() {
    tryToCreate();
    BundleParts parts = new BundleParts();
    parts
        .attempt("what the leader says", leaderOptions::connect)
        .ifPresent(
            asked -> {
              try (asked) {
                ask(asked, parts);
              }
            });
    parts
        .attempt("what the cluster shows", () -> leaderOptions.cluster().client())
        .ifPresent(
            client -> {
              try (client;
                  SupportFacts facts =
                      new SupportFacts(client, leaderOptions.cluster().namespace())) {
                facts.files(leases(parts)).forEach(parts::add);
                parts.attempt("pods", facts::pods).ifPresent(pods -> pods.forEach(parts::add));
              }
            });
    if (parts.size() == 0) {
      throw new CommandFailure(String.join(System.lineSeparator(), parts.missing()));
    }
    parts.add("versions.txt", () -> String.join("\n", new Version().getVersion()) + "\n");
    try {
      parts.write(file);
    } catch (IOException failed) {
      throw unwritable(failed);
    }
    say("%s: %d files. Read it before you send it on.".formatted(file, parts.size()));
    parts.missing().forEach(this::say);
  }

  /** Fails before minutes of asking if the file cannot be written at their end. */
  private void tryToCreate() {
    try {
      BundleParts.create(file);
      Files.delete(file);
    } catch (FileAlreadyExistsException exists) {
      throw new CommandFailure("-f %s: exists already; name another file".formatted(file));
    } catch (IOException failed) {
      throw unwritable(failed);
    }
  }

  private CommandFailure unwritable(IOException failed) {
    return new CommandFailure("-f %s: cannot be written: %s".formatted(file, failed));
  }

  /** Stops after some parts without an answer, as each may take its whole time. */
  private static void ask(Leader asked, BundleParts parts) {
    Map<String, String> paths = new LinkedHashMap<>();
    PATHS.forEach(path -> paths.put(path + ".json", "/api/v1/" + path));
    paths.put("metrics.txt", "/metrics");
    if (!ask(asked, paths, parts)) {
      return;
    }
    Map<String, String> pools = new LinkedHashMap<>();
    parts.attempt("pools that are behind", () -> LiveState.read(asked)).stream()
        .flatMap(state -> state.pools().stream())
        .filter(row -> row.path("cause").isTextual())
        .limit(MOST_POOLS)
        .forEach(row -> pools.put(name(row), LiveState.path(row)));
    ask(asked, pools, parts);
  }

  private static boolean ask(Leader asked, Map<String, String> paths, BundleParts parts) {
    int silent = 0;
    for (Map.Entry<String, String> part : paths.entrySet()) {
      String name = part.getKey();
      silent = parts.add(name, () -> text(asked, part.getValue(), name, parts)) ? 0 : silent + 1;
      if (silent == MOST_SILENT) {
        parts.lacks(
            "more of the leader", "not asked, as %d parts in a row failed".formatted(silent));
        return false;
      }
    }
    return true;
  }

  private static String name(JsonNode row) {
    return "pools/%s.json".formatted(row.path("id").asText().replaceAll("[^\\w.-]", "_"));
  }

  /** The answer as it came. Its mode may lack something (404), which is no loss. */
  private static String text(Leader asked, String path, String name, BundleParts parts) {
    Leader.Answer answer = asked.get(path);
    try (InputStream body = answer.body()) {
      String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
      if (answer.status() != 200 && answer.status() != 404) {
        parts.lacks(name, "HTTP %d".formatted(answer.status()));
      }
      return answer.status() == 200 ? text : "HTTP %d: %s".formatted(answer.status(), text);
    } catch (IOException ended) {
      throw new CommandFailure("the answer ended early: " + ended.getMessage());
    }
  }

  /** Those of the leader, and the shared one: the usual one if the leader does not say which. */
  private List<String> leases(BundleParts parts) {
    String settings = parts.file("settings.json");
    String shared =
        setting(settings, "namespace", "kube-system")
            + "/"
            + setting(settings, "name", "aks-managed-resource-locker");
    return Stream.concat(
            leaderOptions.cluster().leases().stream()
                .map(name -> leaderOptions.cluster().namespace() + "/" + name),
            Stream.of(shared))
        .toList();
  }

  /** A setting of the shared Lease, from the leader's settings. */
  private static String setting(String settings, String key, String usual) {
    Matcher found =
        Pattern.compile("poolkeeper\\.lock\\.%s = \\W*([\\w.-]+)".formatted(key)).matcher(settings);
    return found.find() ? found.group(1) : usual;
  }
}
