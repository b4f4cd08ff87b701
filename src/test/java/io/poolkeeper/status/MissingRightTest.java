package io.poolkeeper.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.AzureAction;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import org.junit.jupiter.api.Test;

class MissingRightTest {
  private static final String LB = Pools.EDGE.path();
  private static final String NET = "/subscriptions/s/resourceGroups/net/providers/x/v";

  private static MissingRight of(String message) {
    return of("AuthorizationFailed", message);
  }

  private static MissingRight of(String code, String message) {
    return MissingRight.of(
        new ArmFailure(Kind.RESPONSE, 403, code, message), MissingRight.WRITE, LB);
  }

  private static MissingRight linked(String rest) {
    return of(
        "linkedAuthorizationFailed",
        "The client 'c' with object id 'o' has permission to perform action '"
            + MissingRight.WRITE
            + "' on scope '"
            + LB
            + "'; however, it does not have permission to perform action(s) "
            + rest);
  }

  @Test
  void of_azuresText_isWhatItSays() {
    assertThat(
            of(
                "The client 'c' with object id 'o' does not have authorization to perform action"
                    + " 'Microsoft.Network/loadBalancers/read' over scope '"
                    + LB
                    + "' or the scope is invalid."))
        .isEqualTo(new MissingRight(MissingRight.LIST, LB, "c", "o"));
  }

  @Test
  void of_aLinkedRight_isTheOneThatIsMissing() {
    assertThat(
            linked(
                "'net/join/action' on the linked scope(s) '"
                    + NET
                    + "' (respectively) or the linked scope(s) are invalid."))
        .isEqualTo(new MissingRight("net/join/action", NET, "c", "o"));
  }

  @Test
  void of_severalLinkedRights_isTheFirst() {
    assertThat(linked("'join/action,x/action' on the linked scope(s) '" + NET + "," + LB + "'."))
        .isEqualTo(new MissingRight("join/action", NET, "c", "o"));
  }

  @Test
  void of_aLinkedRightThatIsCutOff_isNotTheOneOfTheWrite() {
    assertThat(linked("'net/join/action' on the linked scope(s) '/subscriptions/s/reso..."))
        .isEqualTo(new MissingRight(AzureAction.JOIN.text(), "", "c", "o"));
  }

  @Test
  void of_aTextThatIsCutOff_isWhatWasAsked() {
    assertThat(of("The client 'c' with object id 'o' does not have au..."))
        .isEqualTo(new MissingRight(MissingRight.WRITE, LB, "c", "o"));
    assertThat(of("denied")).isEqualTo(new MissingRight(MissingRight.WRITE, LB, "", ""));
  }
}
