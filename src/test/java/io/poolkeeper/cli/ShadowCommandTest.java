package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The exit code says whether to go live. */
@Timeout(60)
class ShadowCommandTest {
  private static final String STATUS = "/api/v1/status";

  private final StringWriter said = new StringWriter();
  private LeaderStub stub;

  @BeforeEach
  void start() throws Exception {
    stub = new LeaderStub();
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private static String answer(String state) throws Exception {
    return Files.readString(Path.of("src/test/resources/console/shadow-%s.json".formatted(state)));
  }

  private int shadow(String... options) {
    PrintWriter to = new PrintWriter(said);
    List<String> line =
        Stream.concat(Stream.of("shadow", "--url", stub.url().toString()), Stream.of(options))
            .toList();
    return Cli.run(line, to, to, Map.of());
  }

  @Test
  void ready_isCode0() throws Exception {
    stub.answer(STATUS, answer("ready"));

    assertThat(shadow()).as(said.toString()).isZero();
    assertThat(said.toString()).contains("\nReady to go live: ");
  }

  @Test
  void notMet_isCode3_alsoAsJson() throws Exception {
    stub.answer(STATUS, answer("not-met"));

    assertThat(shadow("-o", "json")).isEqualTo(3);
    assertThat(Leader.JSON.readTree(said.toString()).at("/verdict/ready").asBoolean(true))
        .isFalse();
  }

  @Test
  void writeMode_isOneMessage() {
    stub.answer(STATUS, "{\"leads\": true, \"mode\": \"write\", \"shadow\": null}");

    assertThat(shadow()).isEqualTo(1);
    assertThat(said)
        .hasToString(
            stub.url()
                + ": it is in write mode: what it decides is written, and nothing is compared\n");
  }

  @Test
  void standby_namesTheLeader() {
    stub.answer(STATUS, "{\"leads\": false, \"replicas\": {\"leader\": \"poolkeeper-1\"}}");

    assertThat(shadow()).isEqualTo(1);
    assertThat(said.toString())
        .endsWith("is on standby, and follows no pool: ask the replica that leads, poolkeeper-1\n");
  }

  @Test
  void versionWithoutVerdict_isOneMessage() throws Exception {
    ObjectNode old = (ObjectNode) Leader.JSON.readTree(answer("ready"));
    ((ObjectNode) old.path("shadow")).remove("verdict");
    stub.answer(STATUS, old.toString());

    assertThat(shadow()).isEqualTo(1);
    assertThat(said.toString()).contains("gives no verdict: is its version as new as this one's?");
  }
}
