package io.poolkeeper.kube.binding;

import static io.poolkeeper.kube.binding.BindingSamples.ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.AdmissionSubject;
import io.poolkeeper.admission.BindingKey;
import io.poolkeeper.admission.BindingReport;
import io.poolkeeper.admission.BindingReport.Condition;
import io.poolkeeper.admission.BindingReport.Truth;
import io.poolkeeper.admission.BindingTarget;
import io.poolkeeper.admission.BindingView;
import io.poolkeeper.admission.Check;
import io.poolkeeper.kube.binding.BindingSpec.PoolRef;
import io.poolkeeper.kube.binding.BindingStatus.CheckStatus;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BindingViewsTest {
  private static final Instant WALL = Instant.parse("2024-02-06T10:00:00Z");

  /** Our clock is 90.25 s behind. */
  private static final Duration BEHIND = Duration.ofMillis(90_250);

  private final BindingViews views = new BindingViews(() -> WALL.minus(BEHIND), () -> WALL);

  private static final PoolReference WEB =
      new PoolReference(Optional.of("s-1"), Optional.of("rg-1"), "lb-1", "web");

  private static final String FULL =
      """
      apiVersion: poolkeeper.io/v1alpha1
      kind: BackendPoolBinding
      metadata:
        name: web
        namespace: shop
        uid: u-1
        resourceVersion: "17"
        generation: 3
        creationTimestamp: "2024-02-06T08:00:00Z"
        deletionTimestamp: "2024-02-06T09:59:00Z"
        finalizers: [poolkeeper.io/addresses, other/one]
      spec:
        serviceRef: {name: web}
        backendPool: {id: "%s"}
        ipFamily: IPv6
        admissionChecks: [freeze, budget]
        active: false
      status:
        observedGeneration: 2
        conditions: [{type: Ready, status: "True", reason: Synced, message: "", lastTransitionTime: "2024-02-06T09:00:00Z"}]
        addresses: {desired: ["fd00::4"], inPool: [], down: [], added: ["fd00::4", "nonsense"]}
        queued: 1
        retry: {count: 2, nextEligibleAt: "2024-02-06T10:01:00Z", lastError: boom}
        requeueAt: "2024-02-06T10:01:00Z"
        admissionChecks:
        - {name: freeze, state: Retry, lastTransitionTime: "2024-02-06T10:00:00.5Z", message: later, requeueAfterSeconds: 60, retryCount: 2}
        - {name: budget, state: Maybe, lastTransitionTime: "today"}
      """
          .formatted(ID);

  private BindingView view(BackendPoolBinding binding) {
    return views.view(binding);
  }

  @Test
  void view_everyFieldGiven_isRead() {
    Check freeze =
        new Check("freeze", Check.State.RETRY, Optional.of(WALL), "later", Optional.of(60), 2);
    Check budget =
        new Check(
            "budget",
            Check.State.PENDING,
            Optional.empty(),
            "unknown state \"Maybe\"",
            Optional.empty(),
            0);

    assertThat(view(BindingSamples.read(FULL)))
        .isEqualTo(
            new BindingView(
                new BindingKey("shop", "web"),
                "u-1",
                "17",
                Instant.parse("2024-02-06T08:00:00Z"),
                Optional.of(Instant.parse("2024-02-06T09:59:00Z").minus(BEHIND)),
                true,
                false,
                Optional.of(WEB),
                Optional.of(new BindingTarget(new ServiceKey("shop", "web"), WEB, IpFamily.IPV6)),
                List.of(),
                new AdmissionSubject(
                    List.of("freeze", "budget"),
                    List.of(freeze, budget),
                    false,
                    true,
                    true,
                    BEHIND.negated())));
  }

  @Test
  void view_fieldsOfALaterSchema_areIgnored() {
    String later =
        FULL.replace("  active: false", "  active: false\n  later: {a: 1}")
            .replace("{id:", "{later: 1, id:")
            .replace("queued: 1", "queued: 1\n  later: [1]")
            .replace("{name: budget,", "{name: budget, later: 1,");

    assertThat(view(BindingSamples.read(later))).isEqualTo(view(BindingSamples.read(FULL)));
  }

  @Test
  void view_onlyWhatIsRequired_hasTheDefaults() {
    BindingView view = view(BindingSamples.binding("web", BindingSamples.BY_NAME));

    assertThat(view.target())
        .contains(
            new BindingTarget(
                new ServiceKey("default", "web"),
                new PoolReference(Optional.empty(), Optional.empty(), "lb-1", "web"),
                IpFamily.IPV4));
    assertThat(view.admission())
        .as("never written: not changed")
        .isEqualTo(
            new AdmissionSubject(List.of(), List.of(), true, false, false, BEHIND.negated()));
    assertThat(view.finalizer()).isFalse();
    assertThat(view.reported()).as("no status is none of this spec").isFalse();
    assertThat(view.created()).isEqualTo(Instant.EPOCH);
    assertThat(view.deleted()).isEmpty();
  }

  @Test
  void view_muchIsWrong_namesAllOfItAtOnce() {
    BindingView view =
        view(
            BindingSamples.spec(
                "web",
                """
                {serviceRef: {name: Web}, backendPool: {id: x, pool: y}, ipFamily: ipv4,
                 admissionChecks: [ok, Not_OK]}
                """));

    assertThat(view.target()).isEmpty();
    assertThat(view.problems())
        .containsExactly(
            "serviceRef.name must be the name of a Service, not \"Web\"",
            "backendPool must be either id, or loadBalancer and pool",
            "ipFamily must be IPv4 or IPv6, not \"ipv4\"",
            "admissionChecks must be DNS labels, not \"Not_OK\"");
    assertThat(view.pool()).as("it claims none").isEmpty();
  }

  @Test
  void view_partsMissing_areNamed() {
    assertThat(view(BindingSamples.spec("web", "{}")).problems())
        .containsExactly(
            "serviceRef.name must be the name of a Service, not nothing",
            "backendPool must be either id, or loadBalancer and pool");
    assertThat(view(BindingSamples.spec("web", "null")).problems())
        .containsExactly("spec is missing");
    assertThat(view(BindingSamples.binding("web", "{id: /subscriptions/s}")).problems())
        .containsExactly(
            "backendPool.id must be the ARM id of a backend pool, not \"/subscriptions/s\"");
    assertThat(view(BindingSamples.binding("web", "{loadBalancer: lb}")).target()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$(reboot)",
        "a b",
        "a;b",
        "`a`",
        "a\n",
        "a'",
        "a\"",
        "rg.",
        "..",
        "a\\b",
        "a\u202eb",
        "a*"
      })
  void view_nameThatNothingInAzureHas_isWrong_wherever(String name) {
    for (String part : List.of("s-1", "rg-1", "lb-1", "/web")) {
      BackendPoolBinding byId =
          binding(new PoolRef(ID.replace(part, at(part) + name), null, null, null));
      assertThat(view(byId).problems()).singleElement().asString().contains("not \"" + name + "\"");
      assertThat(view(byId).pool()).as("it claims none").isEmpty();
    }
    assertThat(view(binding(new PoolRef(null, "lb", "web", name))).target()).isEmpty();
    assertThat(view(binding(new PoolRef(null, name, "web", null))).target()).isEmpty();
    assertThat(view(binding(new PoolRef(null, "lb", name, null))).target()).isEmpty();
  }

  @Test
  void view_namesInAnyLanguage_areRead() {
    String id = ID.replace("rg-1", "Büro_(東京).नमस्ते-１").replace("s-1", "0-f");

    assertThat(view(binding(new PoolRef(id, null, null, null))).problems()).isEmpty();
  }

  private static String at(String part) {
    return part.startsWith("/") ? "/" : "";
  }

  private static BackendPoolBinding binding(PoolRef pool) {
    BackendPoolBinding binding = BindingSamples.binding("web", BindingSamples.BY_NAME);
    BindingSpec old = binding.getSpec();
    binding.setSpec(new BindingSpec(old.serviceRef(), pool, null, null, null));
    return binding;
  }

  @Test
  void view_wrongOtherwiseThanInItsPool_namesThePoolThatItClaims() {
    BindingView view =
        view(BindingSamples.binding("web", BindingSamples.BY_NAME, "ipFamily: ipv4"));

    assertThat(view.target()).isEmpty();
    assertThat(view.pool())
        .contains(new PoolReference(Optional.empty(), Optional.empty(), "lb-1", "web"));
  }

  /** A report of these checks, and of a pool that is not known. */
  static BindingReport report(List<Check> checks) {
    Condition unknown = new Condition(Truth.UNKNOWN, "Starting", "soon");
    return new BindingReport(
        unknown, unknown, unknown, Optional.empty(), Optional.empty(), Optional.empty(), checks);
  }

  @Test
  void status_keepsTheTextsOfChecksThatStay() {
    BackendPoolBinding read = BindingSamples.read(FULL);
    Check freeze = view(read).admission().reported().getFirst();
    Check fresh =
        new Check(
            "new", Check.State.PENDING, Optional.of(WALL.plusSeconds(7)), "", Optional.empty(), 0);

    BindingStatus written = new BindingStatuses(views).status(read, report(List.of(freeze, fresh)));

    assertThat(written.admissionChecks())
        .containsExactly(
            new CheckStatus("freeze", "Retry", "2024-02-06T10:00:00.5Z", "later", 60, 2),
            new CheckStatus("new", "Pending", "2024-02-06T10:00:07Z", null, null, 0));
    assertThat(written.observedGeneration()).isEqualTo(3);
    BackendPoolBinding next = BindingViews.withStatus(read, written);
    assertThat(next.getMetadata().getResourceVersion()).isEqualTo("17");
    assertThat(view(next).admission().changed()).isFalse();
    assertThat(view(next).reported()).isTrue();
  }
}
