package io.poolkeeper.lab.armsim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultRuleTest {
  private final Faults faults = new Faults();

  private static FaultRule rule(String json) {
    try {
      return FaultRule.parse(new JsonMapper().readTree(json.replace('\'', '"')));
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  @Test
  void take_appliesAsOftenAsTheRuleSays() {
    faults.add(rule("{'method':'put','path':'/POOLS/p$','times':2,'status':429}"));
    assertThat(faults.take("GET", "/pools/p")).isEmpty();
    assertThat(faults.take("PUT", "/pools/q")).isEmpty();
    assertThat(faults.take("PUT", "/pools/p")).isPresent();
    assertThat(faults.take("PUT", "/pools/p")).isPresent();
    assertThat(faults.take("PUT", "/pools/p")).isEmpty();
  }

  @Test
  void take_withoutTimes_appliesUntilRemoved() {
    long id = faults.add(rule("{'delayMillis':5}")).orElseThrow();
    assertThat(faults.take("GET", "/a")).isPresent();
    assertThat(faults.take("PUT", "/b")).isPresent();
    assertThat(faults.remove(id)).isTrue();
    assertThat(faults.take("GET", "/a")).isEmpty();
    assertThat(faults.remove(id)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []                         | a fault rule is a JSON object
          {}                         | needs one of status, delayMillis, reset
          {'status':99}              | status must be a whole number from 200 to 599, found 99
          {'status':'x'}             | status must be a whole number
          {'stauts':500}             | unknown member 'stauts'; allowed are [body, code,
          {'status':500,'path':'('}  | path '(' is no regular expression
          {'reset':true,'body':'x'}  | body, code and retryAfter need a status
          {'status':500,'times':0}   | times must be a whole number from 1
          """)
  void parse_wrong_saysWhatIsAllowed(String json, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule(json))
        .withMessageContaining(message);
  }
}
