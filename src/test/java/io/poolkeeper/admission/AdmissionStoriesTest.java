package io.poolkeeper.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.Admission.Admitted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The user stories of spec 5. */
class AdmissionStoriesTest {
  /** Story 1: a check whose backoff follows from the count that the controller keeps for it. */
  @Test
  void aCheckBacksOffExponentially_byTheRetryCount() {
    AdmissionRig rig = AdmissionRig.listing("cloud-capacity");
    List<Integer> delays = new ArrayList<>();
    for (int attempt = 0; attempt < 4; attempt++) {
      int delay = 30 << rig.retries("cloud-capacity");
      delays.add(delay);
      rig.retry("cloud-capacity", delay);
      rig.reconcile();
      rig.pass(delay);
      rig.reconcile();
    }
    rig.ready("cloud-capacity");

    assertThat(rig.reconcile()).isEqualTo(new Admitted());
    assertThat(delays).containsExactly(30, 60, 120, 240);
    assertThat(rig.retries("cloud-capacity")).isZero();
  }

  /**
   * Story 2: a checker that sees a control plane under stress for 10 minutes, ever less, asks for
   * delays in proportion, each binding for another one. It answers whoever asks it, when it asks.
   */
  @Test
  void aCheckSpreadsTheReturnOfManyBindings_whileTheControlPlaneIsUnderStress() {
    Herd spread = new Herd(60, 1);
    Herd together = new Herd(60, 0);

    assertThat(spread.mostQuestions).as("in one second, but for the first").isEqualTo(1);
    assertThat(spread.questions).as("each is asked thrice in vain").isEqualTo(60 * 4);
    assertThat(spread.admitted)
        .isEqualTo(IntStream.range(0, 60).mapToObj(i -> 600 + 3 * i).toList());
    assertThat(together.mostQuestions).isEqualTo(60);
    assertThat(together.admitted).containsOnly(600);
  }

  /** Bindings whose check answers by the stress of the moment: at first 100 %, then 50 %. */
  private static final class Herd {
    private static final String CHECK = "control-plane-health";
    private static final int FULL_STRESS = 300;

    final List<Integer> admitted = new ArrayList<>();
    int questions;
    int mostQuestions;

    /**
     * Lives through 20 minutes.
     *
     * @param apart by how many seconds the delays of two bindings differ
     */
    Herd(int size, int apart) {
      List<AdmissionRig> bindings =
          IntStream.range(0, size).mapToObj(i -> new AdmissionRig(List.of(CHECK))).toList();
      for (int second = 0; second < 1_200; second++) {
        int before = questions;
        for (int i = 0; i < size; i++) {
          AdmissionRig rig = bindings.get(i);
          boolean was = rig.state(CHECK) == Check.State.READY;
          rig.reconcile();
          if (rig.state(CHECK) == Check.State.PENDING) {
            answer(rig, second, i * apart);
          }
          if (!was && rig.reconcile().equals(new Admitted())) {
            admitted.add(second);
          }
          rig.pass(1);
        }
        mostQuestions = second == 0 ? 0 : Math.max(mostQuestions, questions - before);
      }
    }

    private void answer(AdmissionRig rig, int second, int later) {
      questions++;
      if (second < 2 * FULL_STRESS) {
        rig.retry(CHECK, FULL_STRESS / (second < FULL_STRESS ? 1 : 2) + later);
      } else {
        rig.ready(CHECK);
      }
    }
  }

  /** Story 3: each check follows a strategy of its own, and keeps a count of its own. */
  @Test
  void checksOfSeveralTeams_retryByTheirOwnRules() {
    Map<String, Integer> busyRounds =
        Map.of("security-scan", 3, "provisioning", 2, "compliance", 1);
    Map<String, Integer> delays =
        Map.of("security-scan", 300, "provisioning", 60, "compliance", 600);
    AdmissionRig rig = AdmissionRig.listing("security-scan", "provisioning", "compliance");
    List<Integer> waits = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      int now = round;
      busyRounds.forEach(
          (name, busy) -> {
            if (now < busy) {
              rig.retry(name, delays.get(name));
            } else {
              rig.ready(name);
            }
          });
      rig.reconcile();
      int waited = 0;
      while (rig.resets == round) {
        rig.pass(1);
        rig.reconcile();
        waited++;
      }
      waits.add(waited);
    }

    assertThat(waits).containsExactly(600, 300, 300);
    assertThat(rig.retries("security-scan")).isEqualTo(3);
    assertThat(rig.retries("provisioning")).as("Ready in the last round").isZero();
    assertThat(rig.retries("compliance")).isZero();
    busyRounds.keySet().forEach(rig::ready);
    assertThat(rig.reconcile()).isEqualTo(new Admitted());
  }
}
