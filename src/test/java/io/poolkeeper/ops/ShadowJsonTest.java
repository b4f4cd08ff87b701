package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.WouldWrite;
import io.poolkeeper.shadow.Proof;
import io.poolkeeper.status.Recent;
import io.poolkeeper.turnstile.TurnstileDriver;
import io.poolkeeper.turnstile.TurnstileFixtures;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What shadow mode shows: one decision met after 15 s, one due, a taint that was not set. */
class ShadowJsonTest {
  private static final Instant T0 = Instant.parse("2026-11-25T10:00:00Z");
  private static final Instant NOW = T0.plusSeconds(75);
  private static final Address ONE = Address.of("10.0.0.1");
  private static final Address TWO = Address.of("10.0.0.2");

  private final PoolStatus open = decided("lb-2", PoolEdit.of(Set.of(ONE), Map.of(TWO, "n2")), ONE);
  private final Proof proof =
      Proof.begin(T0)
          .shown(decided("lb-1", PoolEdit.of(Set.of(ONE), Map.of()), ONE, TWO), T0)
          .shown(decided("lb-1", PoolEdit.NONE, TWO), T0.plusSeconds(15))
          .shown(open, T0.plusSeconds(45))
          .decided(Proof.Kind.NODE);
  private final Snapshot plain =
      Statuses.snapshot(new TurnstileDriver(TurnstileFixtures.SHIPPED), open);
  private final Snapshot snapshot =
      new Snapshot(
          plain.pools(),
          plain.knowledge(),
          plain.turnstile(),
          plain.nodes(),
          plain.bindings(),
          plain.pause(),
          Optional.of(proof),
          Recent.View.NONE,
          CallsLeft.UNKNOWN,
          Optional.empty(),
          Optional.empty(),
          0);

  private static PoolStatus decided(String balancer, PoolEdit edit, Address... inPool) {
    return Statuses.shadowed(balancer, new WouldWrite(edit, false), Set.of(inPool));
  }

  @Test
  void counters_areTheSame_andAreThereInWriteMode() {
    assertThat(series(plain, NOW)).hasSize(9).allMatch(line -> line.endsWith(" 0.0"));

    assertThat(series(snapshot, T0.plusSeconds(645)).filter(line -> !line.endsWith(" 0.0")))
        .containsExactlyInAnyOrder(
            "poolkeeper_would_write_total{kind=\"members\"} 2.0",
            "poolkeeper_would_write_total{kind=\"node\"} 1.0",
            "poolkeeper_shadow_decisions_total{outcome=\"met\"} 1.0",
            "poolkeeper_shadow_decisions_total{outcome=\"not-met\"} 1.0");
  }

  private static Stream<String> series(Snapshot of, Instant now) {
    try (Metrics metrics = new Metrics(AdmissionLimits.SHIPPED, List.of(), () -> Instant.EPOCH)) {
      return metrics
          .scrape(of, now)
          .lines()
          .filter(line -> line.matches("poolkeeper_(would_write|shadow_decisions)_total.*"));
    }
  }
}
