package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.lock.LeaseView.Whose;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose a Lease is, by the time that it names. */
class LeaseFormatTest {
  private static final InstantSource NOW =
      InstantSource.fixed(Instant.parse("2026-11-21T10:00:00Z"));
  private static final KubeLeases.Terms TERMS =
      new KubeLeases.Terms(
          "kube-system", "lock", "poolkeeper", Duration.ofMinutes(15), Optional.empty());

  private final LeaseFormat format = new LeaseFormat(TERMS, NOW, NOW);

  private Whose whose(Lease lease) {
    return format.view(lease).holder().map(LeaseView.Holder::whose).orElseThrow();
  }

  @Test
  void view_anEarlierTakeOfThisProcess_isOursToo() {
    Lease early = format.taken(format.fresh());
    Lease late = format.taken(format.fresh());

    assertThat(early.getSpec().getAcquireTime()).isBefore(late.getSpec().getAcquireTime());
    assertThat(whose(early)).isEqualTo(Whose.OURS);
    assertThat(whose(late)).isEqualTo(Whose.OURS);
  }

  @Test
  void view_takenByAnotherReplica_isANamesakes() {
    Lease other = new LeaseFormat(TERMS, NOW, NOW).taken(format.fresh());

    assertThat(whose(other)).isEqualTo(Whose.NAMESAKE);
  }

  @Test
  void view_ofACallLongAgo_isNotRemembered() {
    Lease first = format.taken(format.fresh());
    for (int i = 0; i < 16; i++) {
      format.taken(format.fresh());
    }

    assertThat(whose(first)).isEqualTo(Whose.NAMESAKE);
  }

  @Test
  void taken_leaderKnown_namesItsLease_andLeavesOtherAnnotations() {
    KubeLeases.Terms named =
        new KubeLeases.Terms(
            "kube-system", "lock", "us", Duration.ofMinutes(15), Optional.of("pk/leader"));
    Lease base = new LeaseFormat(TERMS, NOW, NOW).taken(format.fresh());
    assertThat(base.getMetadata().getAnnotations()).doesNotContainKey("poolkeeper.io/writer");
    base.getMetadata().getAnnotations().put("somebodys", "own");
    base.getMetadata().getAnnotations().put("poolkeeper.io/writer", "other/leader");

    Lease taken = new LeaseFormat(named, NOW, NOW).taken(base);

    assertThat(taken.getMetadata().getAnnotations())
        .isEqualTo(
            Map.of(
                "aks-managed-resource-locker-previous-holder",
                "us",
                "poolkeeper.io/writer",
                "pk/leader",
                "somebodys",
                "own"));
    assertThat(format.taken(taken).getMetadata().getAnnotations())
        .as("without an election there is no Lease to name")
        .containsEntry("poolkeeper.io/writer", "pk/leader");
    assertThat(format.givenBack(taken).getMetadata().getAnnotations())
        .containsEntry("poolkeeper.io/writer", "pk/leader");
  }
}
