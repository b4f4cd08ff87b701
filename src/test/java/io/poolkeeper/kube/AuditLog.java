package io.poolkeeper.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a real API server logs of the requests that it gets, also of those that it refuses. */
public record AuditLog(Path directory) {
  private static final JsonMapper JSON = new JsonMapper();

  /** The server's flags for a log in the directory. */
  public String[] flags() throws IOException {
    Path policy =
        Files.writeString(
            directory.resolve("audit.yaml"),
            "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]");
    return new String[] {"--audit-policy-file=" + policy, "--audit-log-path=" + log()};
  }

  private Path log() {
    return directory.resolve("audit.log");
  }

  /** The rights that an impersonated user's requests have needed: verb and resource of each. */
  public Set<String> needed(String user) {
    try (Stream<String> lines = Files.lines(log())) {
      return lines
          .filter(line -> line.endsWith("}"))
          .map(AuditLog::json)
          .filter(event -> event.at("/impersonatedUser/username").asText().equals(user))
          .filter(event -> event.has("objectRef"))
          .map(event -> right(event.path("verb").asText(), event.path("objectRef")))
          .collect(Collectors.toSet());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The rights that the rules grant, written alike. */
  public static Set<String> granted(List<PolicyRule> rules) {
    return rules.stream()
        .flatMap(
            rule ->
                rule.getResources().stream()
                    .flatMap(what -> rule.getVerbs().stream().map(verb -> verb + " " + what)))
        .collect(Collectors.toSet());
  }

  private static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  private static String right(String verb, JsonNode object) {
    String part = object.path("subresource").asText();
    return verb + " " + object.path("resource").asText() + (part.isEmpty() ? "" : "/" + part);
  }
}
