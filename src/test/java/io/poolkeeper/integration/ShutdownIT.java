package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A leader is stopped while it writes. */
@Execution(ExecutionMode.CONCURRENT)
class ShutdownIT {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String WEB = "/api/v1/pools/kubernetes/shop-web";

  @TempDir private Path directory;
  private ReplicasFixture world;
  private Replica leader;

  /** An operation runs so long. */
  private void write(Duration takes) {
    world.slowWrites(takes);
    // What changes before the leader has seen the pool is found as a leftover, which is logged.
    leader.answers(WEB, text -> text.contains("\"inPool\":[\"10.0.0.1\"]"));
    world.endpointsOn("n2");
    leader.answers(WEB, text -> text.contains("\"Writing\""));
  }

  @BeforeEach
  void lead() throws Exception {
    world = new ReplicasFixture(directory, "");
    leader = world.start("leader").ready("leader");
  }

  @AfterEach
  void stop() throws Exception {
    world.close();
  }

  @Test
  void whatIsUnderWayEndsFirst_andThenBothLeasesAreGivenBack() throws Exception {
    write(Duration.ofSeconds(2));
    assertThat(world.writer()).isEqualTo("poolkeeper");

    leader.terminate();

    world.awaitLeader("");
    assertThat(world.writer()).isEmpty();
    assertThat(world.members()).containsExactly("n2");
    assertThat(leader.exitCode(LIMIT)).isZero();
    assertThat(world.events()).isEmpty();
    assertThat(leader.log()).noneMatch(line -> line.contains("outcome="));
  }

  @Test
  void aWriteThatHangs_isAbandoned_andBothLeasesAreGivenBackAllTheSame() throws Exception {
    write(Duration.ofMinutes(1));

    leader.terminate();

    assertThat(leader.exitCode(LIMIT)).isZero();
    assertThat(world.leader()).isEmpty();
    assertThat(world.writer()).isEmpty();
    assertThat(world.events()).isEmpty();
    assertThat(leader.log()).noneMatch(line -> line.contains("outcome="));
  }

  @Test
  void withoutAnyAnswerFromAzureAndTheApiServer_itEndsAllTheSame() throws Exception {
    write(Duration.ofMinutes(1));
    leader.cutOff();

    leader.terminate();

    assertThat(leader.exitCode(LIMIT)).isZero();
    assertThat(world.leader()).isEqualTo("leader");
    assertThat(leader.log()).noneMatch(line -> line.contains("outcome="));
    assertThat(leader.log()).noneMatch(line -> line.contains("level=ERROR"));
  }
}
