package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.AzureFacts;
import io.poolkeeper.arm.AzureFacts.Denial;
import io.poolkeeper.model.Look;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AzureInspectionTest {
  private static final String PAGE =
      "{\"value\":[{\"properties\":{\"denyAssignmentName\":\"%s\"}}]%s}";

  private final ScriptedArm server = new ScriptedArm();
  private final AzureArm arm = server.arm(ArmObserver.NONE);

  @AfterEach
  void stop() {
    arm.close();
    server.close();
  }

  @Test
  void look_denyAssignmentsOfSeveralPages_areAllRead() {
    server
        .answersAt(
            "denyAssignments?api-version",
            PAGE.formatted("one", ",\"nextLink\":\"{base}/denyAssignments?page=2\""))
        .answersAt("denyAssignments?page=2", PAGE.formatted("two", ""));

    assertThat(denials()).extracting(Denial::name).containsExactly("one", "two");
  }

  private List<Denial> denials() {
    AzureFacts facts = arm.look(List.of("rg-1"), List.of()).toCompletableFuture().join();
    assertThat(facts.denials()).isInstanceOf(Look.Seen.class);
    return ((Look.Seen<List<Denial>>) facts.denials()).value();
  }
}
