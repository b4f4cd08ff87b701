package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lab.judge.SharedLease.Attempt;
import io.poolkeeper.lab.judge.SharedLease.Hold;
import io.poolkeeper.model.LoadBalancerId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The judge finds writes beside the cloud provider's Lease. */
class SharedLeaseTest {
  private static final long MILLI = 1_000_000;

  private static SharedLease lease(List<Attempt> attempts) {
    Hold hold = new Hold(1_000 * MILLI, 5_000 * MILLI);
    return new SharedLease(
        attempts, List.of(hold), Optional.of(Duration.ofSeconds(2)), Set.of("node-1"));
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
    return new PoolWrite(1, "", pool, nanos, nanos, Set.of(), !removed.isEmpty(), removed, states);
  }

  private static List<ArmRequest> put(long at) {
    return new Requests().add(at, "PUT", "lb/a", 200, "").list();
  }

  @Test
  void beside_writeInsideAHold_isSeen() {
    SharedLease lease = lease(List.of());
    List<PoolWrite> none = List.of();

    assertThat(lease.beside(put(999), none, false)).isEmpty();
    assertThat(lease.beside(put(1_000), none, false)).containsExactly("write a after 0 ms");
    assertThat(lease.beside(put(2_999), none, false)).containsExactly("write a after 1999 ms");
    assertThat(lease.beside(put(5_000), none, false)).isEmpty();
  }

  @Test
  void beside_drainThatHasWaited_isNone() {
    SharedLease lease = lease(List.of());
    Map<String, String> down = Map.of("10.0.0.1", "Down");

    assertThat(lease.beside(put(3_000), List.of(write(3_000, Set.of(), down)), false)).isEmpty();
    assertThat(lease.beside(put(3_000), List.of(write(3_000, Set.of("node-1"), Map.of())), false))
        .isEmpty();
    assertThat(lease.beside(put(3_000), List.of(write(3_000, Set.of(), down)), true)).hasSize(1);
    assertThat(lease.beside(put(2_999), List.of(write(2_999, Set.of(), down)), false)).hasSize(1);
  }

  @Test
  void beside_changeThatHasWaitedAsLong_isSeen() {
    PoolWrite change = write(4_000, Set.of("node-2"), Map.of());

    assertThat(lease(List.of()).beside(put(4_000), List.of(change), false))
        .containsExactly("write a after 3000 ms");
    assertThat(lease(List.of()).beside(put(4_000), List.of(change), true)).isEmpty();
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
        .containsExactly("6 in a row");
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
  void silent_sessionWithoutTheAnnotation_isSeen() {
    assertThat(lease(attempts("a", "")).silent()).isEmpty();
    assertThat(lease(List.of(new Attempt(Optional.empty(), true, true))).silent()).hasSize(1);
  }
}
