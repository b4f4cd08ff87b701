package io.poolkeeper.armsim.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The set of active rules. */
class FaultsTest {
  private static final int RULES = 7;

  /** For each position in the tree of rules, which is rebalanced differently. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  void take_ofARuleThatIsSpentByIt_namesThatRule(int which) {
    Faults faults = new Faults();
    List<FaultRule> rules = IntStream.range(0, RULES).mapToObj(FaultsTest::rule).toList();
    List<Long> ids = faults.add(rules).orElseThrow();

    Faults.Taken taken = faults.take("PUT", "/pool-" + which).orElseThrow();

    assertThat(taken.id()).isEqualTo(ids.get(which));
    assertThat(taken.rule()).isEqualTo(rules.get(which));
    assertThat(faults.list()).hasSize(RULES - 1).noneMatch(status -> status.id() == taken.id());
  }

  private static FaultRule rule(int number) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return FaultRule.parse(json.put("path", "/pool-" + number).put("status", 409).put("times", 1));
  }
}
