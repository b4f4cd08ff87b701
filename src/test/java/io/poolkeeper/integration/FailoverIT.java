package io.poolkeeper.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How long nobody writes, on the shipped settings: from what happens to the leader, and a change of
 * endpoints in the same moment, to that change at ARM, written by the other replica. {@code
 * -Dfailover.rounds=N} for more rounds.
 */
@Tag("full")
class FailoverIT {
  private static final int ROUNDS = Integer.getInteger("failover.rounds", 3);
  private static final String NO_WAIT = "poolkeeper.updater.coalesce-window = 0s";
  private static final Duration END = Duration.ofSeconds(10);

  /** What happens to the leader, and how long nobody may write then. */
  enum Fate {
    STOPPED(5, 5) {
      @Override
      void befall(Replica leader) {
        leader.terminate();
      }
    },
    CRASHED(20, 25) {
      @Override
      void befall(Replica leader) {
        leader.kill();
      }
    },
    PAUSED(20, 25) {
      @Override
      void befall(Replica leader) throws IOException {
        leader.pause();
      }
    },
    CUT_OFF(20, 25) {
      @Override
      void befall(Replica leader) {
        leader.cutOff();
      }
    };

    private final Duration median;
    private final Duration worst;

    Fate(int median, int worst) {
      this.median = Duration.ofSeconds(median);
      this.worst = Duration.ofSeconds(worst);
    }

    abstract void befall(Replica leader) throws IOException;
  }

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void anotherReplicaWritesInTime(Fate fate) throws Exception {
    List<Duration> times = new ArrayList<>();
    try (ReplicasFixture world = new ReplicasFixture(directory, NO_WAIT)) {
      Replica leader = world.start("replica-0").ready("leader");
      for (int round = 1; round <= ROUNDS; round++) {
        Replica standby = world.start("replica-" + round).ready("warm standby");

        times.add(round(world, leader, fate, "n" + (2 + round % 2)));

        standby.ready("leader");
        int mark = world.mark();
        end(leader, fate);
        assertThat(world.writes(mark)).isEmpty();
        leader = standby;
      }
    }
    Collections.sort(times);
    Duration median = times.get(times.size() / 2);
    System.out.printf("failover %s: median %s, worst %s%n", fate, median, times.getLast());
    assertThat(median).isLessThan(fate.median);
    assertThat(times.getLast()).isLessThan(fate.worst);
  }

  private static Duration round(ReplicasFixture world, Replica leader, Fate fate, String node)
      throws IOException {
    long begin = System.nanoTime();
    fate.befall(leader);
    world.endpointsOn(node);
    world.awaitMember(node);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /** What was the leader ends by itself. */
  private static void end(Replica leader, Fate fate) throws Exception {
    switch (fate) {
      case STOPPED -> assertThat(leader.exitCode(END)).isZero();
      case CRASHED -> assertThat(leader.exitCode(END)).isNotZero();
      case PAUSED -> {
        leader.resume();
        assertThat(leader.exitCode(END)).isEqualTo(1);
      }
      case CUT_OFF -> assertThat(leader.exitCode(END)).isEqualTo(1);
    }
  }
}
