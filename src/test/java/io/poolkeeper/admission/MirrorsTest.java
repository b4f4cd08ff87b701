package io.poolkeeper.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.admission.BindingsEffect.Create;
import io.poolkeeper.admission.BindingsEffect.Delete;
import io.poolkeeper.admission.BindingsEffect.Write;
import io.poolkeeper.admission.BindingsEffect.WriteStatus;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.Terms;
import io.poolkeeper.service.Bindings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pools that the cloud provider has made, shown as bindings. */
class MirrorsTest {
  private static final Instant T0 = Instant.parse("2026-11-22T10:00:00Z");
  private static final ServiceKey WEB = new ServiceKey("shop", "web");
  private static final PoolId POOL = new LoadBalancerId("sub", "rg", "Kube_LB").pool("shop-web");
  private static final Mirror MIRROR = new Mirror(WEB, POOL, IpFamily.IPV4);
  private static final Duration KNOWN = Duration.ofMinutes(2);

  private final List<BindingsEffect> effects = new ArrayList<>();
  private BindingsState state = BindingsState.initial(true, T0);
  private Instant now = T0;
  private boolean mirrored = true;
  private List<String> defaults = List.of();

  private List<BindingsEffect> send(BindingsEvent event) {
    Resolution resolution =
        new Resolution("sub", "rg", AllowedPools.of("sub", Map.of()), "Kube_LB"::equals, mirrored);
    BindingsCore core =
        new BindingsCore(
            resolution, new AdmissionChecks(AdmissionLimits.SHIPPED, defaults), Duration.ZERO);
    Decision<BindingsState, BindingsEffect> decision = core.decide(state, event, now, () -> 0);
    state = decision.state();
    effects.addAll(decision.effects());
    return decision.effects();
  }

  private static List<BindingsEffect> writes(List<BindingsEffect> effects) {
    return effects.stream().filter(Write.class::isInstance).toList();
  }

  private static PoolStatus status(PoolId pool, String... inPool) {
    Set<Address> entries = BindingsWorld.addresses(inPool);
    return new PoolStatus(
        pool,
        Map.of(WEB, entries),
        "Idle",
        "",
        Optional.empty(),
        0,
        List.of(),
        entries,
        entries,
        Set.of(),
        0,
        0,
        new TreeMap<>(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        0);
  }

  private List<BindingsEffect> show(String... inPool) {
    return send(new BindingsEvent.PoolShown(status(POOL, inPool)));
  }

  private static BindingView view(BindingTarget target, List<String> listed, Check... reported) {
    return new BindingView(
        MIRROR.key(),
        "uid",
        "7",
        1,
        false,
        Optional.of(target),
        List.of(),
        Set.of(),
        new AdmissionSubject(listed, List.of(reported), true, false, false));
  }

  private List<BindingsEffect> appears(BindingView view) {
    return send(new BindingsEvent.Changed(Map.of(view.key(), Optional.of(view))));
  }

  private static Check freeze(CheckState state) {
    return new Check("freeze", state, Optional.of(T0), "", Optional.empty(), 0);
  }

  private Terms terms() {
    return state.sent().terms(POOL);
  }

  @Test
  void poolOfTheCloudProvider_isShownUnderANameThatKubernetesTakes() {
    send(new BindingsEvent.Synced());

    assertThat(writes(show())).containsExactly(new Create(MIRROR));
    assertThat(MIRROR.key()).hasToString("shop/web.kube-lb.ipv4");
  }

  static List<WriteAnswer> notMade() {
    return List.of(new WriteAnswer.Failed("no answer"), new WriteAnswer.Conflict());
  }

  @ParameterizedTest
  @MethodSource("notMade")
  void creationThatFailed_isTriedAgain(WriteAnswer answer) {
    send(new BindingsEvent.Synced());
    show();
    send(new BindingsEvent.Written(MIRROR.key(), "", answer));
    now = now.plusSeconds(1);

    assertThat(writes(send(new BindingsEvent.TimerDue()))).containsExactly(new Create(MIRROR));
  }

  @Test
  void poolOfTheOtherFamily_isShownAsSuch() {
    send(new BindingsEvent.Synced());
    PoolId six = POOL.loadBalancer().pool("Shop-Web-IPv6");

    assertThat(writes(send(new BindingsEvent.PoolShown(status(six)))))
        .containsExactly(new Create(new Mirror(WEB, six, IpFamily.IPV6)));
  }

  @Test
  void boundPool_isNotShownTwice() {
    send(new BindingsEvent.Synced());
    PoolId bound = new LoadBalancerId("sub", "rg", "gateway").pool("blue");

    assertThat(writes(send(new BindingsEvent.PoolShown(status(bound))))).isEmpty();
  }

  @Test
  void mirrorThatIsThere_isReported_andNotSoonAgain() {
    send(new BindingsEvent.Synced());
    BindingView view = view(MIRROR.target(), List.of());
    appears(view);

    List<BindingsEffect> first = writes(show("10.0.0.4"));
    send(new BindingsEvent.Written(view.key(), view.version(), new WriteAnswer.Done(view)));
    now = now.plusSeconds(4);

    assertThat(first).hasSize(1).hasOnlyElementsOfType(WriteStatus.class);
    BindingReport report = ((WriteStatus) first.getFirst()).report();
    assertThat(report.ready().reason()).isEqualTo("InSync");
    assertThat(report.shown().orElseThrow().inPool()).containsExactly(Address.of("10.0.0.4"));
    assertThat(report.added()).isEmpty();
    assertThat(writes(show("10.0.0.5"))).isEmpty();
    now = now.plusSeconds(1);
    assertThat(writes(send(new BindingsEvent.TimerDue()))).hasSize(1);
  }

  @Test
  void mirrorThatIsNew_isReportedAtOnce() {
    send(new BindingsEvent.Synced());
    show();
    BindingView view = view(MIRROR.target(), List.of());
    send(new BindingsEvent.Written(view.key(), "", new WriteAnswer.Done(view)));

    assertThat(writes(appears(view))).hasSize(1).hasOnlyElementsOfType(WriteStatus.class);
  }

  @Test
  void defaultChecks_holdEveryPool_thatNoBindingShowsYet() {
    defaults = List.of("freeze");
    send(new BindingsEvent.Synced());
    show();

    assertThat(terms().held()).hasValueSatisfying(why -> assertThat(why).contains("no binding"));
  }

  @Test
  void defaultChecks_holdTheirPool_untilTheyAreReady() {
    defaults = List.of("freeze");
    send(new BindingsEvent.Synced());
    show();

    appears(view(MIRROR.target(), List.of(), freeze(CheckState.PENDING)));
    assertThat(terms().held().orElseThrow()).startsWith("shop/web.kube-lb.ipv4: waiting for");

    appears(view(MIRROR.target(), List.of(), freeze(CheckState.READY)));
    assertThat(terms()).isEqualTo(Terms.NONE);
  }

  @Test
  void mirrorThatIsDeletedByHand_isMadeAgain_andHoldsMeanwhile() {
    defaults = List.of("freeze");
    send(new BindingsEvent.Synced());
    BindingView view = view(MIRROR.target(), List.of(), freeze(CheckState.READY));
    appears(view);
    show();
    send(new BindingsEvent.Written(view.key(), view.version(), new WriteAnswer.Done(view)));

    List<BindingsEffect> gone =
        send(new BindingsEvent.Changed(Map.of(view.key(), Optional.empty())));

    assertThat(writes(gone)).containsExactly(new Create(MIRROR));
    assertThat(terms().held()).isPresent();
  }

  /** The answer to the deletion is late, and is none to the creation, which fails. */
  @Test
  void mirrorThatIsMadeAgain_whileTheAnswerToItsDeletionIsOnItsWay_isTriedAgain() {
    now = T0.plus(KNOWN);
    send(new BindingsEvent.Synced());
    BindingView view = view(MIRROR.target(), List.of());
    assertThat(writes(appears(view))).containsExactly(new Delete(view));
    show();
    assertThat(writes(send(new BindingsEvent.Changed(Map.of(view.key(), Optional.empty())))))
        .containsExactly(new Create(MIRROR));

    send(new BindingsEvent.Written(view.key(), view.version(), new WriteAnswer.Done(view)));
    send(new BindingsEvent.Written(view.key(), "", new WriteAnswer.Failed("no answer")));
    now = now.plusSeconds(1);

    assertThat(writes(send(new BindingsEvent.TimerDue()))).containsExactly(new Create(MIRROR));
  }

  @Test
  void withoutTheResource_nothingIsHeld_untilItIsInstalled() {
    defaults = List.of("freeze");
    send(new BindingsEvent.Synced());
    show();

    send(new BindingsEvent.Written(MIRROR.key(), "", new WriteAnswer.NotInstalled()));
    assertThat(terms()).isEqualTo(Terms.NONE);
    assertThat(writes(show("10.0.0.4"))).isEmpty();

    assertThat(writes(send(new BindingsEvent.Synced()))).containsExactly(new Create(MIRROR));
    assertThat(terms().held()).isPresent();
  }

  @Test
  void whatSomebodyElseMadeUnderItsName_isReplaced_andHasNoSay() {
    send(new BindingsEvent.Synced());
    BindingView forged = view(MIRROR.target(), List.of("mine"), freeze(CheckState.REJECTED));
    appears(forged);
    show();
    assertThat(terms()).isEqualTo(Terms.NONE);
    now = T0.plus(KNOWN);

    assertThat(writes(send(new BindingsEvent.TimerDue()))).containsExactly(new Delete(forged));
  }

  @Test
  void mirrorOfAPoolThatIsGone_isDeleted_onceThePoolsHadTimeToShowThemselves() {
    send(new BindingsEvent.Synced());
    BindingView view = view(MIRROR.target(), List.of());
    appears(view);
    now = T0.plus(KNOWN).minusMillis(1);
    assertThat(writes(send(new BindingsEvent.TimerDue()))).isEmpty();
    now = T0.plus(KNOWN);

    assertThat(writes(send(new BindingsEvent.TimerDue()))).containsExactly(new Delete(view));
  }

  @Test
  void poolThatIsForgotten_takesItsMirrorWithIt() {
    now = T0.plus(KNOWN);
    send(new BindingsEvent.Synced());
    show();
    BindingView view = view(MIRROR.target(), List.of());
    send(new BindingsEvent.Written(view.key(), "", new WriteAnswer.Done(view)));
    appears(view);
    send(new BindingsEvent.Written(view.key(), view.version(), new WriteAnswer.Done(view)));

    assertThat(writes(send(new BindingsEvent.PoolForgotten(POOL))))
        .containsExactly(new Delete(view));
  }

  @Test
  void switchedOff_nothingIsShownOrHeld() {
    mirrored = false;
    defaults = List.of("freeze");
    send(new BindingsEvent.Synced());

    assertThat(writes(show())).isEmpty();
    assertThat(state.sent()).isEqualTo(new Bindings(1, Map.of(), Map.of(), Terms.NONE));
  }

  @Test
  void standby_showsNothing() {
    state = BindingsState.initial(false, T0);
    send(new BindingsEvent.Synced());

    assertThat(writes(show())).isEmpty();
    assertThat(writes(send(new BindingsEvent.Lead()))).containsExactly(new Create(MIRROR));
  }
}
