package io.poolkeeper.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose throttle it is, and which failures of a listing pass. */
class ThrottledCauseTest {
  /** A call that a closed gate held says nothing of whose gate it was. */
  @ParameterizedTest
  @ValueSource(strings = {"", "New", "RetryableError"})
  void of_a429ThatIsNoQuota_isTheLoadBalancersUnlessAllWait(String code) {
    ArmFailure failure = ArmFailure.throttled(code, "slow down", Instant.EPOCH);
    Surroundings gated =
        new Surroundings(
            Pools.T0,
            Optional.of(Pools.T0.plusSeconds(20)),
            Map.of(),
            Optional.empty(),
            Set.of(),
            Recent.View.NONE);

    for (State state : List.of(State.FAILED, State.GATHERING)) {
      PoolStatus pool = Pools.failing("web", state, failure);

      assertThat(Diagnosis.of(pool, Pools.CALM))
          .contains(new Cause.Throttled(Optional.of(Pools.EDGE)));
      assertThat(Diagnosis.of(pool, gated)).contains(new Cause.Throttled(Optional.empty()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "429, TooManyRequests, WAIT",
    "429, New, WAIT",
    "503, '', WAIT",
    "200, '', NEED",
    "404, ResourceGroupNotFound, NEED",
    "400, Bad, NEED"
  })
  void ofProcess_aListingThatFails_waitsWhereThatPasses(int status, String code, Tone tone) {
    ArmFailure failure =
        status == 429
            ? ArmFailure.throttled(code, "slow down", Instant.EPOCH)
            : new ArmFailure(Kind.RESPONSE, status, code, "no");
    Knowledge known =
        new Knowledge(
            Set.of(CacheKind.values()), Set.of(), true, true, Map.of(), Optional.of(failure));

    Cause cause =
        Diagnosis.ofProcess(known, Set.of(), false, Optional.of("pk-2"), Instant.EPOCH).getFirst();

    assertThat(cause).isEqualTo(new Cause.ListingFailing(List.of(), status, code));
    assertThat(cause.tone()).isEqualTo(tone);
  }
}
