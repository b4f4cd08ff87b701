package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingReport;
import io.poolkeeper.admission.BindingReport.Condition;
import io.poolkeeper.model.Address;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the trace prints of a binding. */
class SimBindingTest {
  private static final Condition READY = new Condition(BindingReport.Truth.TRUE, "InSync", "");

  /** Sets of this order: that of {@link Set#of} is the same as long as a JVM lives. */
  private static String printed(String... addresses) {
    Set<Address> all = new LinkedHashSet<>(Stream.of(addresses).map(Address::of).toList());
    BindingReport.Shown shown =
        new BindingReport.Shown(all, all, all, all, 0, 0, Optional.empty(), Optional.empty());
    BindingReport report =
        new BindingReport(
            READY, READY, READY, Optional.empty(), Optional.of(shown), Optional.empty(), List.of());
    return new SimBinding.Status(List.of(), 1, Optional.of(report)).toString();
  }

  @Test
  void status_withSetsOfAnotherOrder_isPrintedTheSame() {
    String sorted = printed("10.0.0.1", "10.0.0.2");

    assertThat(printed("10.0.0.2", "10.0.0.1")).isEqualTo(sorted);
    assertThat(sorted)
        .startsWith("Status[checks=[], observed=1, report=Optional[BindingReport[ready=")
        .contains("desired=[10.0.0.1, 10.0.0.2], inPool=[10.0.0.1, 10.0.0.2], down=[10.0.0.1,");
  }
}
