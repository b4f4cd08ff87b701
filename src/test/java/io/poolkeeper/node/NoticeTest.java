package io.poolkeeper.node;

import static io.poolkeeper.node.SpotTest.DATE;
import static io.poolkeeper.node.SpotTest.ID;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoticeTest {
  @Test
  void of_messagesOfAllBuilds_hasTheirIds() {
    assertThat(ids(SpotTest.SCHEDULED)).containsExactly(DATE);
    assertThat(ids(SpotTest.NAMED)).containsExactly(ID, DATE);
    assertThat(
            ids(
                "Preempt Scheduled: "
                    + DATE
                    + ". For more information, see https://x.y. EventId: a"))
        .containsExactly("a", DATE);
    assertThat(ids("Preempt Scheduled: " + DATE)).containsExactly(DATE);
    assertThat(ids("Preempt Scheduled: " + DATE + ".")).containsExactly(DATE);
    assertThat(ids("Preempt Started: . EventId: " + ID)).containsExactly(ID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Preempt Started: .",
        "Preempt Started:",
        "Preempt Scheduled: . DurationInSeconds: -1.  For more information",
        "Preempt Scheduled: soon."
      })
  void of_messageWithoutIdAndDate_hasNone(String message) {
    assertThat(ids(message)).isEmpty();
  }

  @Test
  void handled_textAndBack_isTheSame() {
    Handled handled = Handled.of("").with(List.of(ID, DATE)).with(List.of(DATE, "started"));

    assertThat(handled.text()).isEqualTo(ID + "; " + DATE + "; started");
    assertThat(Handled.of(handled.text())).isEqualTo(handled);
    assertThat(Handled.of(" ; ;").ids()).isEmpty();
  }

  @Test
  void handled_moreThanEight_dropsTheOldest() {
    Handled handled = Handled.of("");
    for (int i = 1; i <= 10; i++) {
      handled = handled.with(List.of("e" + i));
    }

    assertThat(handled.ids())
        .isEqualTo(IntStream.rangeClosed(3, 10).mapToObj(i -> "e" + i).toList());
  }

  private static List<String> ids(String message) {
    return Notice.of(message).orElseThrow().ids();
  }
}
