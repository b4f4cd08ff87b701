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
      new Terms(Duration.ofSeconds(15), Optional.of(Duration.ofSeconds(2)), Set.of("node-1"));

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
        .map(
            session ->
                new Attempt(Optional.of(session).filter(text -> !text.isEmpty()), true, false))
        .toList();
  }

  private static PoolWrite write(long at, Set<String> removed, Map<String, String> states) {
    var pool = new LoadBalancerId("s", "rg", "lb").pool("a");
    long nanos = at * MILLI;
    return new PoolWrite(
        1, "", pool, nanos, nanos, Set.of(), !removed.isEmpty(), Set.of(), removed, states);
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
  void longestRun_countsAttempts() {
    SharedLease lease = lease(attempts("a", "a", "b", "", "c", "c", ""));

    assertThat(lease.failed()).isEqualTo(5);
    assertThat(lease.longestRun()).isEqualTo(3);
  }

  @Test
  void impatient_moreThanFourFailuresAfterTheFirst_isSeen() {
    assertThat(lease(attempts("a", "b", "c", "d", "e", "", "f")).impatient()).isEmpty();
    assertThat(lease(attempts("a", "b", "c", "d", "e", "f", "")).impatient())
        .containsExactly("6 in a row, the last one met f");
  }

  @Test
  void impatient_attemptsOfTheUpdater_whichSaysNothing_doNotCount() {
    List<Attempt> silent =
        attempts("a", "b", "c", "d", "e", "f").stream()
            .map(one -> new Attempt(one.met(), false, false))
            .toList();

    assertThat(lease(silent).impatient()).isEmpty();
  }

  @Test
  void endless_sessionThatOutlastsItsBound_isSeen() {
    assertThat(lease(List.of(), 100, 17_000).endless()).isEmpty();
    assertThat(lease(List.of(), 100, 17_001).endless()).hasSize(1);
  }

  @Test
  void silent_sessionWithoutTheAnnotation_isSeen() {
    assertThat(lease(attempts("a", "")).silent()).isEmpty();
    assertThat(lease(List.of(new Attempt(Optional.empty(), true, true))).silent()).hasSize(1);
  }
}
