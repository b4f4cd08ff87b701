package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingsWorld.addresses;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingReport.Condition;
import io.poolkeeper.admission.BindingReport.Truth;
import io.poolkeeper.model.Address;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What of a record is there while a write that takes a part of it away may have come through. */
class ProgressTest {
  private static final Instant NOW = Instant.EPOCH;
  private static final Set<Address> RECORDED = addresses("10.0.0.4", "10.0.0.5");
  private static final Condition NONE = new Condition(Truth.FALSE, "None", "");

  private static Progress begun(Progress before, String... added) {
    return before.begin(
        "7",
        Optional.of(
            new BindingReport(
                NONE,
                NONE,
                NONE,
                Optional.empty(),
                Optional.empty(),
                addresses(added),
                Optional.empty(),
                List.of())));
  }

  @Test
  void certain_writeInFlight_isWhatItKeeps() {
    Progress shrinks = begun(Progress.NONE, "10.0.0.5");

    assertThat(shrinks.certain("7", RECORDED)).isEqualTo(addresses("10.0.0.5"));
    assertThat(shrinks.certain("8", RECORDED)).as("it has come through").isEqualTo(RECORDED);
  }

  @Test
  void certain_writeWithoutAnAnswer_isWhatItKeeps_thoughANextOneIsRefused() {
    Progress failed = begun(Progress.NONE, "10.0.0.5").failed(NOW, Duration.ZERO);

    Progress refused = begun(failed, "10.0.0.4", "10.0.0.5").conflict();

    assertThat(failed.certain("7", RECORDED)).isEqualTo(addresses("10.0.0.5"));
    assertThat(refused.certain("7", RECORDED)).isEqualTo(addresses("10.0.0.5"));
  }

  @Test
  void certain_nextWriteIsDone_isAllOfIt() {
    Progress failed = begun(Progress.NONE, "10.0.0.5").failed(NOW, Duration.ZERO);

    Progress done = begun(failed, "10.0.0.4", "10.0.0.5").done(NOW);

    assertThat(done.certain("7", RECORDED)).isEqualTo(RECORDED);
  }
}
