package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.status.Cause;
import io.poolkeeper.status.CauseLine;
import io.poolkeeper.status.Exactness;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CauseJsonTest {
  private static final List<String> PROBLEMS = List.of("watch of nodes is lost: Forbidden", "more");

  @Test
  void of_watchThatIsLost_showsTheErrorOfTheApiServer_andOtherCausesThatOfAzure() {
    assertThat(evidence(new Cause.WatchLost(Set.of(CacheKind.NODES))))
        .isEqualTo("watch of nodes is lost: Forbidden");
    assertThat(evidence(new Cause.AzureUnreachable())).contains("no route");
  }

  private static String evidence(Cause cause) {
    Optional<ArmFailure> last =
        Optional.of(new ArmFailure(ArmFailure.Kind.TRANSPORT, 0, "", "no route"));
    Optional<Instant> none = Optional.empty();
    CauseLine line = new CauseLine(cause, 0, none, none, Exactness.EXACT, Optional.empty(), last);
    return CauseJson.of(line, PROBLEMS, PoolDetailJsonTest.SELF).evidence();
  }
}
