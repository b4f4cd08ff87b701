package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.MicroTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SupportFactsTest {
  /** As the scheduler writes them: why a pod does not start. */
  @Test
  void newest_eventOfANewClientAmongMany_isKept() {
    Event scheduler =
        new EventBuilder()
            .withReason("FailedScheduling")
            .withEventTime(new MicroTime("2026-11-28T10:00:00.123456Z"))
            .build();
    Stream<Event> older =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new EventBuilder().withLastTimestamp("2026-11-28T09:00:00Z").build());
    List<Event> all = Stream.concat(older, Stream.of(scheduler)).toList();

    assertThat(SupportFacts.newest(all)).contains("FailedScheduling");
  }

  @Test
  void tail_ofALongLog_isItsEnd_andSaysSo() throws IOException {
    assertThat(SupportFacts.lastBytes(bytes("0123"), 4)).isEqualTo("0123");
    assertThat(SupportFacts.lastBytes(bytes("0123456789"), 4))
        .isEqualTo("(cut: the last 4 bytes)\n6789");
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }
}
