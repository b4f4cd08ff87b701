package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.RESYNC;
import static io.poolkeeper.service.ServiceFixtures.T0;
import static io.poolkeeper.service.ServiceFixtures.VERIFY_AFTER;
import static io.poolkeeper.service.ServiceFixtures.exactly;
import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.listing;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.sentTo;
import static io.poolkeeper.service.ServiceFixtures.show;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static io.poolkeeper.service.ServiceFixtures.webPool;
import static io.poolkeeper.service.ServiceFixtures.webPoolId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.PoolEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica that does not lead mirrors everything and tells no pool anything. */
class ServiceMapStandbyTest {
  private static final PoolId POOL = webPoolId("lb-1");
  private static final PoolView EMPTY = webPool("lb-1");
  private static final PoolView FULL = webPool("lb-1", "n4=10.0.0.4");

  private final ServiceMapDriver map = ServiceMapDriver.standby();

  /** Everything is known, and listed. */
  @BeforeEach
  void warm() {
    map.change(node("n4=10.0.0.4"));
    map.change(slice("s1", "default/web", "n4"));
    map.change(local("default/web"));
    map.sync(CacheKind.values());
    assertThat(map.list(EMPTY)).isEmpty();
  }

  private static List<ServiceMapEffect> begin(PoolView shown, Instant listedAt, boolean fresh) {
    Assignment web = new Assignment(key("default/web"), "uid-web", 1, "auidweb");
    return List.of(
        show(POOL, shown, listedAt),
        new ServiceMapEffect.Send(POOL, new PoolEvent.Desire(web, exactly("n4=10.0.0.4"), fresh)));
  }

  @Test
  void changes_areMirrored_andCostNoListingBeforeTheResync() {
    map.after(Duration.ofMinutes(1));

    assertThat(map.change(slice("s2", "default/api", "n4"))).isEmpty();
    assertThat(map.change(local("default/api"))).isEmpty();
    assertThat(map.send(new ServiceMapEvent.PeerWrote(key("default/web")))).isEmpty();
    assertThat(map.state().schedule().due()).contains(T0.plus(RESYNC));
    assertThat(map.state().pools()).isEmpty();
  }

  @Test
  void lead_listsAtOnce_andTellsOnlyWhatThatListingShows() {
    map.after(Duration.ofMinutes(1));
    Instant led = map.now();

    assertThat(map.send(new ServiceMapEvent.Lead())).isEmpty();
    assertThat(map.change(slice("s1", "default/web", "n4"))).as("not fresh yet").isEmpty();

    assertThat(map.state().schedule().due()).contains(led);
    assertThat(map.list(FULL)).containsExactlyElementsOf(begin(FULL, led, true));
  }

  @Test
  void lead_whileAListingIsUnderWay_waitsForTheNext() {
    map.after(RESYNC);
    map.startListing();
    map.after(Duration.ofSeconds(1));
    Instant led = map.now();
    map.send(new ServiceMapEvent.Lead());

    assertThat(map.listed(listing(EMPTY))).as("begun before").isEmpty();

    assertThat(map.list(FULL)).containsExactlyElementsOf(begin(FULL, led, false));
  }

  /** Even if all was right: the cloud provider may yet act on what the leader before wrote. */
  @Test
  void lead_allIsRight_isLookedAtThreeTimes() {
    map.after(Duration.ofMinutes(1));
    Instant led = map.now();
    map.send(new ServiceMapEvent.Lead());
    map.list(FULL);

    for (long seconds : List.of(35, 120, 300)) {
      map.list(FULL);
      assertThat(map.now()).isEqualTo(led.plusSeconds(seconds));
    }
    assertThat(map.state().schedule().due()).contains(map.now().plus(RESYNC));
  }

  @Test
  void lead_withoutElection_isLookedAtThreeTimes() {
    ServiceMapState leads = ServiceMapState.initial(true, T0, RESYNC, VERIFY_AFTER);
    ServiceMapState never = ServiceMapState.initial(true, T0, RESYNC, Duration.ZERO);

    assertThat(leads.schedule().looks().due())
        .containsExactly(T0.plusSeconds(35), T0.plusSeconds(120), T0.plusSeconds(300));
    assertThat(never.schedule().looks().due()).isEmpty();
  }

  private List<PoolEvent.Desire> desired(List<ServiceMapEffect> effects) {
    return sentTo(POOL, effects).stream()
        .filter(PoolEvent.Desire.class::isInstance)
        .map(PoolEvent.Desire.class::cast)
        .toList();
  }

  /** Nobody has left behind what a change is about that comes while the leader starts. */
  @Test
  void change_whileTheLeaderStarts_isSaidToBeFresh() {
    map.after(Duration.ofMinutes(1)).send(new ServiceMapEvent.Lead());
    map.change(slice("s1", "default/web"));

    assertThat(desired(map.list(FULL)))
        .extracting(PoolEvent.Desire::level, PoolEvent.Desire::fresh)
        .containsExactly(tuple(exactly(), true));
    assertThat(desired(map.change(slice("s1", "default/web", "n4"))))
        .extracting(PoolEvent.Desire::fresh)
        .containsExactly(false);
  }

  @Test
  void change_onStandby_isNotFreshWhenTheLeaderStarts() {
    map.change(slice("s1", "default/web"));
    map.after(Duration.ofMinutes(1)).send(new ServiceMapEvent.Lead());

    assertThat(desired(map.list(FULL))).extracting(PoolEvent.Desire::fresh).containsExactly(false);
  }

  @Test
  void lead_again_isNoNews() {
    map.send(new ServiceMapEvent.Lead());
    map.list(FULL);
    ServiceMapState before = map.state();

    map.send(new ServiceMapEvent.Lead());

    assertThat(map.state()).isEqualTo(before);
  }
}
