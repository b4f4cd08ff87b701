package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a write changed, against what was there before it. */
class PoolWriteTest {
  private static final PoolId POOL = new LoadBalancerId("s", "rg", "LB").pool("Web");
  private static final PoolMember A =
      new PoolMember("a", Optional.of("10.0.0.1"), Optional.empty());
  private static final PoolMember B =
      new PoolMember("b", Optional.of("10.0.0.2"), Optional.empty());

  private static PoolMember down(PoolMember member) {
    return new PoolMember(member.name(), member.ip(), Optional.of("Down"));
  }

  private static ArmLogEntry write(long number, PoolMember... members) {
    return new ArmLogEntry(
        number,
        number * 10,
        OptionalLong.of(number * 10 + 1),
        "PUT",
        POOL.path(),
        200,
        "",
        ArmLogEntry.By.MODEL,
        false,
        Optional.of(POOL.loadBalancer()),
        Optional.of(new Handled.PoolWrite(POOL, List.of(members))),
        Optional.empty());
  }

  @Test
  void all_writes_areComparedWithTheOneBefore() {
    List<PoolWrite> writes =
        PoolWrite.all(
            List.of(
                write(1, A, down(B)),
                write(2, A, down(B)),
                write(3, down(A)),
                write(4, A, down(B)),
                write(5, A)),
            Map.of(POOL, List.of(A, B)));

    assertThat(writes)
        .extracting(PoolWrite::members)
        .containsExactly(false, false, true, true, true);
    assertThat(writes)
        .extracting(PoolWrite::removed)
        .containsExactly(Set.of(), Set.of(), Set.of("b"), Set.of(), Set.of("b"));
    assertThat(writes)
        .extracting(PoolWrite::states)
        .containsExactly(
            Map.of("10.0.0.2", "Down"),
            Map.of(),
            Map.of("10.0.0.1", "Down"),
            Map.of("10.0.0.1", "None"),
            Map.of());
    assertThat(writes)
        .extracting(PoolWrite::statesOnly)
        .containsExactly(true, false, false, false, false);
    assertThat(writes)
        .extracting(PoolWrite::needless)
        .containsExactly(false, true, false, false, false);
    assertThat(writes.getFirst().addresses()).isEqualTo(Set.of("10.0.0.1", "10.0.0.2"));
  }

  @Test
  void all_noneAndAbsent_areTheSame() {
    PoolMember none = new PoolMember("a", A.ip(), Optional.of("None"));

    assertThat(PoolWrite.all(List.of(write(1, none)), Map.of(POOL, List.of(A))))
        .allMatch(PoolWrite::needless);
  }
}
