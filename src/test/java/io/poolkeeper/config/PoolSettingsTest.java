package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.config.LoadedSettings.Effective;
import io.poolkeeper.pool.Brake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sections {@code updater}, {@code admin-state}, {@code spot} and {@code brake}. */
class PoolSettingsTest {
  @TempDir private Path temp;
  private ConfigDir dir;

  @BeforeEach
  void setUp() {
    dir = new ConfigDir(temp);
  }

  @Test
  void words_ofAllAllowedForms_areKept() {
    var settings =
        dir.load(
                "poolkeeper.admin-state.extra-taints = [x, \"a.b-c/D_e.f-1\"]",
                "poolkeeper.spot.event-messages = [Evict, \"Node will be evicted\"]")
            .settings();

    assertThat(settings.nodes().extraTaints()).containsExactlyInAnyOrder("x", "a.b-c/D_e.f-1");
    assertThat(settings.nodes().spot().eventMessages())
        .containsExactly("Evict", "Node will be evicted");
  }

  @Test
  void lists_empty_areNone() {
    var settings =
        dir.load("poolkeeper { admin-state.extra-taints = [], spot.event-messages = [] }")
            .settings();

    assertThat(settings.nodes().extraTaints()).isEmpty();
    assertThat(settings.nodes().spot().eventMessages()).isEmpty();
  }

  @Test
  void load_sectionThatReplacesAValue_hasItsDefaults() {
    var pools = dir.load("poolkeeper.brake = 5", "poolkeeper.brake.delay = 15s").settings().pools();

    assertThat(pools.brake()).isEqualTo(new Brake(500, 3, Duration.ofSeconds(15)));
  }

  @ParameterizedTest
  @CsvSource({"null,3", "0,0", "-5,0", "7,7", "100,100"})
  void load_maxRetries_isNormalisedAndShownSo(String hocon, int expected) {
    var loaded = dir.load("poolkeeper.updater.max-retries = " + hocon);

    assertThat(loaded.settings().pools().maxRetries()).isEqualTo(expected);
    assertThat(loaded.effective())
        .filteredOn(effective -> effective.path().equals("poolkeeper.updater.max-retries"))
        .extracting(Effective::value)
        .containsExactly(Integer.toString(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DeletionCandidateOfClusterAutoscaler",
        "node.kubernetes.io/unschedulable",
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
        "kubernetes.azure.com/scalesetpriority"
      })
  void warnings_reported10_extraTaintOfNodesThatStay_saysWhatTheDocumentsSay(String taint)
      throws IOException {
    var taints =
        "poolkeeper.admin-state.extra-taints = [karpenter.sh/disrupted, \"" + taint + "\"]";

    var warnings = dir.load(taints).warnings();

    assertThat(warnings).hasSize(2);
    var begin =
        "poolkeeper.admin-state.extra-taints has "
            + taint
            + ": a node with it gets no new connections, but ";
    assertThat(warnings.getLast()).startsWith(begin);
    assertThat(Files.readAllLines(Path.of("docs/topics/admin-state.md")))
        .anyMatch(
            row ->
                row.contains("`" + taint + "`")
                    && row.endsWith("| " + warnings.getLast().substring(begin.length()) + " |"));
  }
}
