package io.poolkeeper.lab.judge;

import static io.poolkeeper.lab.judge.Bindings.added;
import static io.poolkeeper.lab.judge.Bindings.check;
import static io.poolkeeper.lab.judge.Bindings.checks;
import static io.poolkeeper.lab.judge.Bindings.exclusive;
import static io.poolkeeper.lab.judge.Bindings.shared;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.lab.judge.Bound.Refusal;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is wrong in a history of bindings and writes, and what is not. */
class AdmissionAuditTest {
  private static final Bound GATED = shared("a", "gate");
  private static final Bound FREE = shared("b");
  private static final String NONE = "{}";
  private static final String DELETED = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";

  private static Bindings gate(long at, String state) {
    return new Bindings()
        .version(0, "a", "", NONE)
        .version(at, "a", "", checks(check("gate", state)));
  }

  @Test
  void early_whileACheckIsNotReady_isSeen() {
    for (String state : new String[] {"Pending", "Retry", "Rejected"}) {
      assertThat(gate(10, state).members(20, "9", "1").audit(GATED).early())
          .containsExactly("p at 20: added [1], removed [], held by a");
    }
    assertThat(gate(10, "Ready").members(20, "9", "1").audit(GATED).early()).isEmpty();
    assertThat(gate(10, "Ready").members(9, "9", "1").audit(GATED).early()).hasSize(1);
    assertThat(gate(10, "Retry").down(20, "9", "9").audit(GATED).early()).isEmpty();
  }

  @Test
  void early_whenAnotherBindingOfThePoolHolds_isSeen() {
    assertThat(
            gate(10, "Retry")
                .version(11, "b", "", NONE)
                .members(20, "1")
                .audit(FREE, GATED)
                .early())
        .hasSize(1);
  }

  @Test
  void early_writeThatHadBegunBeforeReadyEnded_isNone() {
    Bindings history = gate(10, "Ready").version(500, "a", "", checks(check("gate", "Retry")));

    assertThat(history.members(599, "9", "1").audit(GATED).early()).isEmpty();
    assertThat(history.members(600, "9", "2").audit(GATED).early()).hasSize(1);
  }

  @Test
  void early_cleaningUp_isNone() {
    Bindings history =
        gate(10, "Retry")
            .version(20, "b", "", added("1"))
            .members(21, "9", "1")
            .version(30, "b", DELETED, added("1"));

    assertThat(history.members(40, "9").audit(FREE, GATED).early()).hasSize(1);
    assertThat(history.members(50, "9", "2").audit(FREE, GATED).early()).hasSize(2);
  }

  @Test
  void notOurs_foreignAddressRemoved_isSeen_unlessTheBindingIsExclusive() {
    Bindings history = new Bindings().version(0, "a", "", NONE).version(0, "b", "", NONE);

    assertThat(history.members(10, "9", "1").audit(FREE).notOurs()).isEmpty();
    assertThat(history.members(20, "1").audit(FREE).notOurs())
        .containsExactly("p at 20: added [], removed [9], but [9] were there before");
    assertThat(history.audit(exclusive("b", Optional.empty())).notOurs()).isEmpty();
  }

  @Test
  void notOurs_writeWhereBindingsContradict_isSeen_untilOneIsDeleted() {
    Bound exclusive = exclusive("a", Optional.of(new Refusal("Contradiction", "b")));
    Bindings history = new Bindings().version(0, "a", "", NONE).version(0, "b", "", NONE);

    assertThat(history.members(10, "9", "1").audit(exclusive, FREE).notOurs())
        .containsExactly("p at 10: added [1], removed [], but no binding may write there");
    assertThat(
            new Bindings()
                .version(0, "a", DELETED, NONE)
                .version(0, "b", "", NONE)
                .members(10, "9", "1")
                .audit(exclusive, FREE)
                .notOurs())
        .isEmpty();
  }

  @Test
  void notOurs_writeOfAPoolThatIsNotAllowed_isSeen() {
    Bound refused = exclusive("a", Optional.of(new Refusal("NotAllowed", "")));

    assertThat(new Bindings().version(0, "a", "", NONE).members(10, "1").audit(refused).notOurs())
        .hasSize(2);
  }

  @Test
  void unrecorded_addressThatIsRecordedLater_isSeen() {
    Bindings history =
        new Bindings().version(0, "b", "", added("1")).members(10, "9", "1").members(20, "9", "2");

    assertThat(history.version(21, "b", "", added("1", "2")).audit(FREE).unrecorded())
        .containsExactly("p at 20: added [2], removed [1], but [2] were not recorded");
  }

  @Test
  void uncleaned_afterTheTimeAllowed_andWhenTheObjectIsGone_isSeen() {
    Bindings history =
        new Bindings()
            .version(0, "b", "", added("1"))
            .members(10, "9", "1")
            .version(20, "b", DELETED, added("1"));

    assertThat(history.audit(FREE).uncleaned(Duration.ofMillis(50)))
        .containsExactly("b is deleted, and [1] are there");
    history.members(60, "9");
    assertThat(history.audit(FREE).uncleaned(Duration.ofMillis(50))).isEmpty();
    assertThat(history.removed(59, "b", added("1")).audit(FREE).uncleaned(Duration.ofMillis(50)))
        .containsExactly("b is gone, and [1] are there");
  }

  @Test
  void uncleaned_addressThatAnotherBindingHasAddedToo_isNone() {
    Bindings history =
        new Bindings()
            .version(0, "a", "", added("1"))
            .version(0, "b", "", added("1"))
            .members(10, "9", "1")
            .version(20, "b", DELETED, added("1"));

    assertThat(history.audit(GATED, FREE).uncleaned(Duration.ofMillis(50))).isEmpty();
  }

  @Test
  void drainedWhileHeld_onlyByAWriteInsideTheHold() {
    Bindings history = gate(10, "Retry").down(20, "9", "9");

    assertThat(history.audit(GATED).drainedWhileHeld(GATED, "9", 15_000_000)).isTrue();
    assertThat(history.audit(GATED).drainedWhileHeld(GATED, "9", 21_000_000)).isFalse();
    assertThat(history.audit(GATED).drainedWhileHeld(GATED, "8", 15_000_000)).isFalse();
    assertThat(gate(10, "Ready").down(20, "9", "9").audit(GATED).drainedWhileHeld(GATED, "9", 0))
        .isFalse();
  }

  @Test
  void holds_areMeasured() {
    assertThat(gate(40, "Ready").audit(GATED, FREE).holds()).containsExactly(40L);
  }
}
