package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lab.judge.SharedLease.Attempt;
import io.poolkeeper.lab.judge.SharedLease.Hold;
import io.poolkeeper.lab.judge.SharedLease.Session;
import io.poolkeeper.lab.judge.SharedLease.Terms;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The judge finds writes beside the cloud provider's Lease, and sessions without gaps. */
class SharedLeaseTest {
  private static final long MILLI = 1_000_000;
  private static final Terms TERMS =
      new Terms(Duration.ofSeconds(1), Optional.of(Duration.ofSeconds(2)), Set.of("node-1"));

  private static SharedLease lease(List<Attempt> attempts, long... sessionMillis) {
    List<Session> sessions =
        Arrays.stream(sessionMillis)
            .mapToObj(millis -> new Session(Instant.EPOCH, Duration.ofMillis(millis)))
            .toList();
    Hold hold = new Hold(1_000 * MILLI, 5_000 * MILLI);
    return new SharedLease(attempts, List.of(hold), sessions, TERMS);
  }

  private static List<Attempt> attempts(String... met) {
    return Stream.of(met)
        .map(session -> new Attempt(Optional.of(session).filter(text -> !text.isEmpty()), false))
        .toList();
  }

  private static PoolWrite write(long at, Set<String> removed, Map<String, String> states) {
    var pool = new LoadBalancerId("s", "rg", "lb").pool("a");
    return new PoolWrite(
        1, "", pool, at * MILLI, at * MILLI, Set.of(), !removed.isEmpty(), removed, states);
  }

  private static List<ArmRequest> put(long at) {
    return new Requests().add(at, "PUT", "lb/a", 200, "").list();
  }

  @Test
  void intruding_writeInsideAHold_isSeen() {
    SharedLease lease = lease(List.of());
    List<PoolWrite> none = List.of();

    assertThat(lease.intruding(put(999), none)).isEmpty();
    assertThat(lease.intruding(put(1_000), none)).containsExactly("write a after 0 ms");
    assertThat(lease.intruding(put(2_999), none)).containsExactly("write a after 1999 ms");
    assertThat(lease.intruding(put(5_000), none)).isEmpty();
  }

  @Test
  void intruding_drainThatHasWaited_isNone() {
    SharedLease lease = lease(List.of());
    Map<String, String> down = Map.of("10.0.0.1", "Down");

    assertThat(lease.intruding(put(3_000), List.of(write(3_000, Set.of(), down)))).isEmpty();
    assertThat(lease.intruding(put(3_000), List.of(write(3_000, Set.of("node-1"), Map.of()))))
        .isEmpty();
    assertThat(lease.bypassing(put(3_000), List.of(write(3_000, Set.of(), down)))).hasSize(1);
    assertThat(lease.intruding(put(2_999), List.of(write(2_999, Set.of(), down)))).hasSize(1);
  }

  @Test
  void intruding_changeThatHasWaitedAsLong_isSeen() {
    PoolWrite change = write(4_000, Set.of("node-2"), Map.of());

    assertThat(lease(List.of()).intruding(put(4_000), List.of(change)))
        .containsExactly("write a after 3000 ms");
    assertThat(lease(List.of()).bypassing(put(4_000), List.of(change))).isEmpty();
  }

  @Test
  void longestRun_countsAttemptsButSessionsOnce() {
    SharedLease lease = lease(attempts("a", "a", "b", "", "c", "c", ""));

    assertThat(lease.failed()).isEqualTo(5);
    assertThat(lease.longestRun()).isEqualTo(3);
    assertThat(lease.sessionsInRow()).isEqualTo(2);
  }

  @Test
  void share_isWhatThePausesLeave() {
    assertThat(lease(List.of()).share()).isZero();
    assertThat(lease(List.of(), 5).share()).isEqualTo(5 / 55.0);
    assertThat(lease(List.of(), 100).share()).isEqualTo(0.2);
    assertThat(lease(List.of(), 250).share()).isEqualTo(0.2);
    assertThat(lease(List.of(), 5_000).share()).isEqualTo(5 / 6.0);
    assertThat(lease(List.of(), 100, 5_000).share()).isEqualTo(5_100 / 6_500.0);
  }

  @Test
  void silent_sessionWithoutTheAnnotation_isSeen() {
    assertThat(lease(attempts("a", "")).silent()).isEmpty();
    assertThat(lease(List.of(new Attempt(Optional.empty(), true))).silent()).hasSize(1);
  }

  private static SharedLease sessions(long... beganMillis) {
    List<Session> sessions =
        Arrays.stream(beganMillis)
            .mapToObj(at -> new Session(Instant.EPOCH.plusMillis(at), Duration.ofMillis(100)))
            .toList();
    return new SharedLease(List.of(), List.of(), sessions, TERMS);
  }

  private static SharedLease twice(long lengthMillis, long afterMillis) {
    Duration length = Duration.ofMillis(lengthMillis);
    List<Session> two =
        List.of(
            new Session(Instant.EPOCH, length),
            new Session(Instant.EPOCH.plusMillis(afterMillis), length));
    return new SharedLease(List.of(), List.of(), two, TERMS);
  }

  @Test
  void crowded_sessionSoonAfterAnother_isSeen() {
    // Half of 50 ms, of 400 ms and of a second.
    assertThat(twice(10, 35).crowded()).isEmpty();
    assertThat(twice(10, 34).crowded()).containsExactly("34 ms after one of 10 ms");
    assertThat(twice(100, 300).crowded()).isEmpty();
    assertThat(twice(100, 299).crowded()).hasSize(1);
    assertThat(twice(5_000, 5_500).crowded()).isEmpty();
    assertThat(twice(5_000, 5_499).crowded()).hasSize(1);
  }

  @Test
  void crowded_oneInEight_isNone() {
    assertThat(sessions(0, 300, 599, 900, 1_200, 1_500, 1_800, 2_100).crowded()).isEmpty();
    assertThat(sessions(0, 300, 599, 900, 1_200, 1_500, 1_800).crowded()).hasSize(1);
  }

  /** Ten attempts, a fifth of the time: 10 x 0.2^5 = 0.0032, 10 x 0.2^6 = 0.00064. */
  @Test
  void fair_moreSessionsInARowThanByBadLuck_isFalse() {
    List<Attempt> fine = attempts("a", "b", "c", "d", "e", "", "", "", "", "");
    List<Attempt> wrong = attempts("a", "b", "c", "d", "e", "f", "", "", "", "");

    assertThat(lease(fine, 100).limit()).isEqualTo(5);
    assertThat(lease(fine, 100).fair()).isTrue();
    assertThat(lease(wrong, 100).fair()).isFalse();
    assertThat(lease(wrong, 100).luck())
        .isEqualTo("6 sessions in a row, at most 5 with a share of 0.20");
  }
}
