package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.Leftover.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** {@code /api/v1/leftovers}: the oldest first, with what is done about each. */
class LeftoverJsonTest {
  private static final Instant T0 = Instant.parse("2026-11-22T10:00:00Z");

  @Test
  void items_ofAllPools_areInTheOrderOfTheirAge() {
    Leftover young =
        new Leftover(
            Kind.NOT_DOWN,
            "e4",
            Optional.of(Address.of("10.0.0.4")),
            Optional.of(new NodeKey("n4")));
    Leftover old = new Leftover(Kind.ADDRESS, "e9", Optional.empty(), Optional.empty());
    SortedMap<Leftover, Instant> all = new TreeMap<>();
    all.put(young, T0.plusSeconds(50));
    all.put(old, T0);

    List<LeftoverJson> items =
        LeftoverJson.of(List.of(Statuses.withLeftovers("lb-1", all)), T0.plusSeconds(60));

    assertThat(items)
        .containsExactly(
            new LeftoverJson(
                "lb-1",
                "p",
                "rg",
                "address",
                "e9",
                null,
                null,
                "2026-11-22T10:00:00Z",
                60,
                "Idle",
                "as its state says"),
            new LeftoverJson(
                "lb-1",
                "p",
                "rg",
                "not-down",
                "e4",
                "10.0.0.4",
                "n4",
                "2026-11-22T10:00:50Z",
                10,
                "Idle",
                "as its state says"));
  }
}
