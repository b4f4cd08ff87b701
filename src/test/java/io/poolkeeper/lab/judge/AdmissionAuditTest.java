package io.poolkeeper.lab.judge;

import static io.poolkeeper.lab.judge.Bindings.bound;
import static io.poolkeeper.lab.judge.Bindings.check;
import static io.poolkeeper.lab.judge.Bindings.checks;
import static io.poolkeeper.lab.judge.Bindings.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is wrong in a history of bindings and writes, and what is not. */
class AdmissionAuditTest {
  private static final Bound GATED = bound("a", "gate");
  private static final Bound FREE = bound("b");
  private static final Bound TAKEN = refused("c", "Taken", "b");
  private static final String OURS = "n" + Bindings.MARK;
  private static final String NONE = "{}";
  private static final String DELETED = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";

  private static Bindings gate(long at, String state) {
    return new Bindings()
        .version(0, "a", "", NONE)
        .version(at, "a", "", checks(check("gate", state)));
  }

  private static Bindings there() {
    return new Bindings().version(0, "a", "", NONE).version(0, "b", "", NONE);
  }

  @Test
  void early_whileACheckIsNotReady_isSeen() {
    for (String state : new String[] {"Pending", "Retry", "Rejected"}) {
      assertThat(gate(10, state).added(20, OURS).audit(GATED).early())
          .containsExactly("p at 20: added [n.pk-1], removed []");
    }
    assertThat(gate(10, "Ready").added(20, OURS).audit(GATED).early()).isEmpty();
    assertThat(gate(10, "Ready").added(9, OURS).audit(GATED).early()).hasSize(1);
    assertThat(gate(10, "Retry").down(20, "9").audit(GATED).early()).isEmpty();
  }

  @Test
  void early_onlyTheOwnerHolds() {
    Bindings history = gate(10, "Retry").version(11, "b", "", NONE).added(20, OURS);

    assertThat(history.audit(GATED, FREE).early()).hasSize(1);
    assertThat(history.audit(FREE, GATED).early()).isEmpty();
    assertThat(history.version(12, "c", "", NONE).audit(TAKEN, FREE).early()).isEmpty();
  }

  @Test
  void early_writeThatHadBegunBeforeReadyEnded_isNone() {
    Bindings history = gate(10, "Ready").version(500, "a", "", checks(check("gate", "Retry")));

    assertThat(history.added(599, OURS).audit(GATED).early()).isEmpty();
    assertThat(history.taken(600, OURS).audit(GATED).early()).hasSize(1);
  }

  @Test
  void early_deletedBinding_holdsNothing() {
    assertThat(
            gate(10, "Retry").version(30, "a", DELETED, NONE).taken(40, OURS).audit(GATED).early())
        .isEmpty();
  }

  @Test
  void notOurs_entryWithoutTheMark_isSeen() {
    assertThat(there().added(10, OURS).taken(20, OURS).audit(FREE).notOurs()).isEmpty();
    assertThat(there().taken(20, "vm").audit(FREE).notOurs())
        .containsExactly("p at 20: added [], removed [vm]");
    assertThat(there().added(20, "n.pk-2").audit(FREE).notOurs()).hasSize(1);
  }

  @Test
  void notOurs_writeThatNoBindingMayMake_isSeen() {
    Bindings history = new Bindings().version(0, "c", "", NONE).version(10, "b", "", NONE);

    assertThat(history.added(9, OURS).audit(TAKEN, FREE).notOurs())
        .containsExactly("p at 9: added [n.pk-1], removed [], but no binding may write there");
    assertThat(history.removed(20, "b", NONE).down(21, "9").audit(TAKEN, FREE).notOurs())
        .hasSize(2);
  }

  @Test
  void notOurs_poolOfTheCloudProvider_isNotJudged() {
    Bound managed = refused("c", "ManagedByCloudProvider", "");

    assertThat(there().added(10, "n").audit(managed).notOurs()).isEmpty();
  }

  @Test
  void uncleaned_afterTheTimeAllowed_andWhenTheObjectIsGone_isSeen() {
    Bindings history = there().added(10, OURS).version(20, "b", DELETED, NONE);

    assertThat(history.audit(FREE).uncleaned(Duration.ofMillis(50)))
        .containsExactly("b is deleted, and [n.pk-1] are there");
    history.taken(60, OURS);
    assertThat(history.audit(FREE).uncleaned(Duration.ofMillis(50))).isEmpty();
    assertThat(history.removed(59, "b", NONE).audit(FREE).uncleaned(Duration.ofMillis(50)))
        .containsExactly("b is deleted, and [n.pk-1] are there");
  }

  @Test
  void uncleaned_whatTheNextOwnerHasAdded_isNone() {
    Bindings history =
        there().version(20, "b", DELETED, NONE).removed(30, "b", NONE).added(40, OURS);

    assertThat(history.audit(FREE, GATED).uncleaned(Duration.ofMillis(50))).isEmpty();
    assertThat(history.audit(FREE).uncleaned(Duration.ofMillis(50))).hasSize(1);
  }

  @Test
  void drainedWhileHeld_onlyByAWriteInsideTheHold() {
    assertThat(gate(10, "Retry").down(20, "9").audit(GATED).drainedWhileHeld()).isTrue();
    assertThat(gate(10, "Retry").added(20, OURS).audit(GATED).drainedWhileHeld()).isFalse();
    assertThat(gate(10, "Ready").down(20, "9").audit(GATED).drainedWhileHeld()).isFalse();
  }

  @Test
  void holds_areMeasured() {
    assertThat(gate(40, "Ready").audit(GATED, FREE).longestHoldMillis()).isEqualTo(40);
  }
}
