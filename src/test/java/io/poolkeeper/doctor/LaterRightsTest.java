package io.poolkeeper.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.Grant;
import io.poolkeeper.model.Look.Failed;
import io.poolkeeper.model.Look.Seen;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor says in shadow mode of the rights that mode = write needs. */
class LaterRightsTest extends ExaminationFixture {
  /** As a reader's role has it: the shadow works, and mode = write would not. */
  @Test
  void right_toWrite_isMissingInShadowMode_warnsWithTheCommandThatGrantsIt() {
    hocon = "poolkeeper.mode = shadow";
    otherwise = new Seen<>(List.of(new Grant(List.of("*/read"), List.of())));

    assertThat(finding(WRITE).verdict()).isEqualTo(CheckVerdict.WARN);
    assertThat(finding(WRITE).detail()).isEqualTo("no right on lb; mode = write needs it");
    assertThat(finding(WRITE).fix()).contains("az role assignment create", "oid");
    assertThat(finding("azure: join network").verdict()).isEqualTo(CheckVerdict.WARN);
    assertThat(finding("azure: read pools").verdict()).isEqualTo(CheckVerdict.OK);
    assertThat(examine().findings()).extracting(Finding::verdict).doesNotContain(CheckVerdict.FAIL);
  }

  @Test
  void right_toWrite_isThereInShadowMode_isOk() {
    hocon = "poolkeeper.mode = shadow";

    assertThat(finding(WRITE).verdict()).isEqualTo(CheckVerdict.OK);
    assertThat(finding("azure: follow writes").verdict()).isEqualTo(CheckVerdict.OK);
    assertThat(finding("kube: nodes").detail()).isEqualTo("list, watch, get, patch");
  }

  /** The chart's shadow has no ClusterRole poolkeeper-writer. */
  @Test
  void rightInTheCluster_comesWithWriteMode_isOkInShadowMode_andSaysSo() {
    hocon = "poolkeeper.mode = shadow";
    for (String verb : List.of("get", "patch")) {
      rights.put(new KubeRight(verb, "", "nodes", "", ""), new Seen<>(false));
    }
    rights.put(
        new KubeRight("control", "poolkeeper.io", "admissionchecks", "", ""), new Seen<>(false));

    assertThat(finding("kube: nodes"))
        .isEqualTo(Finding.ok("kube: nodes", "list, watch; with mode = write comes: get, patch"));
    assertThat(finding("kube: admissionchecks"))
        .isEqualTo(Finding.ok("kube: admissionchecks", "with mode = write comes: control"));
    rights.put(new KubeRight("watch", "", "nodes", "", ""), new Seen<>(false));
    assertThat(finding("kube: nodes").verdict()).isEqualTo(CheckVerdict.FAIL);
  }

  /** Chart and overlays give the Leases in both modes. */
  @ParameterizedTest
  @CsvSource({
    "kube-system, aks-managed-resource-locker, shadow, warn",
    "kube-system, aks-managed-resource-locker, write, fail",
    "ours, poolkeeper-leader, shadow, warn",
    "ours, poolkeeper-leader, write, fail",
    "ours, poolkeeper-leader-shadow, shadow, fail",
    "ours, poolkeeper-leader-shadow, write, ok",
  })
  void rightToALease_isMissing_failsInTheModeThatNeedsIt(
      String namespace, String name, String mode, String verdict) {
    hocon = "poolkeeper.mode = " + mode;
    rights.put(
        new KubeRight("update", "coordination.k8s.io", "leases", namespace, name),
        new Seen<>(false));

    assertThat(finding("kube: leases in " + namespace).verdict()).hasToString(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    "ours/poolkeeper-leader, shadow, ok, free",
    "other/poolkeeper-leader, shadow, warn, With mode = write this one ends at its start",
    "other/poolkeeper-leader, write, warn, both write"
  })
  void sharedLease_takenLastByAnotherInstallation_isNamed(
      String writer, String mode, String verdict, String says) {
    hocon = "poolkeeper.mode = " + mode;
    shared = lease("", 3, writer);

    Finding finding = finding("kube: shared Lease");

    assertThat(finding.verdict()).hasToString(verdict);
    assertThat(finding.detail()).contains(says);
  }

  @Test
  void sharedLease_thatShadowModeMayNotRead_isAWarning() {
    shared = new Failed<>(403, "Forbidden", "may not");
    assertThat(finding("kube: shared Lease").verdict()).hasToString("fail");

    hocon = "poolkeeper.mode = shadow";
    assertThat(finding("kube: shared Lease").verdict()).hasToString("warn");
  }

  /** What could not be asked is never said to be there. */
  @Test
  void rightThatCouldNotBeAsked_besideOneThatComesLater_isNotKnown() {
    hocon = "poolkeeper.mode = shadow";
    may = new Failed<>(0, "", "timeout");
    rights.put(new KubeRight("patch", "", "nodes", "", ""), new Seen<>(false));

    assertThat(finding("kube: nodes").verdict()).hasToString("not known");
  }
}
