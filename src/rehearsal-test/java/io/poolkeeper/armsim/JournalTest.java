package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.SimView.Journal;
import io.poolkeeper.armsim.model.Handled.PoolWrite;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class JournalTest {
  private static final LoadBalancerId LB = new LoadBalancerId("s", "rg", "lb");

  private final Journal journal = new Journal();

  private static LongFunction<ArmLogEntry> entry(long nanos, Optional<PoolWrite> write) {
    return number ->
        new ArmLogEntry(
            number,
            nanos,
            OptionalLong.empty(),
            "GET",
            "/",
            200,
            "",
            ArmLogEntry.By.MODEL,
            false,
            Optional.of(LB),
            write,
            Optional.empty());
  }

  @Test
  void append_beyondTheBound_dropsTheOldest() {
    for (int i = 0; i < 200_005; i++) {
      journal.append(entry(i, Optional.empty()));
    }
    assertThat(journal.entries()).hasSize(200_000);
    assertThat(journal.entries().getFirst().arrivedNanos()).isEqualTo(5);
  }

  @Test
  void append_manyPoolEntries_countsThemToo() {
    var member = new PoolMember("n", Optional.of("10.0.0.1"), Optional.empty());
    var write = new PoolWrite(LB.pool("p"), Collections.nCopies(1_000_000, member));
    for (int i = 0; i < 5; i++) {
      journal.append(entry(i, Optional.of(write)));
    }
    assertThat(journal.entries())
        .extracting(ArmLogEntry::arrivedNanos)
        .containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void since_isWhatCameAfterTheNumber() {
    for (int i = 0; i < 5; i++) {
      journal.append(entry(i, Optional.empty()));
    }
    assertThat(journal.since(3)).extracting(ArmLogEntry::number).containsExactly(4L, 5L);
    assertThat(journal.since(5)).isEmpty();
    assertThat(journal.since(0)).hasSize(5);
    // The numbers continue after a reset, for clients that follow the log.
    journal.clear();
    journal.append(entry(9, Optional.empty()));
    assertThat(journal.since(5)).extracting(ArmLogEntry::number).containsExactly(6L);
  }

  @Test
  void writesInFlight_perLoadBalancer_keepsTheMaximum() {
    var writes = new SimView.WritesInFlight();
    writes.enter(LB);
    writes.enter(new LoadBalancerId("s", "rg", "other"));
    assertThat(writes.max()).isEqualTo(1);
    writes.enter(new LoadBalancerId("S", "RG", "LB"));
    writes.leave(LB);
    writes.leave(LB);
    writes.enter(LB);
    assertThat(writes.max()).isEqualTo(2);
  }
}
