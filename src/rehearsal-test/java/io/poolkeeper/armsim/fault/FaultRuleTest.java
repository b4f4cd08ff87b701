package io.poolkeeper.armsim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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

  private long add(String json) {
    return faults.add(List.of(rule(json))).orElseThrow().getFirst();
  }

  @Test
  void take_appliesAsOftenAsTheRuleSays() {
    add("{'method':'put','path':'/POOLS/p$','times':2,'status':429}");
    assertThat(faults.take("GET", "/pools/p")).isEmpty();
    assertThat(faults.take("PUT", "/pools/q")).isEmpty();
    assertThat(faults.take("PUT", "/pools/p")).isPresent();
    assertThat(faults.take("PUT", "/pools/p")).isPresent();
    assertThat(faults.take("PUT", "/pools/p")).isEmpty();
  }

  @Test
  void take_withoutTimes_appliesUntilRemoved() {
    long id = add("{'delayMillis':5}");
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
          {'stauts':500}             | unknown member 'stauts'; allowed are [answerMillis, body, code,
          {'status':500,'path':'('}  | path '(' is no regular expression
          {'reset':true,'body':'x'}  | body, code and retryAfter need a status
          {'status':500,'times':0}   | times must be a whole number from 1
          {'status':500,'probability':2}  | probability must be a number from 0.0 to 1.0, found 2
          {'status':500,'seed':1}    | seed needs a probability or a delay
          {'status':429,'detail':'x'}  | detail and message need a status and a code
          {'lro':'failed','code':'c','message':'x'} | detail and message need a status and a code
          {'delayMillis':1,'failureCause':'gateway'} | failureCause needs a status
          {'status':429,'failureCause':'me'} | failureCause must be one of gateway, service
          {'lro':'late'}             | lro must be one of failed, canceled, stuck, slow, poll429, poll5xx, found "late"
          {'lro':'failed','polls':2} | polls needs lro poll429 or poll5xx
          {'lro':'slow'}             | lro slow and lroMillis need each other
          {'lro':'stuck','lroMillis':5}   | lro slow and lroMillis need each other
          {'lro':'failed','lost':true}    | lro and lost exclude each other
          {'lro':'failed','status':500}   | status excludes lro and lost
          {'lost':true,'method':'GET'}    | lro and lost are for PUT and DELETE, found method GET
          {'reset':'later'}          | reset must be one of true, false, before, half, found "later"
          {'delayMillis':600001}     | delayMillis must be a whole number from 0 to 600000, found 600001
          {'delay':{}}               | delay: needs a kind
          {'delay':{'kind':'uniform','minMillis':5,'maxMillis':4}} | minMillis is more than maxMillis
          {'delay':{'kind':'exponential'}}         | delay: needs meanMillis
          {'delay':{'kind':'normal'}}              | delay.kind must be one of uniform, lognormal, exponential
          {'delay':{'kind':'uniform','medianMillis':5,'minMillis':1,'maxMillis':1}} | unknown member 'delay.medianMillis'
          {'delay':{'kind':'exponential','meanMillis':1},'delayMillis':2} | exclude each other
          {'status':429,'retryAfter':'date:+x'}    | retryAfter must be a number, a text, or date:+SECONDS
          """)
  void parse_wrong_saysWhatIsAllowed(String json, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule(json))
        .withMessageContaining(message);
  }

  @Test
  void take_withProbability_appliesByItsOwnRepeatableStream() {
    String fair = "{'status':500,'probability':0.3,'seed':42}";
    add(fair);
    List<Boolean> first = chances();
    faults.clear();
    // Another rule in front, with a chance of its own, does not disturb it.
    add("{'status':500,'probability':0.5,'path':'elsewhere'}");
    add(fair);
    assertThat(chances()).isEqualTo(first);
    assertThat(first.stream().filter(applied -> applied).count()).isBetween(250L, 350L);
    faults.clear();
    add("{'status':500,'probability':0.5,'times':3}");
    assertThat(chances().stream().filter(applied -> applied)).hasSize(3);
    assertThat(faults.list()).isEmpty();
  }

  private List<Boolean> chances() {
    return Stream.generate(() -> faults.take("GET", "/a").isPresent()).limit(1_000).toList();
  }

  @Test
  void take_ruleAboutAcceptedWrites_leavesOthersAlone() {
    add("{'lro':'failed','times':1}");
    assertThat(faults.take("GET", "/a")).isEmpty();
    assertThat(faults.take("PATCH", "/a")).isEmpty();
    Faults.Taken taken = faults.take("PUT", "/a").orElseThrow();
    assertThat(faults.take("PUT", "/a")).isEmpty();
    // The write was refused, so the rule waits for the next one.
    faults.giveBack(taken);
    assertThat(faults.take("DELETE", "/a")).map(Faults.Taken::id).contains(taken.id());
  }

  @Test
  void giveBack_ofALiftedRule_doesNotBringItBack() {
    add("{'lost':true,'times':1}");
    Faults.Taken taken = faults.take("PUT", "/a").orElseThrow();
    faults.clear();
    faults.giveBack(taken);
    assertThat(faults.list()).isEmpty();
  }

  @Test
  void list_saysHowOftenEachHasAppliedAndIsLeft() {
    long limited = add("{'status':500,'times':3}");
    long endless = add("{'status':500}");
    faults.take("GET", "/a");
    assertThat(faults.list())
        .extracting(Faults.Status::id, Faults.Status::applied, Faults.Status::left)
        .containsExactly(tuple(limited, 1L, Optional.of(2L)), tuple(endless, 0L, Optional.empty()));
  }

  @Test
  void add_tooMany_addsNone() {
    List<FaultRule> many = Collections.nCopies(600, rule("{'status':500}"));
    assertThat(faults.add(many)).isPresent();
    assertThat(faults.add(many)).isEmpty();
    assertThat(faults.list()).hasSize(600);
  }

  @Test
  void delay_isDrawnAsSaid() {
    add("{'delay':{'kind':'uniform','minMillis':5,'maxMillis':9}}");
    assertThat(delays().getFirst()).isEqualTo(5);
    assertThat(delays().getLast()).isEqualTo(9);
    faults.clear();
    add("{'delay':{'kind':'lognormal','medianMillis':1000,'p99Millis':8000}}");
    List<Long> normal = delays();
    assertThat(normal.get(2_000)).isBetween(900L, 1_100L);
    assertThat(normal.get(3_960)).isBetween(6_500L, 10_000L);
    faults.clear();
    add("{'delay':{'kind':'exponential','meanMillis':500000}}");
    List<Long> exponential = delays();
    assertThat(exponential.get(2_000)).isBetween(310_000L, 390_000L);
    assertThat(exponential.getLast()).isEqualTo(600_000);
  }

  private List<Long> delays() {
    return Stream.generate(() -> faults.take("GET", "/a").orElseThrow().delay().toMillis())
        .limit(4_000)
        .sorted()
        .toList();
  }
}
