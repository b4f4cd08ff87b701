package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The members of all answers that programs read, whatever their values, compared with files that
 * people have read. {@code -Dgolden.write=true} writes them anew.
 */
class AnswersIT {
  private static final Path FILES = Path.of("src", "test", "resources", "answers");
  private static final List<String> PATHS =
      List.of(
          "status",
          "pools",
          "pools/kubernetes/shop-web",
          "nodes",
          "nodes/n2",
          "plan",
          "leftovers",
          "turnstile",
          "doctor");

  private final ControllerFixture fixture = new ControllerFixture();
  @TempDir private Path directory;

  /** A pool that holds a node that leaves and lacks another one. */
  @BeforeEach
  void prepare() {
    fixture.cluster.node("n1", "10.0.0.1");
    fixture.cluster.node("n2", "10.0.0.2");
    String prefix = fixture.cluster.service("web");
    fixture.cluster.endpoints("web", "n1", "n2");
    fixture.arm.put(LB, Seed.of("shop-web", prefix).holding(Map.of("10.0.0.2", "n2")));
    fixture.cluster.outOfService("n2");
  }

  @AfterEach
  void stop() throws IOException {
    fixture.close();
  }

  @Test
  void ofControllerAndArm_whileARightIsMissingAndaNodeLeaves() throws IOException {
    fixture.arm.deny("Microsoft.Network/loadBalancers/backendAddressPools/write");
    fixture.startController("");

    awaitStatus(status -> status.at("/headline/rest").asText().contains("right to write"));

    assertShapes("refused");
    try (InputStream state = fixture.arm.endpoint().resolve("/_state").toURL().openStream()) {
      assertReads("arm-sim", members("_state", new ObjectMapper().readTree(state)));
    }
  }

  @Test
  void ofTheController_inShadow() throws IOException {
    fixture.startController("poolkeeper.mode = shadow");

    awaitStatus(status -> fixture.get("/api/v1/shadow").json().path("differ").size() == 1);

    assertReads("shadow", members("shadow", fixture.get("/api/v1/shadow").json()));
  }

  @Test
  void ofTheCommandThatChecksAConfiguration() throws IOException {
    Path file = Files.writeString(directory.resolve("poolkeeper.conf"), fixture.settings());

    Command check = Command.run("check", "--config", file.toString(), "-o", "json");

    assertThat(check.code()).isZero();
    assertReads("check", members("check", new ObjectMapper().readTree(check.out())));
  }

  private void awaitStatus(Predicate<JsonNode> reached) {
    eventually(
        () -> {
          JsonNode status = fixture.get("/api/v1/status").json();
          assertThat(reached.test(status)).as("%s", status).isTrue();
        });
  }

  private void assertShapes(String state) throws IOException {
    SortedSet<String> all = new TreeSet<>();
    PATHS.forEach(path -> all.addAll(members(path, fixture.get("/api/v1/" + path).json())));
    assertReads(state, all);
  }

  private static void assertReads(String file, SortedSet<String> members) throws IOException {
    Path golden = FILES.resolve(file + ".txt");
    if (Boolean.getBoolean("golden.write")) {
      Files.write(golden, members);
    }
    assertThat(members).containsExactlyElementsOf(Files.readAllLines(golden));
  }

  private static SortedSet<String> members(String path, JsonNode of) {
    SortedSet<String> members = new TreeSet<>();
    if (of.isArray()) {
      of.forEach(item -> members.addAll(members(path + "[]", item)));
    } else if (of.isObject()) {
      of.properties()
          .forEach(one -> members.addAll(members(path + " " + one.getKey(), one.getValue())));
    }
    return members.isEmpty() ? new TreeSet<>(List.of(path)) : members;
  }
}
