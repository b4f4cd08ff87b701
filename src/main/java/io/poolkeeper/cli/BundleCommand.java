package io.poolkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.KubeconfigException;
import io.poolkeeper.kube.SupportFacts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "bundle",
    description = {
      "Writes one file for a support case: settings in force (secrets masked), status, the last",
      "attempts at pools that are behind with Azure's ids, metrics, Events, both Leases, versions."
    },
    footer = {"", "Example:", "  poolkeeper bundle -f case-1234.zip"})
final class BundleCommand extends CliCommand implements Runnable {
  /** The most pools that are behind whose details are in the file. */
  private static final int MOST_POOLS = 100;

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

  @Mixin private final LeaderOptions leader = new LeaderOptions();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      defaultValue = "poolkeeper-bundle.zip",
      description = "Where to (${DEFAULT-VALUE}); it must not exist.")
  @SuppressWarnings("NullAway.Init") // It has a default.
  private Path file;

  @Override
  public void run() {
    if (Files.exists(file)) {
      throw new CommandFailure("-f %s: exists already; name another file".formatted(file));
    }
    Map<String, String> files = new LinkedHashMap<>();
    files.put("versions.txt", String.join("\n", new Version().getVersion()) + "\n");
    try (Leader asked = leader.leader()) {
      PATHS.forEach(path -> files.put(path + ".json", text(asked, "/api/v1/" + path)));
      files.put("metrics.txt", text(asked, "/metrics"));
      LiveState state = LiveState.read(asked);
      state.pools().stream()
          .filter(row -> row.path("cause").isTextual())
          .limit(MOST_POOLS)
          .forEach(row -> files.put(name(row), text(asked, LiveState.path(row))));
    }
    files.putAll(cluster(files.getOrDefault("settings.json", "")));
    write(files);
    out().printf("%s: %d files. Read it before you send it on.%n", file, files.size());
    out().flush();
  }

  private static String name(JsonNode row) {
    return "pools/%s.json".formatted(row.path("id").asText().replaceAll("[^\\w.-]", "_"));
  }

  /** The answer as it came, or why there is none. */
  private static String text(Leader asked, String path) {
    Leader.Answer answer = asked.get(path);
    try (InputStream body = answer.body()) {
      String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
      return answer.status() == 200 ? text : "HTTP %d: %s".formatted(answer.status(), text);
    } catch (IOException ended) {
      return "the answer ended early: " + ended.getMessage();
    }
  }

  /** What the cluster shows; with --url, too, if there is a kubeconfig. */
  private Map<String, String> cluster(String settings) {
    String shared = setting(settings, "namespace") + "/" + setting(settings, "name");
    try (KubernetesClient client = leader.cluster().client()) {
      List<String> leases =
          leader.cluster().leases().stream()
              .map(name -> leader.cluster().namespace() + "/" + name)
              .toList();
      return SupportFacts.read(client, Stream.concat(leases.stream(), Stream.of(shared)).toList());
    } catch (KubeconfigException none) {
      return Map.of("events.yaml", "# %s%n".formatted(none.getMessage()));
    }
  }

  /** A setting of the shared Lease, from the leader's settings. */
  private static String setting(String settings, String key) {
    Matcher found =
        Pattern.compile("poolkeeper\\.lock\\.%s = \\W*([\\w.-]+)".formatted(key)).matcher(settings);
    return found.find() ? found.group(1) : "unknown";
  }

  private void write(Map<String, String> files) {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, String> one : files.entrySet()) {
        zip.putNextEntry(new ZipEntry("poolkeeper-bundle/" + one.getKey()));
        zip.write(one.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    } catch (IOException failed) {
      throw new CommandFailure("-f %s: cannot be written: %s".formatted(file, failed.getMessage()));
    }
  }
}
