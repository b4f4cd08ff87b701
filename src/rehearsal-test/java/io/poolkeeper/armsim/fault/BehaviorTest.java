package io.poolkeeper.armsim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.poolkeeper.armsim.fault.Behavior.RetryAfterForm;
import io.poolkeeper.armsim.model.Terms.Contention;
import io.poolkeeper.armsim.model.Terms.ParentAddresses;
import io.poolkeeper.armsim.model.Terms.UpdatingShown;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.throttle.ThrottleSettings;
import io.poolkeeper.armsim.throttle.ThrottleSettings.Rate;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BehaviorTest {
  private static JsonNode json(String text) {
    try {
      return new JsonMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  @Test
  void changed_partial_changesOnlyWhatItNames() {
    Behavior after =
        Behavior.FAST.changed(
            json(
                "{'contention':'Conflict','parentAddresses':'replaced','updatingShown':'written','throttle':{'arm':true,'armWrites':{'burst':5}}}"));
    ThrottleSettings off = ThrottleSettings.OFF;
    assertThat(after)
        .isEqualTo(
            new Behavior(
                Contention.CONFLICT,
                Behavior.FAST.contentionRetrySeconds(),
                Behavior.FAST.retryAfter(),
                ParentAddresses.REPLACED,
                UpdatingShown.WRITTEN,
                Set.of(),
                new ThrottleSettings(
                    true,
                    false,
                    off.armReads(),
                    new Rate(5, 10),
                    off.armDeletes(),
                    off.globalFactor(),
                    off.networkWrites(),
                    off.networkReads(),
                    off.networkWindowSeconds(),
                    off.networkCountsRefused())));
  }

  @Test
  void json_readBack_isTheSame() {
    assertThat(Behavior.FAST.changed(Behavior.AZURE.json())).isEqualTo(Behavior.AZURE);
    assertThat(Behavior.AZURE.changed(json("{}"))).isEqualTo(Behavior.AZURE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          7                                         | a behavior is a JSON object, found NUMBER
          {'contention':'wait'}                     | contention must be one of supersede, retryable, conflict, queue, found "wait"
          {'retryAfter':5}                          | retryAfter must be one of seconds, date, absent, zero, found 5
          {'parentAddresses':true}                  | parentAddresses must be one of ignored, replaced, found true
          {'updatingShown':'pool'}                  | updatingShown must be one of siblings, written, found "pool"
          {'deviations':'down-lost'}                | deviations must be a list of words, found "down-lost"
          {'deviations':['down-lots']}              | deviations must be a list of if-match-ignored, none-omitted, down-lost, etag-once, read-only-refused, unknown-dropped, duplicate-address-accepted, duplicate-name-accepted, outside-refused, used-pool-deleted, case-echoed, quota-headers-absent, poll-by-location, found "down-lots"
          {'throttles':{}}                          | unknown member 'throttles'; allowed are [contention, contentionRetrySeconds, deviations, parentAddresses, retryAfter, throttle, updatingShown]
          {'throttle':[]}                           | throttle must be an object, found ARRAY
          {'throttle':{'arm':'yes'}}                | throttle.arm must be true or false, found "yes"
          {'throttle':{'networkWrites':0}}          | throttle.networkWrites must be a whole number from 1 to 1000000, found 0
          {'throttle':{'armReads':{'brust':1}}}     | unknown member 'throttle.armReads.brust'; allowed are [burst, perSecond]
          {'throttle':{'armReads':{'burst':1.5}}}   | throttle.armReads.burst must be a whole number from 1 to 1000000, found 1.5
          """)
  void changed_wrong_saysWhereWhatAndWhatIsAllowed(String changes, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Behavior.FAST.changed(json(changes)))
        .withMessageContaining(message);
  }

  @Test
  void changed_severalFaults_saysAllOfThem() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Behavior.FAST.changed(json("{'a':1,'contention':true,'throttle':{'b':2}}")))
        .withMessageContainingAll("'a'", "'throttle.b'", "found true");
  }

  @ParameterizedTest
  @CsvSource({"SECONDS,20", "DATE,'Thu, 01 Jan 1970 00:00:21 GMT'", "ZERO,0", "ABSENT,"})
  void retryAfter_ofA429_hasTheChosenForm(RetryAfterForm form, String expected) {
    ArmAnswer answer = ArmAnswer.gateway(429, "X", "x").with("Retry-After", "20");
    assertThat(form.applied(answer, Instant.ofEpochMilli(1)).headers().get("Retry-After"))
        .isEqualTo(expected);
  }

  @Test
  void retryAfter_ofOtherAnswers_staysAsItIs() {
    ArmAnswer accepted = ArmAnswer.empty(202).with("Retry-After", "10");
    assertThat(RetryAfterForm.ABSENT.applied(accepted, Instant.EPOCH)).isEqualTo(accepted);
    ArmAnswer without = ArmAnswer.gateway(429, "X", "x");
    assertThat(RetryAfterForm.ZERO.applied(without, Instant.EPOCH)).isEqualTo(without);
  }
}
