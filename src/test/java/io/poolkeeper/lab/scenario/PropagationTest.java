package io.poolkeeper.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lab.scenario.Propagation.Put;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Finds changes that were not written in time. */
class PropagationTest {
  private static final Set<String> WANTED = Set.of("10.0.0.1");
  private static final List<Change> CHANGES = List.of(new Change(0, "lb", "web", WANTED));

  private static Put put(long acceptedMillis, Set<String> addresses) {
    return new Put("LB", "WEB", 0, acceptedMillis * 1_000_000, addresses);
  }

  @Test
  void late_writtenAtTheLimit_isInTime() {
    assertThat(Propagation.late(CHANGES, List.of(put(500, WANTED)), Duration.ofMillis(500)))
        .isEmpty();
  }

  @Test
  void late_writtenAfterTheLimit_saysAfterWhatTime() {
    List<Put> puts = List.of(put(100, Set.of("10.0.0.9")), put(501, WANTED));

    assertThat(Propagation.late(CHANGES, puts, Duration.ofMillis(500)))
        .containsExactly("lb/web after 501 ms");
  }

  @Test
  void repairs_untilTheNextWriteOfThePool_announcedOnesApart() {
    List<Damage> damages =
        List.of(
            new Damage(100_000_000, "lb", "web", true),
            new Damage(600_000_000, "lb", "web", false));
    List<Put> puts = List.of(put(99, WANTED), put(350, WANTED), put(1_600, WANTED));

    assertThat(Propagation.repairs(damages, puts, true)).containsExactly(250L);
    assertThat(Propagation.repairs(damages, puts, false)).containsExactly(1_000L);
  }

  @Test
  void late_whileArmIsBusyAtItsLoadBalancer_doesNotCount() {
    List<Put> puts = List.of(put(700, WANTED));
    ArmTime busy = (loadBalancer, from, until) -> loadBalancer.equals("lb") ? 200_000_000 : 0;

    assertThat(Propagation.late(CHANGES, puts, Duration.ofMillis(500), busy)).isEmpty();
    assertThat(Propagation.late(CHANGES, puts, Duration.ofMillis(499), busy))
        .containsExactly("lb/web after 700 ms");
  }

  @Test
  void late_neverWritten_saysSo() {
    assertThat(Propagation.late(CHANGES, List.of(), Duration.ofMillis(500)))
        .containsExactly("lb/web after no time at all");
  }
}
