package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of words in the sections {@code admin-state} and {@code spot}. */
class AdminStateSettingsTest {
  @TempDir private Path temp;

  @Test
  void words_ofAllAllowedForms_areKept() {
    var settings =
        new ConfigDir(temp)
            .load(
                "poolkeeper.admin-state.extra-taints = [x, \"a.b-c/D_e.f-1\"]",
                "poolkeeper.spot.event-messages = [Evict, \"Node will be evicted\"]")
            .settings();

    assertThat(settings.nodes().extraTaints()).containsExactly("x", "a.b-c/D_e.f-1");
    assertThat(settings.nodes().eventMessages()).containsExactly("Evict", "Node will be evicted");
  }

  @Test
  void lists_empty_areNone() {
    var settings =
        new ConfigDir(temp)
            .load("poolkeeper { admin-state.extra-taints = [], spot.event-messages = [] }")
            .settings();

    assertThat(settings.nodes().extraTaints()).isEmpty();
    assertThat(settings.nodes().eventMessages()).isEmpty();
  }
}
