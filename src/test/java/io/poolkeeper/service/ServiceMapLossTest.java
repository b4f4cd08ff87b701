package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.exactly;
import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.sent;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolReport;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which pools hear of lost watches, when, and in which order. */
class ServiceMapLossTest {
  private static final PoolId POOL = webPoolId("lb-1");
  private static final PoolView VIEW = webPool("lb-1", "n4=10.0.0.4");

  private final ServiceMapDriver map = new ServiceMapDriver();

  @BeforeEach
  void ready() {
    map.change(node("n4=10.0.0.4"));
    map.change(slice("s1", "default/web", "n4"), slice("s2", "default/api", "n4"));
    map.change(local("default/web"));
    map.sync(CacheKind.values());
    map.list(VIEW);
  }

  private List<ServiceMapEffect> lose(CacheKind kind) {
    return map.send(new ServiceMapEvent.WatchLost(kind));
  }

  private List<ServiceMapEffect> listAnew(CacheKind kind) {
    return map.send(new ServiceMapEvent.CacheSynced(kind));
  }

  private static ServiceMapEffect send(PoolEvent event) {
    return new ServiceMapEffect.Send(POOL, event);
  }

  @Test
  void watchLost_theFirst_isSentWithTheNextNumber() {
    assertThat(lose(CacheKind.NODES)).containsExactly(send(new PoolEvent.WatchLost(2)));

    assertThat(lose(CacheKind.ENDPOINT_SLICES)).isEmpty();
  }

  @Test
  void cacheSynced_theLastOfSeveral_endsTheLoss() {
    lose(CacheKind.NODES);
    lose(CacheKind.ENDPOINT_SLICES);

    assertThat(listAnew(CacheKind.NODES)).isEmpty();
    assertThat(listAnew(CacheKind.ENDPOINT_SLICES))
        .containsExactly(send(new PoolEvent.WatchesLive()));
    assertThat(listAnew(CacheKind.ENDPOINT_SLICES)).isEmpty();
  }

  @Test
  void poolThatIsNewDuringALoss_hearsOfItBeforeAnythingElse() {
    lose(CacheKind.NODES);
    map.change(local("default/api"));
    PoolId api = POOL.loadBalancer().pool("default-api");

    List<ServiceMapEffect> effects =
        map.list(VIEW, new PoolView(api, "etag", false, List.of(), Set.of("auidapi-TCP-80")));

    assertThat(effects.stream().filter(effect -> effect.toString().contains("default-api")))
        .first()
        .isEqualTo(new ServiceMapEffect.Send(api, new PoolEvent.WatchLost(2)));
  }

  @Test
  void poolWhoseActorIsReplacedDuringALoss_hearsOfItFirst() {
    lose(CacheKind.NODES);
    map.send(new ServiceMapEvent.PoolCrashed(POOL));

    List<ServiceMapEffect> effects =
        map.after(Duration.ofSeconds(1)).send(new ServiceMapEvent.TimerDue());

    assertThat(effects).startsWith(send(new PoolEvent.WatchLost(2)));
    assertThat(sent(effects, PoolEvent.Desire.class)).hasSize(1);
  }

  @Test
  void poolWhoseActorIsReplacedAfterALoss_hearsOfNone() {
    lose(CacheKind.NODES);
    map.send(new ServiceMapEvent.PoolCrashed(POOL));
    assertThat(listAnew(CacheKind.NODES)).isEmpty();

    List<ServiceMapEffect> effects =
        map.after(Duration.ofSeconds(1)).send(new ServiceMapEvent.TimerDue());

    assertThat(sent(effects, PoolEvent.WatchLost.class)).isEmpty();
  }

  @Test
  void changesDuringALoss_areSentAsEver() {
    lose(CacheKind.NODES);

    assertThat(sent(map.change(slice("s1", "default/web")), PoolEvent.Desire.class))
        .singleElement()
        .satisfies(
            sent -> assertThat(((PoolEvent.Desire) sent.event()).level()).isEqualTo(exactly()));
  }

  @Test
  void lookWanted_isServedAfterVerifyAfter() {
    map.list(VIEW);
    map.after(Duration.ofMinutes(2)).list(VIEW);

    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.LOOK_WANTED));

    assertThat(map.state().wakeAt()).contains(map.now().plus(ServiceFixtures.VERIFY_AFTER));
    assertThat(map.after(ServiceFixtures.VERIFY_AFTER).send(new ServiceMapEvent.TimerDue()))
        .containsExactly(new ServiceMapEffect.RequestListing(ListingCause.LOOK));
    assertThat(map.state().assigned()).containsOnlyKeys(key("default/web"));
  }
}
