package io.poolkeeper.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MissingRightTest {
  private static final String LB = Pools.EDGE.path();
  private static final String NET = "/subscriptions/s/resourceGroups/net/providers/x/v";

  private static Optional<MissingRight> of(int status, String message) {
    return MissingRight.of(
        new ArmFailure(Kind.RESPONSE, status, "Code", message), MissingRight.WRITE, LB);
  }

  @Test
  void of_azuresText_isWhatItSays() {
    assertThat(
            of(
                403,
                "The client 'c' with object id 'o' does not have authorization to perform action"
                    + " 'Microsoft.Network/loadBalancers/read' over scope '"
                    + LB
                    + "' or the scope is invalid."))
        .contains(new MissingRight(MissingRight.LIST, LB, "c", "o"));
  }

  @Test
  void of_aLinkedRight_isTheOneThatIsMissing() {
    assertThat(
            of(
                403,
                "The client 'c' with object id 'o' has permission to perform action '"
                    + MissingRight.WRITE
                    + "' on scope '"
                    + LB
                    + "'; however, it does not have permission to perform action(s)"
                    + " 'net/join/action' on the linked scope(s) '"
                    + NET
                    + "' (respectively) or the linked scope(s) are invalid."))
        .contains(new MissingRight("net/join/action", NET, "c", "o"));
  }

  @Test
  void of_aTextThatIsCutOff_isWhatWasAsked() {
    assertThat(of(403, "The client 'c' with object id 'o' does not have au..."))
        .contains(new MissingRight(MissingRight.WRITE, LB, "c", "o"));
    assertThat(of(403, "denied")).contains(new MissingRight(MissingRight.WRITE, LB, "", ""));
  }

  @Test
  void of_anotherStatus_isNone() {
    assertThat(of(409, "client 'c' with object id 'o'")).isEmpty();
  }
}
