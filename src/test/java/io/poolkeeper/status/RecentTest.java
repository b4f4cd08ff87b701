package io.poolkeeper.status;

import static io.poolkeeper.status.Pools.EDGE;
import static io.poolkeeper.status.Pools.T0;
import static io.poolkeeper.status.Pools.failing;
import static io.poolkeeper.status.Pools.forbidden;
import static io.poolkeeper.status.Pools.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What happened lately follows from the levels alone, and is bounded. */
class RecentTest {
  private final Recent recent = new Recent(T0);
  private Optional<PoolStatus> last = Optional.empty();

  private void at(int second, PoolStatus next) {
    recent.changed(last, next, Optional.empty(), T0.plusSeconds(second));
    last = Optional.of(next);
  }

  private PoolLog log() {
    return recent.view(T0.plusSeconds(100)).log(EDGE.pool("a"));
  }

  @Test
  void log_ofAWriteThatFails_hasItsCourse() {
    at(0, pool("a", State.IDLE));
    at(1, pool("a", State.WAITING));
    at(3, pool("a", State.READING));
    at(4, pool("a", State.WRITING));
    at(6, failing("a", State.FAILED, forbidden()));

    assertThat(log().entries())
        .extracting(PoolLog.Entry::text)
        .containsExactly("", "PUT: ", "GET", "waits for its turn", "followed from now on");
    PoolLog.Entry put = log().entries().get(1);
    assertThat(put.at()).isEqualTo(T0.plusSeconds(4));
    assertThat(put.until()).contains(T0.plusSeconds(6));
    assertThat(put.failure()).contains(forbidden());
    assertThat(log().entries().getFirst().until()).as("it goes on").isEmpty();
    assertThat(log().last()).as("nothing was written").isEmpty();
  }

  @Test
  void log_ofAWrite_saysWhatItDidAndHowLongItTook() {
    at(0, pool("a", State.IDLE));
    at(1, failing("a", State.WRITING, forbidden()));
    at(3, pool("a", State.IDLE));

    assertThat(log().last()).contains("+1, after 43.0 s");
    assertThat(recent.view(T0.plusSeconds(3)).meanWrites())
        .containsEntry(EDGE, Duration.ofSeconds(2));
    assertThat(recent.view(T0.plusSeconds(3)).writesLately()).isEqualTo(1);
  }

  @Test
  void behind_beginsWithTheOldestChange_andEndsInSync() {
    at(0, pool("a", State.IDLE));
    assertThat(log().behind()).isEmpty();

    at(1, failing("a", State.WAITING, forbidden()));
    at(5, failing("a", State.FAILED, forbidden()));
    assertThat(log().behind()).contains(T0.minusSeconds(40));

    at(9, pool("a", State.IDLE));
    assertThat(log().behind()).isEmpty();
  }

  @Test
  void log_ofManyEvents_keepsTheNewest() {
    for (int i = 0; i < 200; i++) {
      at(i, pool("a", i % 2 == 0 ? State.WAITING : State.IDLE));
    }

    assertThat(log().entries()).hasSize(PoolLog.LONGEST);
    assertThat(log().entries().getFirst().at()).isEqualTo(T0.plusSeconds(198));
  }

  @Test
  void log_ofAPoolThatIsForgotten_isGone() {
    at(0, pool("a", State.WAITING));

    recent.forgotten(EDGE.pool("a"), T0.plusSeconds(1));

    assertThat(log()).isEqualTo(PoolLog.EMPTY);
  }

  @Test
  void steps_haveWhatHappenedInThem() {
    at(0, pool("a", State.WAITING));
    recent.reached(Duration.ofMillis(200), T0.plusSeconds(1));
    recent.reached(Duration.ofMillis(200), T0.plusSeconds(2));
    recent.reached(Duration.ofSeconds(8), T0.plusSeconds(3));

    Recent.View view = recent.view(T0.plusSeconds(61));

    assertThat(view.steps()).as("the third has begun").hasSize(3);
    assertThat(view.from()).isEqualTo(T0);
    // Classes are a fourth of a doubling wide.
    assertThat(view.steps().getFirst().p50().orElseThrow()).isBetween(0.17, 0.23);
    assertThat(view.steps().getFirst().p99().orElseThrow()).isBetween(6.8, 9.5);
    assertThat(view.steps().getFirst().oldest()).as("40 s at T0").isEqualTo(70.0);
    assertThat(view.steps().get(1).p50()).isEmpty();
    assertThat(view.steps().get(1).oldest()).isEqualTo(100.0);
    assertThat(view.steps().getLast().oldest()).isEqualTo(101.0);
  }

  @Test
  void steps_afterHours_areThoseOfHalfAnHour() {
    Instant late = T0.plus(Duration.ofHours(9));

    assertThat(recent.view(late).steps()).hasSize(HalfHour.STEPS);
    assertThat(recent.view(late).from())
        .isBetween(late.minus(Duration.ofSeconds(1800)), late.minus(Duration.ofSeconds(1770)));
  }

  @Test
  void throttles_thatGoOn_areOne() {
    HalfHour halfHour = new HalfHour(T0);

    halfHour.throttled(T0, T0.plusSeconds(10));
    halfHour.throttled(T0.plusSeconds(5), T0.plusSeconds(30));
    halfHour.throttled(T0.plusSeconds(60), T0.plusSeconds(70));

    assertThat(halfHour.throttles())
        .containsExactly(
            new HalfHour.Throttle(T0, T0.plusSeconds(30)),
            new HalfHour.Throttle(T0.plusSeconds(60), T0.plusSeconds(70)));
  }
}
