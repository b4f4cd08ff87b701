package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two replicas, of which one is paused and comes back too late; and one that is killed. */
@Execution(ExecutionMode.CONCURRENT)
class ReplicasIT {
  /** The change that a leader was about to write when it was paused waits for this long. */
  private static final String SETTINGS =
      """
      poolkeeper {
        leader-election { lease-duration = 4s, renew-deadline = 3s, retry-period = 300ms }
        updater.coalesce-window = 2s
      }
      """;

  /** It would keep another replica out for ten minutes. */
  private static final String LONG_LEASE = "poolkeeper.leader-election.lease-duration = 10m";

  private static final String POOL = "/api/v1/pools/kubernetes/shop-web";
  private static final Duration START = Duration.ofSeconds(20);
  private static final Duration END = Duration.ofSeconds(10);

  @TempDir private Path directory;

  @Test
  void aLeaderThatWasPausedWhileAnotherOneLedWritesNothingAndEnds() throws Exception {
    try (ReplicasFixture world = new ReplicasFixture(directory, SETTINGS)) {
      Replica paused = world.start("first").ready("leader");
      Replica next = world.start("second").ready("warm standby");
      assertThat(next.ask("status").out()).contains("This replica is on standby; first leads.");
      assertThat(next.ask("plan").err()).endsWith(": ask the replica that leads, first\n");
      world.endpointsOn("n2");
      paused.answers(POOL, text -> text.contains("\"state\":\"Gathering\""));
      paused.pause();
      world.awaitMember("n2");
      world.endpointsOn("n3");
      world.awaitMember("n3");
      next.ready("leader");
      int mark = world.mark();

      paused.resume();

      assertThat(paused.exitCode(END)).isEqualTo(1);
      assertThat(paused.log()).last().asString().contains("leader-election: the leader's lease");
      assertThat(world.writes(mark)).isEmpty();
      assertThat(world.leader()).isEqualTo("second");

      next.terminate();

      assertThat(next.exitCode(END)).isZero();
      assertThat(world.leader()).isEmpty();
      assertThat(world.members()).containsExactly("n3");
    }
  }

  @Test
  void aSecondInstallationThatWouldWriteEnds_untilTheFirstHasStopped() throws Exception {
    try (ReplicasFixture world = new ReplicasFixture(directory, SETTINGS)) {
      String other = "poolkeeper.leader-election.name = second-leader";
      Replica first = world.start("first").ready("leader");
      world.endpointsOn("n2");
      world.awaitMember("n2");
      Replica shadow = world.start("shadow", other + "\npoolkeeper.mode = shadow");

      Replica refused = world.start("second", other);

      assertThat(refused.exitCode(START.multipliedBy(4))).isEqualTo(1);
      assertThat(refused.log())
          .last()
          .asString()
          .contains(
              "leader-election: another Poolkeeper writes in this cluster: first_5e1f renews Lease"
                  + " kube-system/poolkeeper-leader, and ours is kube-system/second-leader.");
      shadow.ready("leader");
      world.start("standby").ready("warm standby").kill();
      first.terminate();
      assertThat(first.exitCode(END)).isZero();
      world.start("second", other).ready("leader");
      world.endpointsOn("n3");
      world.awaitMember("n3");
    }
  }

  /** By SIGKILL: whether ARM has taken the write, and its Lease, the next one finds out. */
  @Test
  void aProcessThatIsKilledWhileItWrites_isFollowedByOneThatPutsThePoolRight() throws Exception {
    try (ReplicasFixture world = new ReplicasFixture(directory, LONG_LEASE)) {
      Replica killed = world.start("first").ready("leader");
      world.slowWrites(Duration.ofSeconds(2));
      world.endpointsOn("n2");
      killed.answers(POOL, text -> text.contains("\"state\":\"Writing\""));

      killed.kill();

      assertThat(killed.exitCode(END)).isEqualTo(128 + 9);
      assertThat(world.leader()).isEqualTo("first");
      world.endpointsOn("n3");
      Replica next = world.start("first").ready("leader");
      world.awaitMember("n3");
      next.terminate();
      assertThat(next.exitCode(END)).isZero();
      assertThat(world.leader()).isEmpty();
    }
  }

  @Test
  @Tag("full")
  void aContainerThatIsRestartedLeadsAtOnce_andASecondProcessOfItsPodNever() throws Exception {
    try (ReplicasFixture world = new ReplicasFixture(directory, LONG_LEASE)) {
      Replica killed = world.start("first").ready("leader");
      Replica second = world.start("first");
      assertThat(second.exitCode(START.plus(END))).isEqualTo(1);
      assertThat(second.log()).noneMatch(line -> line.contains("leader-election=leading"));
      killed.ready("leader").kill();
      assertThat(killed.exitCode(END)).isNotZero();
      assertThat(world.leader()).isEqualTo("first");

      world.start("first").ready("leader");
    }
  }

  /**
   * A request and its answer take 0.8 s, a third of the time in which the Lease must be renewed.
   */
  @Test
  @Tag("full")
  void aLeaderWhoseApiServerIsSlowGoesOnLeadingAndWriting() throws Exception {
    try (ReplicasFixture world = new ReplicasFixture(directory, SETTINGS)) {
      Replica leader = world.start("first").ready("leader");
      Replica standby = world.start("second").ready("warm standby");
      leader.slowApiServer(Duration.ofMillis(400));

      for (String node : List.of("n2", "n3", "n4", "n1")) {
        world.endpointsOn(node);
        world.awaitMember(node);
      }

      leader.ready("leader");
      standby.ready("warm standby");
      assertThat(world.leader()).isEqualTo("first");
      leader.terminate();
      assertThat(leader.exitCode(END)).isZero();
    }
  }
}
