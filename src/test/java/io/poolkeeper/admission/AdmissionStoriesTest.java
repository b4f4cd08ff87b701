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

  /** Story 2: under stress the delays are longer, and each binding has another one. */
  @Test
  void aCheckSpreadsTheReturnOfManyBindings_whileTheControlPlaneIsUnderStress() {
    List<AdmissionRig> bindings =
        IntStream.range(0, 60)
            .mapToObj(i -> new AdmissionRig(List.of("control-plane-health"), new String[0]))
            .toList();
    for (int i = 0; i < bindings.size(); i++) {
      bindings.get(i).retry("control-plane-health", 300 + i);
      bindings.get(i).reconcile();
    }

    List<Integer> perSecond = new ArrayList<>();
    for (int second = 1; second <= 360; second++) {
      int before = bindings.stream().mapToInt(rig -> rig.resets).sum();
      bindings.forEach(
          rig -> {
            rig.pass(1);
            rig.reconcile();
          });
      perSecond.add(bindings.stream().mapToInt(rig -> rig.resets).sum() - before);
    }

    assertThat(perSecond.subList(0, 299)).containsOnly(0);
    assertThat(perSecond.subList(299, 359)).as("one binding a second").containsOnly(1);
    assertThat(perSecond.subList(359, 360)).containsOnly(0);
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
