package io.poolkeeper.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.cli.Cli;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify-azure} as a user runs it, at a simulator with https and tokens. */
class VerifyCommandIT {
  private static final String GROUP = "Lab-Größe";

  @TempDir private Path directory;
  private GuardedSim azure;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws Exception {
    azure = new GuardedSim(directory);
    azure.group(GROUP);
  }

  @AfterEach
  void stop() {
    azure.close();
  }

  private int verify(String... options) throws Exception {
    List<String> line =
        new ArrayList<>(List.of("verify-azure", "--config", azure.config("me").toString()));
    line.addAll(List.of(options));
    return Cli.run(line, new PrintWriter(out), new PrintWriter(err), Map.of());
  }

  @Test
  void allHolds_theReportNamesNobody_andNothingIsLeft() throws Exception {
    azure.call(
        "POST", "/_denials", "{\"identity\":\"you\",\"action\":\"Microsoft.Network/*/write\"}");
    Path report = directory.resolve("report.json");

    int code =
        verify(
            "--resource-group",
            GROUP,
            "--yes",
            "--rights",
            "--second-config",
            azure.config("you").toString(),
            "--report",
            report.toString());

    assertThat(err.toString()).isEmpty();
    assertThat(out.toString().lines())
        .contains("25 hold, 0 differ, 0 unknown.")
        .allMatch(line -> line.length() <= 80);
    assertThat(code).isZero();
    assertThat(azure.left(GROUP)).isEmpty();
    String json = Files.readString(report);
    assertThat(json + out)
        .doesNotContainIgnoringCase(GuardedSim.SUBSCRIPTION)
        .doesNotContainIgnoringCase(
            "Größe", "Gr%C3%B6", "hush", "Bearer", "client 'you'", "\"ann\"");
    JsonNode read = new ObjectMapper().readTree(json);
    assertThat(read.path("checks")).hasSize(25);
    assertThat(read.path("interactions")).hasSizeGreaterThan(100);
    assertThat(read.findValuesAsText("check")).contains("scratch", "if-match", "forbidden");
    assertThat(
            Cli.run(
                List.of("arm-sim", "--compare", report.toString()),
                new PrintWriter(out),
                new PrintWriter(err),
                Map.of()))
        .as(out.toString())
        .isZero();
  }

  @Test
  void aDryRun_callsNobody() throws Exception {
    int calls = azure.sim().log().size();

    int code = verify("--resource-group", GROUP, "--dry-run", "--quick");

    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
    assertThat(out.toString())
        .contains("   1 PUT NET/virtualNetworks/poolkeeper-verify-RUN-vnet\n")
        .contains("   1 DELETE NET/loadBalancers/poolkeeper-verify-RUN-lb\n")
        .contains("     Microsoft.Network/virtualNetworks/joinLoadBalancer/action\n");
    assertThat(azure.sim().log()).hasSize(calls);
  }

  @Test
  void whatAnEarlierRunHasLeft_isDeletedByItsTagAlone() throws Exception {
    String balancers =
        Place.groupPath(GuardedSim.SUBSCRIPTION, GROUP)
            + "/providers/Microsoft.Network/loadBalancers/";
    for (String run : List.of("0000000a", "0000000b")) {
      azure.call(
          "PUT",
          balancers + "poolkeeper-verify-%s-lb".formatted(run),
          "{\"location\":\"westeurope\",\"tags\":{\"poolkeeper-verify\":\"0000000a\"}}");
    }
    azure.call(
        "PUT",
        balancers + "poolkeeper-verify-0000000d-lb",
        "{\"location\":\"westeurope\",\"tags\":{\"poolkeeper-verify\":\"0000000d\",\"poolkeeper-verify-at\":\"%s\"}}"
            .formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS)));
    azure.call(
        "PUT",
        balancers + "poolkeeper-verify-0000000c-lb",
        "{\"location\":\"westeurope\",\"tags\":{\"poolkeeper-verify\":\"everything\"}}");

    assertThat(verify("--resource-group", GROUP, "--clean")).isEqualTo(1);
    assertThat(message())
        .endsWith("poolkeeper-verify-0000000c-lb has lost its tag: delete it by hand\n");

    assertThat(out.toString().lines())
        .containsExactlyInAnyOrder(
            "run 0000000a: deleted", "run 0000000d: younger than an hour, give --clean=0000000d");
    assertThat(azure.left(GROUP))
        .containsExactlyInAnyOrder(
            "poolkeeper-verify-0000000b-lb",
            "poolkeeper-verify-0000000c-lb",
            "poolkeeper-verify-0000000d-lb");
    assertThat(verify("--resource-group", GROUP, "--clean=0000000d")).isZero();
    assertThat(azure.left(GROUP)).doesNotContain("poolkeeper-verify-0000000d-lb");
  }

  @Test
  void aGroupThatCannotBeUsed_isOneClearMessage() throws Exception {
    assertThat(verify("--resource-group", "none", "--yes")).isEqualTo(1);
    assertThat(message()).startsWith("resource group none does not exist: make one for this run");

    azure.call("POST", "/_denials", "{\"action\":\"Microsoft.Network/virtualNetworks/write\"}");
    assertThat(verify("--resource-group", GROUP, "--yes")).isEqualTo(1);
    assertThat(message())
        .startsWith("a right is missing; --dry-run lists all that are needed (403 Authoriz")
        .contains("'Microsoft.Network/virtualNetworks/write'");
    azure.call("DELETE", "/_denials", "");

    refuse("loadBalancers", 409, "ScopeLocked");
    assertThat(verify("--resource-group", GROUP, "--yes")).isEqualTo(1);
    assertThat(message()).startsWith("a lock forbids it: take another group, or remove the lock");

    refuse("virtualNetworks", 403, "RequestDisallowedByPolicy");
    assertThat(verify("--resource-group", GROUP, "--yes")).isEqualTo(1);
    assertThat(message()).startsWith("a policy forbids it: take a group that it does not cover");

    assertThat(azure.left(GROUP)).isEmpty();
    azure.call(
        "PUT",
        Place.groupPath(GuardedSim.SUBSCRIPTION, GROUP)
            + "/providers/Microsoft.Network/loadBalancers/mine",
        "{\"location\":\"westeurope\"}");
    assertThat(verify("--resource-group", GROUP, "--yes")).isEqualTo(1);
    assertThat(message())
        .contains("has 1 resources that no run has made", "loadBalancers mine", "--beside");
  }

  private void refuse(String type, int status, String code) throws Exception {
    azure.call(
        "POST",
        "/_faults",
        "{\"method\":\"PUT\",\"path\":\"/%s/\",\"times\":1,\"status\":%d,\"code\":\"%s\"}"
            .formatted(type, status, code));
  }

  private String message() {
    String text = err.toString();
    err.getBuffer().setLength(0);
    return text;
  }

  @Test
  void badOptions_areOneClearMessageEach() throws Exception {
    assertThat(verify("--resource-group", "a/b", "--yes")).isEqualTo(2);
    assertThat(message()).startsWith("--resource-group: found 'a/b', allowed: the name of a ");

    assertThat(verify("--resource-group", GROUP, "--yes", "--rights")).isEqualTo(2);
    assertThat(message()).contains("--second-config");

    assertThat(verify("--resource-group", GROUP)).isEqualTo(2);
    assertThat(message()).contains("(--yes | --dry-run | --clean[=RUN])");
  }
}
