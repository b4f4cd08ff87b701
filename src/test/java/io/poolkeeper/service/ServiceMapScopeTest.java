package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.cluster;
import static io.poolkeeper.service.ServiceFixtures.digest;
import static io.poolkeeper.service.ServiceFixtures.exactly;
import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.lb;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.rule;
import static io.poolkeeper.service.ServiceFixtures.sent;
import static io.poolkeeper.service.ServiceFixtures.sentTo;
import static io.poolkeeper.service.ServiceFixtures.serviceGone;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ClusterNodes;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.Manage;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.NamespaceView;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.PoolEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pools that are not touched: they have no actor, whatever their Services want. */
class ServiceMapScopeTest {
  private static final PoolId WEB = webPoolId("lb-1");
  private static final PoolId API = lb("lb-1").pool("default-api");
  private static final PoolId SHARED = lb("lb-1").pool("kubernetes");
  private static final PoolId GATEWAY = lb("gateway").pool("blue");
  private static final PoolView[] LISTED = {
    webPool("lb-1", "n4=10.0.0.4"),
    pool("lb-1", "default-api", Set.of(rule("uid-api")), "n4=10.0.0.4"),
    pool("lb-1", "kubernetes", Set.of(rule("uid-plain")), "n4=10.0.0.4"),
    pool("gateway", "blue", Set.of(), "n4=10.0.0.4")
  };
  private static final BoundPool BOUND =
      BoundPool.of(
          GATEWAY,
          new Mark(".pk-0123456789abcdef"),
          key("default/plain"),
          IpFamily.IPV4,
          Optional.empty());

  private long version;
  private ServiceMapDriver map = new ServiceMapDriver();

  private static ServiceView marked(ServiceView view, String value) {
    return new ServiceView(
        view.key(),
        view.uid(),
        view.loadBalancer(),
        view.local(),
        view.internal(),
        view.families(),
        new Manage(Optional.of(value)),
        view.digest() + value.hashCode());
  }

  /** Two local Services and one of the policy Cluster, all on n4. */
  private List<ServiceMapEffect> ready(ServiceView... changed) {
    map.change(node("n4=10.0.0.4"));
    map.change(local("default/web"), local("default/api"), cluster("default/plain"));
    map.change(changed);
    map.change(slice("web-1", "default/web", "n4"), slice("api-1", "default/api", "n4"));
    map.change(slice("plain-1", "default/plain", "n4"));
    map.sync(CacheKind.values());
    hearNodes();
    return map.list(LISTED);
  }

  private List<ServiceMapEffect> hearNodes() {
    Address address = Address.of("10.0.0.4");
    NodeKey n4 = new NodeKey("n4");
    ClusterNodes all = new ClusterNodes(Map.of(address, n4), Map.of(), Map.of());
    return map.send(
        new ServiceMapEvent.NodesOutOfService(
            new OutOfService(++version, all, new TreeMap<>(), true, 0)));
  }

  private List<ServiceMapEffect> label(String value) {
    NamespaceView view = new NamespaceView("default", "uid-ns", new Manage(Optional.of(value)));
    return map.send(new ServiceMapEvent.NamespacesChanged(Map.of("default", Optional.of(view))));
  }

  private List<ServiceMapEffect> unlabel() {
    return map.send(new ServiceMapEvent.NamespacesChanged(Map.of("default", Optional.empty())));
  }

  private List<ServiceMapEffect> bind(BoundPool bound) {
    return map.send(new ServiceMapEvent.PoolBound(GATEWAY, Optional.of(bound)));
  }

  private Set<PoolId> followed() {
    return map.state().pools().keySet();
  }

  private Set<PoolId> out() {
    return map.state().index().orElseThrow().out().keySet();
  }

  private static List<String> said(List<ServiceMapEffect> effects) {
    return effects.stream()
        .filter(ServiceMapEffect.Emit.class::isInstance)
        .map(effect -> ((ServiceMapEffect.Emit) effect).event().message())
        .toList();
  }

  private static Stream<PoolId> told(List<ServiceMapEffect> effects) {
    return sent(effects, PoolEvent.class).stream().map(ServiceMapEffect.Send::pool).distinct();
  }

  @Test
  void listed_nothingIsMarked_everyPoolIsFollowed() {
    ready();

    assertThat(followed()).containsExactlyInAnyOrder(WEB, API, SHARED);
    assertThat(out()).isEmpty();
  }

  @Test
  void listed_refusingService_isSentNothingAndSaysWhy() {
    List<ServiceMapEffect> effects = ready(marked(local("default/web"), "false"));

    assertThat(told(effects)).containsExactlyInAnyOrder(API, SHARED);
    assertThat(map.state().index().orElseThrow().out())
        .containsExactly(
            Map.entry(
                WEB,
                new OptedOut(
                    List.of(key("default/web")),
                    "the annotation poolkeeper.io/manage of the Service default/web is"
                        + " \"false\"")));
  }

  @Test
  void refused_whileItIsFollowed_isReleasedAndForgotten() {
    ready();

    List<ServiceMapEffect> effects = map.change(marked(local("default/web"), "false"));

    assertThat(effects)
        .containsSubsequence(
            new ServiceMapEffect.Send(WEB, new PoolEvent.Release(key("default/web"))),
            new ServiceMapEffect.Forget(WEB));
    assertThat(followed()).containsExactlyInAnyOrder(API, SHARED);
    assertThat(told(hearNodes())).doesNotContain(WEB);
    assertThat(told(map.change(slice("web-1", "default/web", "n4", "n5")))).isEmpty();
    assertThat(told(map.list(LISTED))).doesNotContain(WEB);
  }

  @Test
  void allowedAgain_begins_asANewOne() {
    ready(marked(local("default/web"), "false"));

    List<PoolEvent> events = sentTo(WEB, map.change(digest(local("default/web"), 9)));

    assertThat(events).first().isInstanceOf(PoolEvent.NodesOutOfService.class);
    assertThat(events)
        .filteredOn(PoolEvent.Desire.class::isInstance)
        .extracting(event -> ((PoolEvent.Desire) event).level())
        .containsExactly(exactly("n4=10.0.0.4"));
    assertThat(out()).isEmpty();
  }

  @Test
  void refused_sliceChangesOfTheService_askForNoListing() {
    ready(marked(local("default/web"), "false"));
    map.after(Duration.ofMinutes(10)).list(LISTED);
    var due = map.state().schedule().due();

    map.change(slice("web-1", "default/web", "n4", "n5"));

    assertThat(map.state().schedule().due()).isEqualTo(due);
  }

  @Test
  void label_refuses_allPoolsOfTheNamespaceButThoseOfAnnotatedServices() {
    ready(marked(local("default/api"), "true"));

    label("false");
    assertThat(followed()).containsExactlyInAnyOrder(API, SHARED);

    unlabel();
    assertThat(followed()).containsExactlyInAnyOrder(WEB, API, SHARED);
  }

  @Test
  void optIn_oneMarkedService_isTheOnlyOneThatIsTouched() {
    map = ServiceMapDriver.optIn();

    List<ServiceMapEffect> effects = ready(marked(local("default/web"), "true"));

    assertThat(told(effects)).containsExactly(WEB);
    assertThat(followed()).containsExactly(WEB);
    assertThat(out()).containsExactlyInAnyOrder(API, SHARED);
  }

  @Test
  void optIn_poolOfAMarkedServiceAndOfNobodyKnown_isNotTouched() {
    map = ServiceMapDriver.optIn();
    ready(marked(local("default/web"), "true"));

    map.list(pool("lb-1", "default-web", Set.of(rule("uid-web"), "a0-TCP-80")));

    assertThat(followed()).isEmpty();
  }

  @Test
  void optIn_serviceIsMarkedAndUnmarked_comesAndGoes() {
    map = ServiceMapDriver.optIn();
    ready();
    assertThat(followed()).isEmpty();

    label("true");
    assertThat(followed()).containsExactlyInAnyOrder(WEB, API);

    map.send(new ServiceMapEvent.ServicesChanged(serviceGone("default/api")));
    assertThat(followed()).containsExactly(WEB);

    unlabel();
    assertThat(followed()).isEmpty();
  }

  @Test
  void binding_ofARefusingService_makesNothing_andCleansUpWhenItIsDeleted() {
    ready(marked(cluster("default/plain"), "false"));

    assertThat(told(bind(BOUND))).isEmpty();
    assertThat(map.list(LISTED))
        .contains(
            new ServiceMapEffect.BoundListed(
                Set.of(),
                Map.of(),
                Map.of(
                    GATEWAY,
                    "the annotation poolkeeper.io/manage of the Service default/plain is"
                        + " \"false\"")));
    BoundPool leaving = BoundPool.leaving(GATEWAY, BOUND.mark(), map.now());
    List<PoolEvent> events = sentTo(GATEWAY, bind(leaving));
    assertThat(events)
        .contains(new PoolEvent.Bind(Optional.of(leaving)))
        .noneMatch(PoolEvent.NodesOutOfService.class::isInstance);
    assertThat(sent(hearNodes(), PoolEvent.NodesOutOfService.class))
        .noneMatch(send -> send.pool().equals(GATEWAY));
  }

  @Test
  void optIn_bindingOfAMarkedService_isFollowed_andCleansUpWhenItIsDeleted() {
    map = ServiceMapDriver.optIn();
    ready(marked(cluster("default/plain"), "true"));

    bind(BOUND);
    assertThat(followed()).containsExactly(GATEWAY);

    BoundPool leaving = BoundPool.leaving(GATEWAY, BOUND.mark(), map.now());
    assertThat(bind(leaving))
        .containsExactly(
            new ServiceMapEffect.Send(GATEWAY, new PoolEvent.Bind(Optional.of(leaving))),
            new ServiceMapEffect.Send(GATEWAY, new PoolEvent.Release(key("default/plain"))));
  }

  @Test
  void annotation_thatDoesNothingOrIsBad_isSaidOnce() {
    ready();

    assertThat(said(map.change(marked(cluster("default/plain"), "false"))))
        .singleElement(STRING)
        .startsWith("The annotation poolkeeper.io/manage does nothing but for pools of bindings");
    assertThat(said(map.change(digest(marked(cluster("default/plain"), "false"), 8)))).isEmpty();
    assertThat(said(map.change(marked(local("default/web"), "no"))))
        .containsExactly(
            "The annotation poolkeeper.io/manage is ignored: found \"no\"; allowed: \"true\" or"
                + " \"false\"");
    assertThat(said(map.change(marked(local("default/web"), "false")))).isEmpty();
    assertThat(out()).containsExactly(WEB);
  }

  @Test
  void label_thatIsBad_isSaidOfTheNamespace_alsoByAReplicaThatLeadsOnlyThen() {
    map = ServiceMapDriver.standby();
    ObjectEvent event =
        new ObjectEvent(
            new ObjectReference.OfNamespace("default", "uid-ns"),
            ObjectEvent.Type.WARNING,
            "ManageIgnored",
            "The label poolkeeper.io/manage is ignored: found \"off\"; allowed: \"true\" or"
                + " \"false\"");
    assertThat(label("off")).isEmpty();

    assertThat(map.send(new ServiceMapEvent.Lead())).contains(new ServiceMapEffect.Emit(event));
    assertThat(label("off")).isEmpty();
    unlabel();
    assertThat(label("off")).contains(new ServiceMapEffect.Emit(event));
  }
}
