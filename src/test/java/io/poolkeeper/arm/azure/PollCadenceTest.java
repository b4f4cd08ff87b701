package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PollCadenceTest {

  @Test
  void pause_nothingAsked_startsAtOnceAndSettlesAtASecond() {
    List<Long> millis = new ArrayList<>();
    for (int poll = 0; poll < 12; poll++) {
      millis.add(PollCadence.pause(poll, Optional.empty()).toMillis());
    }

    assertThat(millis)
        .containsExactly(0L, 50L, 250L, 250L, 250L, 250L, 250L, 250L, 250L, 250L, 1000L, 1000L);
  }

  @Test
  void pause_waitAsked_replacesTheNextOne() {
    assertThat(PollCadence.pause(0, Optional.of(Duration.ofSeconds(10))))
        .isEqualTo(Duration.ofSeconds(10));
  }
}
