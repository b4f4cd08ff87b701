package io.poolkeeper.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.armsim.ArmSim;
import io.poolkeeper.config.Settings;
import io.poolkeeper.config.SettingsLoader;
import io.poolkeeper.integration.GuardedArm;
import io.poolkeeper.verify.azure.PlainArm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The configuration of a user of a simulator with https and required tokens. */
final class GuardedSim implements AutoCloseable {
  static final String SUBSCRIPTION = "5c1b0a52-7f9c-4f0e-9d55-0d9b8f6f2a11";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final GuardedArm arm = new GuardedArm();
  private final Path directory;

  GuardedSim(Path directory) {
    this.directory = directory;
  }

  ArmSim sim() {
    return arm.sim();
  }

  /** The configuration of an identity. */
  Path config(String client) throws IOException {
    return Files.writeString(
        directory.resolve(client + ".conf"),
        """
        poolkeeper.azure {
          subscription-id = "%s", resource-group = "cluster"
          endpoint = "%s", authority-host = "%2$s", trust-ca-file = "%s"
          credential = client-secret, tenant-id = "t", client-id = "%s", client-secret = "hush"
        }
        """
            .formatted(SUBSCRIPTION, arm.endpoint(), arm.ca(), client));
  }

  Settings settings(String client) throws IOException {
    return SettingsLoader.loadForCommand(config(client), Optional.empty(), Map.of());
  }

  /** A call of an administrator, or of a route of the simulator's own. */
  ArmExchange call(String method, String path, String json) throws Exception {
    try (PlainArm admin =
        PlainArm.connect(settings("admin").azure(), InstantSource.system(), any -> {})) {
      return admin.send(
          method,
          path,
          Optional.of("2025-05-01"),
          Map.of(),
          Optional.of(json).filter(any -> !any.isEmpty()).map(GuardedSim::read));
    }
  }

  void group(String name) throws Exception {
    call(
        "PUT",
        Place.groupPath(SUBSCRIPTION, name),
        "{\"location\":\"westeurope\",\"tags\":{\"owner\":\"ann\"}}");
  }

  /** The names of all resources of a group. */
  List<String> left(String group) throws Exception {
    List<String> names = new ArrayList<>();
    String next = Place.groupPath(SUBSCRIPTION, group) + "/resources";
    while (!next.isEmpty()) {
      JsonNode page = call("GET", next, "").answer();
      page.path("value").forEach(one -> names.add(one.path("name").asText()));
      next = page.path("nextLink").asText();
    }
    return names;
  }

  private static JsonNode read(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(json, wrong);
    }
  }

  @Override
  public void close() {
    arm.close();
  }
}
