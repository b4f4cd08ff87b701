package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.model.PoolMember;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A status that says what is so, each thing in it that may be wrong, and times in milliseconds. */
class BindingTruthTest {
  private static final long MILLI = 1_000_000;
  private static final PoolId POOL = new LoadBalancerId("s", "rg", "lb").pool("p");
  private static final PoolMember FOREIGN =
      new PoolMember("vm", Optional.of("9"), Optional.empty());
  private static final List<PoolMember> HELD =
      List.of(FOREIGN, new PoolMember("n.pk-1", Optional.of("1"), Optional.of("Down")));
  private static final Bound BOUND =
      new Bound("n", "a", "a", POOL, List.of("gate"), Optional.empty());
  private static final String DELETED = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";
  private static final String STATUS =
      """
      {"observedGeneration": 1, "queued": 0, "retry": {"count": 0},
       "conditions": [{"type": "Ready", "status": "True", "observedGeneration": 1},
                      {"type": "Admitted", "status": "True", "observedGeneration": 1}],
       "addresses": {"desired": ["1", "9"], "inPool": ["1", "9"], "down": ["1"], "added": ["1"]},
       "admissionChecks": [{"name": "gate", "state": "Ready"}]}
      """;

  private long now;
  private final BindingHistory history = new BindingHistory(() -> now * MILLI);

  private void version(long at, String name, String metadata, String status) {
    now = at;
    changed(name, metadata, status, false);
  }

  private void removed(long at, String name) {
    now = at;
    changed(name, "", STATUS, true);
  }

  private void changed(String name, String metadata, String status, boolean removed) {
    history.changed(
        "/apis/poolkeeper.io/v1alpha1/namespaces/n/backendpoolbindings/" + name,
        """
        {"metadata": {"name": "%s", "generation": 1%s}, "status": %s}
        """
            .formatted(name, metadata, status),
        removed);
  }

  private void gate(long at, String state) {
    version(at, "a", "", STATUS.replace("\"state\": \"Ready\"", "\"state\": \"" + state + "\""));
  }

  private BindingTruth truth(List<PoolMember> pool, Bound... all) {
    return new BindingTruth(
        List.of(all),
        history,
        Map.of(POOL, List.of(FOREIGN)),
        Map.of(POOL, pool),
        ".pk-1",
        bound -> Map.of("1", "n", "9", "m"));
  }

  private List<String> differences(List<PoolMember> pool, Bound... all) {
    return truth(pool, all).differences();
  }

  @Test
  void differences_trueStatus_none() {
    version(0, "a", "", STATUS);

    assertThat(differences(HELD, BOUND)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"observedGeneration\": 1, | {\"observedGeneration\": 0, | a: observedGeneration is 0",
        "\"Ready\", \"status\": \"True\" | \"Ready\", \"status\": \"False\" | a: Ready is False",
        "\"Admitted\", \"status\": \"True\" | \"Admitted\", \"status\": \"False\" | a: Admitted is"
            + " False",
        "\"queued\": 0 | \"queued\": 1 | a: queued is 1",
        "\"count\": 0 | \"count\": 2 | a: retries is 2",
        "\"queued\": 0 | \"requeueAt\": \"later\" | a: requeueAt is later",
        "\"desired\": [\"1\", \"9\"] | \"desired\": [] | a: desired is []",
        "\"inPool\": [\"1\", \"9\"] | \"inPool\": [\"1\"] | a: inPool is [1]",
        "\"down\": [\"1\"] | \"down\": [] | a: down is []",
        "\"added\": [\"1\"] | \"added\": [] | a: added is []",
        "\"state\": \"Ready\" | \"state\": \"Pending\" | a: its checks are"
      })
  void differences_oneLie_isSeen(String truth, String lie, String expected) {
    version(0, "a", "", STATUS.replace(truth, lie));

    assertThat(differences(HELD, BOUND)).singleElement().asString().startsWith(expected);
  }

  @Test
  void differences_wrongPool_isSeen() {
    PoolMember unmarked = new PoolMember("n", Optional.of("1"), Optional.empty());
    version(0, "a", "", STATUS);

    assertThat(differences(List.of(FOREIGN), BOUND))
        .contains("p holds {vm=9}, expected {n.pk-1=1, vm=9}");
    assertThat(differences(List.of(FOREIGN, unmarked), BOUND))
        .contains("p holds {n=1, vm=9}, expected {n.pk-1=1, vm=9}");
    removed(1, "a");
    assertThat(differences(HELD, BOUND))
        .containsExactly("p holds {n.pk-1=1, vm=9}, expected {vm=9}");
  }

  @Test
  void differences_deletedAndStillThere_isSeen() {
    version(0, "a", DELETED, STATUS);

    assertThat(differences(List.of(FOREIGN), BOUND)).contains("a is deleted, and still there");
  }

  @Test
  void differences_refusedBinding_isToSayWhy_andAsksNoCheck() {
    Bound refused =
        new Bound(
            "n", "b", "b", POOL, List.of("never"), Optional.of(new Bound.Refusal("Taken", "a")));
    String says =
        """
        {"conditions": [{"type": "Ready", "status": "False", "reason": "Taken", "message": "%s"}],
         "admissionChecks": [{"name": "never", "state": "%s"}]}
        """;
    version(0, "a", "", STATUS);
    version(0, "b", "", says.formatted("the binding n/a", "Ready"));

    assertThat(differences(HELD, BOUND, refused)).isEmpty();
    version(1, "b", "", says.formatted("c", "Pending"));
    assertThat(differences(HELD, BOUND, refused))
        .hasSize(2)
        .anySatisfy(line -> assertThat(line).startsWith("b: expected Refusal"))
        .contains("b: never is asked");
  }

  @Test
  void lingering_deletedAndNotGoneInTime_isSeen() {
    version(10, "a", "", STATUS);
    version(20, "a", DELETED, STATUS);
    removed(71, "a");

    assertThat(truth(HELD, BOUND).lingering(Duration.ofMillis(51))).isEmpty();
    assertThat(truth(HELD, BOUND).lingering(Duration.ofMillis(50)))
        .containsExactly("a after 51 ms");
  }

  @Test
  void figures_areTheLongestHoldThatHasEnded_andWhatWasAskedAgain() {
    gate(0, "Pending");
    gate(10, "Retry");
    gate(40, "Pending");
    gate(55, "Ready");
    gate(60, "Retry");
    version(80, "a", DELETED, STATUS);

    assertThat(truth(HELD, BOUND).longestHoldMillis()).isEqualTo(55);
    assertThat(truth(HELD, BOUND).resets()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"9, false", "10, true", "39, true", "40, false"})
  void drainedDuringHold_onlyByAWriteInsideTheHold(long at, boolean drained) {
    gate(10, "Retry");
    gate(40, "Ready");

    for (boolean members : new boolean[] {false, true}) {
      PoolWrite write =
          new PoolWrite(
              1,
              "",
              POOL,
              at * MILLI,
              at * MILLI,
              Set.of(),
              members,
              Set.of(),
              Map.of("9", "Down"));
      assertThat(truth(HELD, BOUND).drainedDuringHold(List.of(write)))
          .isEqualTo(drained && !members);
    }
  }
}
