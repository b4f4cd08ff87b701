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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "IMDS query failed, exit code: 28\nConnection timed out after 24 seconds.",
        "IMDS query failed: 429 Too Many Requests",
        "Too many requests",
        "429",
        "VM has no scheduled event",
        "No Preempt Scheduled: none",
        "SpotRebalanceRecommendation Advisory: Preempt Scheduled: " + DATE,
        "Preempt Canceled: " + DATE,
        "Freeze Scheduled: " + DATE + ".",
        "Reboot Started: .",
        "Redeploy Scheduled: " + DATE + ".",
        "Terminate Started: ."
      })
  void ofEvent_aKnownFalseAlarm_isNoneWhateverIsConfigured(String message) {
    assertThat(Notice.ofEvent(message, List.of(Notice.ANY))).isEmpty();
    assertThat(Notice.ofEvent(message, List.of(message + "x", message))).isEmpty();
  }

  @Test
  void ofEvent_otherWords_areNoneUnlessConfigured() {
    String message = "Spot eviction at " + DATE + ". EventId: " + ID;

    assertThat(Notice.ofEvent(message, NodeDriver.AKS)).isEmpty();
    assertThat(Notice.ofEvent(message, List.of("Evict", "spot"))).isEmpty();
    assertThat(Notice.ofEvent(message, List.of())).isEmpty();
    assertThat(Notice.ofEvent(message, List.of("Evict", "Spot eviction")))
        .contains(new Notice(List.of(ID)));
    assertThat(Notice.ofEvent(message, List.of(Notice.ANY))).contains(new Notice(List.of(ID)));
    assertThat(Notice.ofCondition(message)).isEmpty();
  }

  /** Their times may be those of the message: each repetition would be another preemption. */
  @Test
  void ofEvent_otherWordsWithATime_hasNoId() {
    assertThat(Notice.ofEvent("Evicted at " + DATE + ".", List.of(Notice.ANY)))
        .contains(new Notice(List.of()));
  }

  @Test
  void ofEvent_theDetectorsWords_areNoneIfNotConfigured() {
    assertThat(Notice.ofEvent(SpotTest.NAMED, List.of("Evict"))).isEmpty();
    assertThat(Notice.ofCondition(SpotTest.NAMED)).isPresent();
  }

  @Test
  void handled_textAndBack_isTheSame() {
    HandledPreemptions handled =
        HandledPreemptions.of("").with(List.of(ID, DATE)).with(List.of(DATE, "started"));

    assertThat(handled.text()).isEqualTo(ID + "; " + DATE + "; started");
    assertThat(HandledPreemptions.of(handled.text())).isEqualTo(handled);
    assertThat(HandledPreemptions.of(" ; ;").ids()).isEmpty();
  }

  @Test
  void handled_moreThanEight_dropsTheOldest() {
    HandledPreemptions handled = HandledPreemptions.of("");
    for (int i = 1; i <= 10; i++) {
      handled = handled.with(List.of("e" + i));
    }

    assertThat(handled.ids())
        .isEqualTo(IntStream.rangeClosed(3, 10).mapToObj(i -> "e" + i).toList());
  }

  private static List<String> ids(String message) {
    List<String> ids = Notice.ofEvent(message, NodeDriver.AKS).orElseThrow().ids();
    assertThat(Notice.ofCondition(message).orElseThrow().ids()).isEqualTo(ids);
    return ids;
  }
}
