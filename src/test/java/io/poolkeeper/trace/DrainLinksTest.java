package io.poolkeeper.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.poolkeeper.model.NodeKey;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrainLinksTest {
  private static final NodeKey NODE = new NodeKey("n");

  private final DrainLinks links = new DrainLinks();

  private static SpanContext attempt(int number) {
    return SpanContext.create(
        "%032x".formatted(1),
        "%016x".formatted(number),
        TraceFlags.getSampled(),
        TraceState.getDefault());
  }

  @Test
  void taken_afterSomePools_isEachOnce() {
    links.confirmed(Set.of(NODE, new NodeKey("m")), attempt(1));
    links.confirmed(Set.of(NODE), attempt(2));

    assertThat(links.taken(NODE)).containsExactly(attempt(1), attempt(2));
    assertThat(links.taken(NODE)).isEmpty();
    assertThat(links.taken(new NodeKey("m"))).containsExactly(attempt(1));
  }

  @Test
  void confirmed_byMorePoolsThanLinks_keepsTheFirst128() {
    for (int i = 1; i <= 200; i++) {
      links.confirmed(Set.of(NODE), attempt(i));
    }

    assertThat(links.taken(NODE)).hasSize(128).startsWith(attempt(1)).endsWith(attempt(128));
  }

  @Test
  void confirmed_ofMoreNodesThanAreKept_forgetsTheOthers() {
    for (int i = 1; i <= 1_001; i++) {
      links.confirmed(Set.of(new NodeKey("n" + i)), attempt(i));
    }

    assertThat(links.taken(new NodeKey("n1000"))).isEmpty();
    assertThat(links.taken(new NodeKey("n1001"))).containsExactly(attempt(1_001));
  }
}
