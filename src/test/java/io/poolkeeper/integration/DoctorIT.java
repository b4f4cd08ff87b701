package io.poolkeeper.integration;

import static io.poolkeeper.integration.ControllerFixture.LB;
import static io.poolkeeper.integration.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.poolkeeper.arm.AzureAction;
import io.poolkeeper.integration.SimulatedArm.Seed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The doctor from here and on the leader, against the simulator and the embedded API server. */
class DoctorIT {
  /** The embedded API server serves no definition of bindings. */
  private static final String OFF = "poolkeeper.admission.enabled = false\n";

  @TempDir private static Path directory;
  private static final ControllerFixture fixture = new ControllerFixture();
  private static String kubeconfig;

  @BeforeAll
  static void start() throws Exception {
    fixture.cluster.node("n1", "10.0.0.1");
    String web = fixture.cluster.service("web");
    fixture.cluster.endpoints("web", "n1");
    fixture.arm.put(LB, Seed.of("shop-web", web).holding(Map.of("10.0.0.1", "n1")));
    fixture.arm.put("Second-LB", Seed.of("shop-api", "any"));
    kubeconfig =
        Files.writeString(directory.resolve("kubeconfig"), fixture.cluster.kubeconfig()).toString();
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @AfterEach
  void restore() {
    fixture.arm.giveBackAll();
  }

  private static Command examine(String hocon) throws Exception {
    Path config = Files.writeString(directory.resolve("p.conf"), fixture.settings() + OFF + hocon);
    return Command.run("doctor", "--config", config.toString(), "--kubeconfig", kubeconfig);
  }

  private static String line(Command command, String check) {
    return command.out().lines().filter(line -> line.contains(check)).findFirst().orElse("");
  }

  @Test
  void everythingIsRight_noLineFails() throws Exception {
    Command all = examine("poolkeeper.mode = null");

    assertThat(all.code()).as(all.out()).isZero();
    assertThat(all.out())
        .startsWith("Tested     on this machine, write mode\nAzure      as nobody")
        .contains("ok         azure: write pools", "ok         azure: vnet");
    assertThat(line(all, "azure: list rg-1")).startsWith("ok ");
    assertThat(all.out().lines()).filteredOn(line -> line.length() > 80).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "READ_INTERFACE") // no pool here has any
  void rightThatIsTakenAway_isNamed_withWhatGrantsIt(AzureAction action) throws Exception {
    fixture.arm.deny(action.text());

    Command denied = examine("poolkeeper.azure.vnet-id = \"%s\"".formatted(SimulatedArm.NETWORK));

    assertThat(line(denied, "azure: " + action.words())).matches("(fail|warn) .*");
    assertThat(denied.out()).contains("Needs " + action.text());
    assertThat(denied.code()).isEqualTo(action == AzureAction.FOLLOW_WRITE ? 0 : 1);
  }

  @Test
  void rightsThatCannotBeAsked_areNotKnown_andFailNothing() throws Exception {
    fixture.arm.deny("Microsoft.Authorization/*");

    Command unknown = examine("");

    assertThat(unknown.code()).isZero();
    assertThat(line(unknown, "azure: write pools")).startsWith("not known ");
    assertThat(line(unknown, "azure: lockdown")).startsWith("not tested ");
    assertThat(line(unknown, "azure: list rg-1")).startsWith("ok ");
  }

  @Test
  void networkOfAPool_thatIsNotTheConfiguredOne_fails() throws Exception {
    ObjectNode pool = fixture.arm.document(LB, "shop-web");
    ((ObjectNode) pool.path("properties"))
        .putObject("virtualNetwork")
        .put("id", SimulatedArm.NETWORK);
    fixture.arm.putDocument(LB, "shop-web", pool);

    Command wrong =
        examine("poolkeeper.azure.vnet-id = \"%s-other\"".formatted(SimulatedArm.NETWORK));

    assertThat(wrong.out())
        .contains("poolkeeper.azure.vnet-id = \"%s\"".formatted(SimulatedArm.NETWORK));
    assertThat(line(wrong, "azure: vnet")).startsWith("fail ");
    assertThat(wrong.code()).isEqualTo(1);
  }

  @Test
  void theLeader_answersTheSame_andAsksAzureOnceForAll() throws Exception {
    fixture.startController(OFF);
    fixture.awaitReady();
    int mark = fixture.arm.mark();

    Command asked = Command.run("doctor", "--url", fixture.url().toString());
    int once = fixture.arm.mark() - mark;
    JsonNode again = fixture.get("/api/v1/doctor").json();

    assertThat(asked.code()).as(asked.out() + asked.err()).isZero();
    assertThat(asked.out()).contains("ok         azure: write pools");
    assertThat(line(asked, "azure: quota")).startsWith("ok ");
    assertThat(again.path("mode").asText()).isEqualTo("write");
    assertThat(again.path("identity").path("azure").asText()).startsWith("nobody");
    assertThat(fixture.arm.mark() - mark).isEqualTo(once).isLessThan(12);
    eventually(() -> assertThat(fixture.get("/metrics").body()).contains("call=\"rights\""));
    fixture.stopController();
  }
}
