package io.poolkeeper.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.armsim.model.PoolMember;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A status that says what is so, and each thing in it that may be wrong. */
class BindingTruthTest {
  private static final Bound BOUND = Bindings.bound("a", "gate");
  private static final String STATUS =
      """
      {"observedGeneration": 1, "queued": 0, "retry": {"count": 0},
       "conditions": [{"type": "Ready", "status": "True", "observedGeneration": 1},
                      {"type": "Admitted", "status": "True", "observedGeneration": 1}],
       "addresses": {"desired": ["1", "9"], "inPool": ["1", "9"], "down": ["1"], "added": ["1"]},
       "admissionChecks": [{"name": "gate", "state": "Ready"}]}
      """;

  private static List<String> differences(Bindings bindings, List<PoolMember> pool, Bound... all) {
    return new BindingTruth(
            bindings.audit(all), Map.of(Bindings.POOL, pool), bound -> Map.of("1", "n", "9", "m"))
        .differences();
  }

  private static List<PoolMember> pool() {
    return List.of(
        Bindings.FOREIGN, new PoolMember("n.pk-1", Optional.of("1"), Optional.of("Down")));
  }

  @Test
  void differences_trueStatus_none() {
    assertThat(differences(new Bindings().version(0, "a", "", STATUS), pool(), BOUND)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"observedGeneration\": 1, | {\"observedGeneration\": 0, | a: observedGeneration is 0",
        "\"Ready\", \"status\": \"True\" | \"Ready\", \"status\": \"False\" | a: Ready is False",
        "\"Admitted\", \"status\": \"True\" | \"Admitted\", \"status\": \"False\" | a: Admitted is False",
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
    String status = STATUS.replace(truth, lie);

    assertThat(differences(new Bindings().version(0, "a", "", status), pool(), BOUND))
        .singleElement()
        .asString()
        .startsWith(expected);
  }

  @Test
  void differences_wrongPool_isSeen() {
    Bindings bindings = new Bindings().version(0, "a", "", STATUS);
    PoolMember unmarked = new PoolMember("n", Optional.of("1"));

    assertThat(differences(bindings, List.of(Bindings.FOREIGN), BOUND))
        .contains("p holds {vm=9}, expected {n.pk-1=1, vm=9}");
    assertThat(differences(bindings, List.of(Bindings.FOREIGN, unmarked), BOUND))
        .contains("p holds {n=1, vm=9}, expected {n.pk-1=1, vm=9}");
    assertThat(differences(bindings.removed(1, "a", STATUS), pool(), BOUND))
        .containsExactly("p holds {n.pk-1=1, vm=9}, expected {vm=9}");
  }

  @Test
  void differences_deletedAndStillThere_isSeen() {
    String deleted = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";

    assertThat(
            differences(
                new Bindings().version(0, "a", deleted, STATUS), List.of(Bindings.FOREIGN), BOUND))
        .contains("a is deleted, and still there");
  }

  @Test
  void differences_refusedBinding_isToSayWhy_andAsksNoCheck() {
    Bound refused = Bindings.refused("b", "Taken", "a");
    String says =
        """
        {"conditions": [{"type": "Ready", "status": "False", "reason": "Taken", "message": "%s"}],
         "admissionChecks": [{"name": "never", "state": "%s"}]}
        """;
    Bindings said =
        new Bindings()
            .version(0, "a", "", STATUS)
            .version(0, "b", "", says.formatted("the binding n/a", "Ready"));

    assertThat(differences(said, pool(), BOUND, refused)).isEmpty();
    said.version(1, "b", "", says.formatted("c", "Pending"));
    assertThat(differences(said, pool(), BOUND, refused))
        .hasSize(2)
        .anySatisfy(line -> assertThat(line).startsWith("b: expected Refusal"))
        .contains("b: never is asked");
  }
}
