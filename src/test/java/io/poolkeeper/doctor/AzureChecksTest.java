package io.poolkeeper.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.AzureFacts;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.model.Look.Seen;
import io.poolkeeper.status.CauseText;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the leader knows of Services becomes a finding. */
class AzureChecksTest {
  @TempDir private Path directory;

  private Finding services(Known known) {
    AzureFacts facts =
        new AzureFacts(
            new Seen<>(Optional.empty()),
            Map.of(),
            Map.of(),
            new Seen<>(List.of()),
            Optional.empty());
    return new AzureChecks(RoleDefinitionTest.settings(directory, ""), facts, known)
        .findings().stream()
            .filter(of -> of.check().equals("azure: pools of Services"))
            .findFirst()
            .orElseThrow();
  }

  @Test
  void findings_servicesWithoutAPool_failByName_andOnlyTheLeaderKnows() {
    CauseText text = new CauseText("No pool for shop/web", "", "Add lb-9.", "", "", "");
    Optional<List<CauseText>> lacks = Optional.of(List.of(text));

    assertThat(services(new Known(CallsLeft.UNKNOWN, Optional.empty(), lacks)))
        .isEqualTo(Finding.fail("azure: pools of Services", "No pool for shop/web", "Add lb-9."));
    assertThat(services(new Known(CallsLeft.UNKNOWN, Optional.empty())).verdict())
        .isEqualTo(CheckVerdict.NOT_TESTED);
  }
}
