package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.T0;
import static io.poolkeeper.service.ServiceFixtures.VERIFY_AFTER;
import static io.poolkeeper.service.ServiceFixtures.cluster;
import static io.poolkeeper.service.ServiceFixtures.digest;
import static io.poolkeeper.service.ServiceFixtures.exactly;
import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.sent;
import static io.poolkeeper.service.ServiceFixtures.serviceGone;
import static io.poolkeeper.service.ServiceFixtures.show;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What asks for a listing, what a dirty pool is told, and how a crashed pool begins again. */
class ServiceMapRepairTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final PoolId POOL = webPoolId("lb-1");
  private static final PoolView VIEW = webPool("lb-1", "n4=10.0.0.4");
  private static final ServiceMapEvent CRASH = new ServiceMapEvent.PoolCrashed(POOL);
  private static final Assignment WEB = new Assignment(key("default/web"), "uid-web", 1, "auidweb");

  private final ServiceMapDriver map = new ServiceMapDriver();

  /** Everything is known, and the last listing is a quiet minute ago. */
  @BeforeEach
  void ready() {
    map.change(node("n4=10.0.0.4"), node("n5=10.0.0.5"));
    map.change(slice("s1", "default/web", "n4"));
    map.change(local("default/web"));
    map.sync(CacheKind.values());
    map.list(VIEW);
    map.after(Duration.ofMinutes(10)).list(VIEW);
    map.after(MINUTE);
  }

  private static ServiceMapEffect desire(Level level) {
    return new ServiceMapEffect.Send(POOL, new PoolEvent.Desire(WEB, level));
  }

  private void assertListingInASecond(boolean expected) {
    Instant due = map.state().schedule().due().orElseThrow();
    assertThat(due.equals(map.now().plus(SECOND))).isEqualTo(expected);
  }

  @Test
  void loadBalancerService_appears_asksForAListing() {
    map.change(cluster("default/shop"));

    assertListingInASecond(true);
  }

  @Test
  void loadBalancerService_changesSpecAnnotationsOrStatus_asksForAListing() {
    map.change(digest(local("default/web"), 2));

    assertListingInASecond(true);
  }

  @Test
  void loadBalancerService_sameAgainOrGone_asksForNothing() {
    map.change(local("default/web"));
    map.send(new ServiceMapEvent.ServicesChanged(serviceGone("default/web")));

    assertListingInASecond(false);
  }

  @Test
  void loadBalancerService_isBeingDeleted_asksForNothing() {
    map.change(cluster("default/web"));

    assertListingInASecond(false);
  }

  @Test
  void serviceOfAnotherType_appears_asksForNothing() {
    ServiceView plain =
        new ServiceView(key("default/plain"), "uid", false, false, false, Set.of(IpFamily.IPV4), 1);

    map.change(plain);

    assertListingInASecond(false);
  }

  @Test
  void endpoints_ofAMappedService_askForNothing() {
    map.change(slice("s1", "default/web", "n5"));

    assertListingInASecond(false);
  }

  @Test
  void endpoints_thatMoveToAnotherSlice_areLookedAtThoughNoPoolWantsAnythingElse() {
    map.change(slice("s2", "default/web", "n4"));
    map.after(MINUTE.multipliedBy(10));
    map.change(slice("s1", "default/web"));

    assertThat(map.state().schedule().looks().due()).contains(map.now().plus(VERIFY_AFTER));
  }

  @Test
  void endpoints_ofALocalServiceWithoutPool_askForAListing() {
    map.change(local("default/shop"));
    map.list(VIEW);
    map.after(MINUTE);
    assertListingInASecond(false);

    map.change(slice("s2", "default/shop", "n4"));

    assertListingInASecond(true);
  }

  @Test
  void endpoints_ofADualStackServiceThatLacksOnePool_askForAListing() {
    map.change(local("default/web", "uid-web", IpFamily.IPV4, IpFamily.IPV6));
    map.list(VIEW);
    map.after(MINUTE);

    map.change(slice("s1", "default/web", "n5"));

    assertListingInASecond(true);
  }

  @Test
  void endpoints_ofAServiceThatNeedsNoPool_askForNothing() {
    map.change(cluster("default/shop"));
    map.list(VIEW);
    map.after(MINUTE);

    map.change(slice("s2", "default/shop", "n4"), slice("s3", "default/none", "n4"));

    assertListingInASecond(false);
  }

  @Test
  void pool_wantsAListing_getsIt() {
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.LISTING_WANTED));

    assertListingInASecond(true);
  }

  @Test
  void dirtyPool_onNewsOfItsService_isToldTheEqualLevelAgain() {
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.FAILING));

    assertThat(map.change(slice("s1", "default/web", "n4")))
        .containsExactly(desire(exactly("n4=10.0.0.4")));
    assertThat(map.change(digest(local("default/web"), 2)))
        .containsExactly(desire(exactly("n4=10.0.0.4")));
    assertThat(map.change(slice("s9", "default/other", "n4"))).isEmpty();
  }

  @Test
  void dirtyPool_whenAnotherTurnsClean_isToldThatItRecovered() {
    PoolId other = twoDirtyPools();

    assertThat(map.send(new ServiceMapEvent.PoolReported(other, PoolReport.Sign.RECOVERED)))
        .containsExactly(new ServiceMapEffect.Send(POOL, new PoolEvent.OtherRecovered()));
  }

  @Test
  void dirtyPools_whenManyTurnClean_hearOncePerRound() {
    PoolId other = twoDirtyPools();
    ServiceMapEvent recovered = new ServiceMapEvent.PoolReported(other, PoolReport.Sign.RECOVERED);
    ServiceMapEvent failing = new ServiceMapEvent.PoolReported(other, PoolReport.Sign.FAILING);
    ServiceMapEffect sign = new ServiceMapEffect.Send(POOL, new PoolEvent.OtherRecovered());
    assertThat(map.send(recovered)).containsExactly(sign);

    map.after(SECOND).send(failing);
    assertThat(map.send(recovered)).isEmpty();

    assertThat(map.state().wakeAt()).contains(map.now().plusSeconds(4));
    assertThat(map.after(SECOND.multipliedBy(4)).send(new ServiceMapEvent.TimerDue()))
        .containsExactly(sign);
  }

  @Test
  void dirtyPool_whenACleanOneSaysSoAgain_isToldNothing() {
    PoolId other = twoDirtyPools();
    map.send(new ServiceMapEvent.PoolReported(other, PoolReport.Sign.RECOVERED));

    assertThat(map.send(new ServiceMapEvent.PoolReported(other, PoolReport.Sign.RECOVERED)))
        .isEmpty();
  }

  @Test
  void dirtyPool_whenAnotherIsCleanBecauseNobodyOwnsItNow_isToldNothing() {
    PoolId other = twoDirtyPools();
    map.send(new ServiceMapEvent.ServicesChanged(serviceGone("default/api")));

    assertThat(map.send(new ServiceMapEvent.PoolReported(other, PoolReport.Sign.RECOVERED)))
        .isEmpty();
  }

  /** The pool, and one of another Service. */
  private PoolId twoDirtyPools() {
    map.change(local("default/api"));
    map.change(slice("s2", "default/api", "n4"));
    PoolId other = POOL.loadBalancer().pool("default-api");
    map.list(VIEW, new PoolView(other, "etag", false, List.of(), Set.of("auidapi-TCP-80"), true));
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.FAILING));
    map.send(new ServiceMapEvent.PoolReported(other, PoolReport.Sign.FAILING));
    return other;
  }

  @Test
  void dirtyPool_onAListing_isShownItOnly() {
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.FAILING));

    assertThat(map.list(VIEW)).containsExactly(show(POOL, VIEW, map.now()));
  }

  @Test
  void crashedPool_aSecondLater_isToldEverythingAnew() {
    Instant listed = map.state().index().orElseThrow().listedAt();
    assertThat(map.send(CRASH)).isEmpty();
    assertThat(map.state().wakeAt()).contains(map.now().plus(SECOND));

    assertThat(map.after(SECOND).send(new ServiceMapEvent.TimerDue()))
        .containsExactly(
            show(POOL, VIEW, listed),
            desire(exactly("n4=10.0.0.4")),
            new ServiceMapEffect.RequestListing(ListingCause.ASKED));
  }

  @Test
  void crashedPool_whatChangedMeanwhile_isToldWhenItBeginsAgain() {
    map.send(CRASH);

    assertThat(map.change(slice("s1", "default/web", "n5"))).isEmpty();
    assertThat(map.after(SECOND.minusNanos(1)).send(new ServiceMapEvent.TimerDue())).isEmpty();

    assertThat(map.after(Duration.ofNanos(1)).send(new ServiceMapEvent.TimerDue()))
        .contains(desire(exactly("n5=10.0.0.5")));
    assertThat(map.change(slice("s1", "default/web", "n4")))
        .containsExactly(desire(exactly("n4=10.0.0.4")));
  }

  @Test
  void crashedPool_againAndAgain_waitsTwiceAsLongUpToHalfAMinute() {
    assertThat(waits(7)).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
  }

  @Test
  void crashedPool_fiveMinutesAfterTheLastCrash_beginsAtASecondAgain() {
    waits(4);
    Instant last = map.state().pools().get(POOL).crashedAt().orElseThrow();

    map.after(Duration.between(map.now(), last.plus(Duration.ofMinutes(5)))).send(CRASH);

    assertThat(map.state().pools().get(POOL).respawnAt()).contains(map.now().plus(SECOND));
  }

  /** The pool crashes as soon as it lives again; the seconds it waited each time. */
  private List<Long> waits(int crashes) {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < crashes; i++) {
      map.send(CRASH);
      Instant respawn = map.state().pools().get(POOL).respawnAt().orElseThrow();
      Duration wait = Duration.between(map.now(), respawn);
      waits.add(wait.toSeconds());
      map.after(wait).send(new ServiceMapEvent.TimerDue());
    }
    return waits;
  }

  @Test
  void crashedPool_releasedMeanwhile_isToldNothingOfTheService() {
    map.send(CRASH);

    assertThat(map.send(new ServiceMapEvent.ServicesChanged(serviceGone("default/web")))).isEmpty();

    List<ServiceMapEffect> effects = map.after(SECOND).send(new ServiceMapEvent.TimerDue());

    assertThat(sent(effects, PoolEvent.Desire.class)).isEmpty();
  }

  @Test
  void crashedPool_thatWasDirty_isCleanUntilItSaysOtherwise() {
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.FAILING));
    map.send(CRASH);
    map.after(SECOND).send(new ServiceMapEvent.TimerDue());

    assertThat(map.state().pools().values()).noneMatch(LivePool::failing);
  }

  @Test
  void start_nothingKnown_listsAtOnce() {
    assertThat(new ServiceMapDriver().state().wakeAt()).contains(T0);
  }

  @Test
  void dirtyPool_forgotten_isDirtyNoMore() {
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.FAILING));
    map.list();
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.FAILING));

    assertThat(map.state().pools().values()).noneMatch(LivePool::failing);
  }

  @Test
  void crashedPool_forgottenMeanwhile_doesNotBeginAgain() {
    map.startListing();
    map.send(CRASH);

    List<ServiceMapEffect> effects = map.listed(ServiceFixtures.listing());

    assertThat(effects).containsExactly(new ServiceMapEffect.Forget(POOL));
    assertThat(map.after(SECOND).send(new ServiceMapEvent.TimerDue()))
        .noneMatch(ServiceMapEffect.ToPool.class::isInstance);
  }
}
