package io.poolkeeper.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.AzureFacts.Balancer;
import io.poolkeeper.arm.AzureFacts.Denial;
import io.poolkeeper.arm.AzureFacts.Pool;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.arm.Grant;
import io.poolkeeper.model.Look.Failed;
import io.poolkeeper.model.Look.Seen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each check makes of what was seen. */
class DoctorTest extends ExaminationFixture {
  @Test
  void examine_everythingIsRight_allIsOk() {
    Examination all = examine();

    assertThat(all.findings())
        .allMatch(of -> of.verdict() == CheckVerdict.OK && of.fix().isEmpty());
    assertThat(all.findings()).extracting(Finding::verdict).doesNotContain(CheckVerdict.FAIL);
    assertThat(all.azure()).isEqualTo("client app (object oid)");
    assertThat(all.kubernetes()).isEqualTo("me");
    assertThat(all.findings())
        .extracting(Finding::check)
        .doesNotHaveDuplicates()
        .hasSizeGreaterThan(20);
  }

  @Test
  void token_isRefused_fails_andWhoseItIsIsNotKnown() {
    token = new Failed<>(0, "", "no token: AADSTS7000215");

    assertThat(finding("azure: token").verdict()).isEqualTo(CheckVerdict.FAIL);
    assertThat(examine().azure()).isEqualTo("not known");
  }

  @Test
  void list_isRefused_fails_withTheCommandThatGrantsIt() {
    listed = refused();

    assertThat(finding("azure: list rg").verdict()).isEqualTo(CheckVerdict.FAIL);
    assertThat(finding("azure: list rg").fix())
        .contains("az role assignment create", "--assignee-object-id oid", "--scope " + GROUP);
    assertThat(finding("azure: vnet").verdict()).isEqualTo(CheckVerdict.NOT_TESTED);
  }

  @Test
  void list_lacksAConfiguredLoadBalancer_warns() {
    listed = new Seen<>(List.of(new Balancer("other", List.of())));

    assertThat(finding("azure: list rg").verdict()).isEqualTo(CheckVerdict.WARN);
    assertThat(finding("azure: list rg").detail()).contains("not there: lb");
  }

  @Test
  void list_hasOneThatCannotBeRead_warnsAndNamesIt() {
    Balancer good = new Balancer("lb", List.of());
    listed = new Seen<>(List.of(good, new Balancer("odd", List.of(), Optional.of("HTTP 200 no"))));

    assertThat(finding("azure: list rg").verdict()).isEqualTo(CheckVerdict.WARN);
    assertThat(finding("azure: list rg").detail())
        .endsWith("not readable: 1, one of them odd: HTTP 200 no");
  }

  @Test
  void list_hasTheInternalOneAlone_isOk() {
    listed = new Seen<>(List.of(new Balancer("LB-internal", List.of())));

    assertThat(finding("azure: list rg").verdict()).isEqualTo(CheckVerdict.OK);
  }

  /** How many of the rights of write mode does a role's pattern not have. */
  @ParameterizedTest
  @CsvSource({
    "*, '', ok",
    "Microsoft.Network/*, '', ok",
    "*, Microsoft.Network/loadBalancers/backendAddressPools/WRITE, fail",
    "*, Microsoft.Network/*/write, fail",
    "*/read, '', fail",
    "Microsoft.Network/loadBalancers/*, Microsoft.Network/loadBalancers/backendAddressPools/read,"
        + " ok",
  })
  void right_ofARole_isGrantedByItsPatterns_lessWhatItLeavesOut(
      String actions, String except, String verdict) {
    otherwise =
        new Seen<>(
            List.of(new Grant(List.of(actions), except.isEmpty() ? List.of() : List.of(except))));

    assertThat(finding(WRITE).verdict()).hasToString(verdict);
  }

  @Test
  void right_cannotBeAsked_isNotKnown_andFailsNothing() {
    otherwise = refused();
    denials = refused();

    assertThat(finding(WRITE).verdict()).isEqualTo(CheckVerdict.NOT_KNOWN);
    assertThat(finding("azure: lockdown").verdict()).isEqualTo(CheckVerdict.NOT_TESTED);
    assertThat(examine().findings()).extracting(Finding::verdict).doesNotContain(CheckVerdict.FAIL);
  }

  @Test
  void right_toFollowWrites_isMissing_warnsOnly() {
    permissions.put("/subscriptions/s", new Seen<>(List.of()));

    assertThat(finding("azure: follow writes").verdict()).isEqualTo(CheckVerdict.WARN);
  }

  @Test
  void right_toReadInterfaces_isMissing_countsOnlyIfAPoolHasSome() {
    permissions.put(
        GROUP,
        new Seen<>(List.of(new Grant(List.of("Microsoft.Network/loadBalancers/*"), List.of()))));

    assertThat(finding("azure: read interfaces").verdict()).isEqualTo(CheckVerdict.OK);
    listed = new Seen<>(List.of(new Balancer("lb", List.of(new Pool("vms", 0, 2, Set.of())))));
    assertThat(finding("azure: read interfaces").verdict()).isEqualTo(CheckVerdict.WARN);
  }

  @Test
  void right_withoutANetworkInTheSettings_isNotTested() {
    hocon = "poolkeeper.azure.vnet-id = null";

    assertThat(finding("azure: join network").verdict()).isEqualTo(CheckVerdict.NOT_TESTED);
    assertThat(finding("azure: vnet").verdict()).isEqualTo(CheckVerdict.OK);
  }

  @ParameterizedTest
  @CsvSource({
    "00000000-0000-0000-0000-000000000000, nobody, write, fail",
    "00000000-0000-0000-0000-000000000000, oid, write, ok",
    "oid, nobody, write, fail",
    "other, nobody, write, ok",
    "oid, nobody, shadow, warn",
    "oid, oid, shadow, ok",
  })
  void lockdown_byADenyAssignment_failsForWhomItConcerns(
      String principal, String excluded, String mode, String verdict) {
    hocon = "poolkeeper.mode = " + mode;
    denials =
        new Seen<>(
            List.of(
                new Denial(
                    "aks",
                    List.of(new Grant(List.of("*/write"), List.of())),
                    Set.of(principal),
                    Set.of(excluded))));

    assertThat(finding("azure: lockdown").verdict()).hasToString(verdict);
  }

  private static final String DENIED = "DenyAssignmentAuthorizationFailed";

  @Test
  void lockdown_thatCallsHaveMet_fails_whateverCanBeRead() {
    known = new Known(CallsLeft.UNKNOWN, Optional.of("HTTP 403 " + DENIED));
    assertThat(finding("azure: lockdown").detail()).contains(DENIED);

    known = new Known(CallsLeft.UNKNOWN, Optional.empty());
    listed = new Failed<>(403, DENIED, "denied by aks");
    assertThat(finding("azure: lockdown").verdict()).isEqualTo(CheckVerdict.FAIL);
  }

  @Test
  void kinds_allOfInterfaces_warns_andSomeAreNamed() {
    Pool ofAddresses = new Pool("web", 1, 0, Set.of());
    Pool ofInterfaces = new Pool("vms", 0, 1, Set.of());

    listed = new Seen<>(List.of(new Balancer("lb", List.of(ofAddresses, ofInterfaces))));
    assertThat(finding("azure: pool kinds").verdict()).isEqualTo(CheckVerdict.OK);
    assertThat(finding("azure: pool kinds").detail()).contains("pools of addresses: 1", "lb/vms");
    listed = new Seen<>(List.of(new Balancer("lb", List.of(ofInterfaces))));
    assertThat(finding("azure: pool kinds").verdict()).isEqualTo(CheckVerdict.WARN);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"V, v, ok", "v, w, fail", "v, -, ok", "-, v, ok", "-, -, warn"})
  void vnet_againstThatOfPools_differsOrIsMissing(String set, String named, String verdict) {
    String base = VNET.substring(0, VNET.length() - 1);
    hocon = "poolkeeper.azure.vnet-id = " + (set == null ? "null" : "\"" + base + set + "\"");
    Set<String> networks = named == null ? Set.of() : Set.of(base + named);
    listed = new Seen<>(List.of(new Balancer("lb", List.of(new Pool("web", 1, 0, networks)))));

    assertThat(finding("azure: vnet").verdict()).hasToString(verdict);
    assertThat(finding("azure: vnet").fix().contains("poolkeeper.azure.vnet-id = "))
        .isEqualTo(!verdict.equals("ok"));
  }

  @ParameterizedTest
  @CsvSource({"2, ok", "-2, ok", "3, warn", "-29, warn", "30, fail", "-3600, fail"})
  void clock_isOff_warnsThenFails(int seconds, String verdict) {
    azureAhead = Optional.of(Duration.ofSeconds(seconds));

    assertThat(finding("azure: clock").verdict()).hasToString(verdict);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"100, 100, ok", "100, -, ok", "24, 100, warn", "100, 3, warn", "-, -, not known"})
  void quota_isLow_warns(Long reads, Long writes, String verdict) {
    CallsLeft left = new CallsLeft(Optional.ofNullable(reads), Optional.ofNullable(writes));
    known = new Known(left, Optional.empty());

    assertThat(finding("azure: quota").verdict()).hasToString(verdict);
  }

  @Test
  void rightInTheCluster_isMissing_fails_withTheRule() {
    rights.put(
        new KubeRight("update", "coordination.k8s.io", "leases", "kube-system", SHARED.name()),
        new Seen<>(false));

    Finding missing = finding("kube: leases in kube-system");

    assertThat(missing.verdict()).isEqualTo(CheckVerdict.FAIL);
    assertThat(missing.detail()).isEqualTo("no right to update aks-managed-resource-locker");
    assertThat(missing.fix())
        .endsWith(
            "- {apiGroups: [\"coordination.k8s.io\"], resources: [leases], resourceNames:"
                + " [aks-managed-resource-locker], verbs: [update]}");
  }

  @Test
  void rightInTheCluster_thatIsNeededUnderAPolicyOnly_warns() {
    rights.put(
        new KubeRight("control", "poolkeeper.io", "admissionchecks", "", ""), new Seen<>(false));

    assertThat(finding("kube: admissionchecks").verdict()).isEqualTo(CheckVerdict.WARN);
  }

  @Test
  void rightsInTheCluster_cannotBeAsked_areOneLine() {
    may = new Failed<>(403, "", "forbidden");

    assertThat(finding("kube: rights").verdict()).isEqualTo(CheckVerdict.NOT_KNOWN);
    assertThat(examine().findings()).extracting(Finding::check).doesNotContain("kube: services");
  }

  @ParameterizedTest
  @CsvSource({"pod_uid, 15, ok", "pod_uid, 16, fail", "'', 3, warn"})
  void leadersLease_isExpiredOrFree_saysSo(String holder, int ago, String verdict) {
    leader = lease(holder, ago);

    assertThat(finding("kube: leader's Lease").verdict()).hasToString(verdict);
  }

  @Test
  void leadersLease_doesNotExist_warns_andUnreadable_fails() {
    leader = new Seen<>(Optional.empty());
    assertThat(finding("kube: leader's Lease").verdict()).isEqualTo(CheckVerdict.WARN);

    leader = refused();
    assertThat(finding("kube: leader's Lease").verdict()).isEqualTo(CheckVerdict.FAIL);
  }

  @Test
  void sharedLease_ofAnother_isSaid_andExpired_isFree() {
    shared = lease("cloud-controller-manager", 3);
    assertThat(finding("kube: shared Lease").detail())
        .endsWith(": held by cloud-controller-manager, renewed 3 s ago");

    shared = lease("cloud-controller-manager", 30);
    assertThat(finding("kube: shared Lease").detail()).contains(": expired, held by");
    assertThat(finding("kube: shared Lease").verdict()).isEqualTo(CheckVerdict.OK);
  }

  @Test
  void bindings_areNotServed_warns_unlessTheyAreOff() {
    bindings = new Seen<>(Optional.empty());

    assertThat(finding("kube: bindings").verdict()).isEqualTo(CheckVerdict.WARN);
    hocon = "poolkeeper.admission.enabled = false";
    assertThat(finding("kube: bindings").verdict()).isEqualTo(CheckVerdict.OK);
  }

  @Test
  void bindings_areOffAndSomeHaveOurFinalizer_warnsThatTheirDeletionHangs() {
    assertThat(finding("kube: bindings").verdict()).isEqualTo(CheckVerdict.OK);
    hocon = "poolkeeper.admission.enabled = false";

    assertThat(finding("kube: bindings").verdict()).isEqualTo(CheckVerdict.WARN);
    assertThat(finding("kube: bindings").detail()).contains("(2)").contains("hangs");
    assertThat(finding("kube: bindings").fix()).contains("poolkeeper uninstall");
    bindings = refused();
    assertThat(finding("kube: bindings").verdict()).isEqualTo(CheckVerdict.OK);
  }
}
