package io.poolkeeper.service;

import static io.poolkeeper.service.ServiceFixtures.cluster;
import static io.poolkeeper.service.ServiceFixtures.key;
import static io.poolkeeper.service.ServiceFixtures.local;
import static io.poolkeeper.service.ServiceFixtures.node;
import static io.poolkeeper.service.ServiceFixtures.pool;
import static io.poolkeeper.service.ServiceFixtures.rule;
import static io.poolkeeper.service.ServiceFixtures.show;
import static io.poolkeeper.service.ServiceFixtures.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceView;
import io.poolkeeper.pool.PoolReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is looked at, and how, when the cloud provider says that it has written pools. */
class ServiceMapLooksTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final PoolView[] VIEWS =
      IntStream.range(0, 9)
          .mapToObj(number -> view(number, "n4=10.0.0.4"))
          .toArray(PoolView[]::new);
  private static final PoolId POOL = VIEWS[0].id();
  private static final ServiceMapEffect LISTING =
      new ServiceMapEffect.RequestListing(ListingCause.PEER);
  private static final ServiceMapEffect LOOK = new ServiceMapEffect.RequestLook();

  private final ServiceMapDriver map = new ServiceMapDriver();

  private static PoolView view(int number, String... entries) {
    return pool("lb-1", "default-s" + number, Set.of(rule("uid-s" + number)), entries);
  }

  private static PoolView updating(PoolView view) {
    return new PoolView(view.id(), "", true, view.entries(), view.rules(), true);
  }

  /** Nine Services have a pool each; everything is known, and the last listing is a minute ago. */
  @BeforeEach
  void ready() {
    map.change(node("n4=10.0.0.4"));
    for (int number = 0; number < VIEWS.length; number++) {
      map.change(slice("s" + number, "default/s" + number, "n4"));
      map.change(local("default/s" + number));
    }
    map.sync(CacheKind.values());
    map.list(VIEWS);
    map.after(Duration.ofMinutes(10)).list(VIEWS);
    map.after(Duration.ofMinutes(1));
  }

  /** The provider has written the pools of so many Services; what is asked for when it is due. */
  private List<ServiceMapEffect> wrote(int services) {
    IntStream.range(0, services).forEach(this::wroteOne);
    return due();
  }

  private void wroteOne(int number) {
    assertThat(map.send(new ServiceMapEvent.PeerWrote(key("default/s" + number)))).isEmpty();
  }

  private List<ServiceMapEffect> due() {
    Instant due = map.state().wakeAt().orElseThrow();
    return map.after(Duration.between(map.now(), due)).send(new ServiceMapEvent.TimerDue());
  }

  private List<ServiceMapEffect> granted() {
    return map.send(new ServiceMapEvent.LookGranted());
  }

  private List<ServiceMapEffect> listingGranted() {
    return map.send(new ServiceMapEvent.ListingGranted());
  }

  /** What begins now, and is given up so many seconds later. */
  private ServiceMapEffect startLook() {
    return new ServiceMapEffect.StartLook(List.of(POOL), map.now(), map.now().plusSeconds(10));
  }

  private ServiceMapEffect startListing() {
    return new ServiceMapEffect.StartListing(map.now(), map.now().plusSeconds(60));
  }

  private List<ServiceMapEffect> looked(PoolView... views) {
    List<ServiceMapEffect> shown =
        Stream.of(views)
            .flatMap(view -> map.send(new ServiceMapEvent.PoolShown(view, map.now())).stream())
            .toList();
    assertThat(map.send(new ServiceMapEvent.Looked(List.of(views)))).isEmpty();
    return shown;
  }

  @Test
  void peerWrote_oneService_onlyItsPoolIsReadASecondLaterAndShown() {
    Instant heard = map.now();

    assertThat(wrote(1)).containsExactly(LOOK);
    assertThat(map.now()).isEqualTo(heard.plus(SECOND));
    assertThat(granted()).containsExactly(startLook());
    PoolView damaged = view(0);
    assertThat(looked(damaged)).containsExactly(show(POOL, damaged, map.now()));
    assertThat(map.state().schedule().peer()).isEqualTo(PeerLooks.NONE);
  }

  @Test
  void peerWrote_eightPools_areRead() {
    assertThat(wrote(8)).containsExactly(LOOK);
  }

  @Test
  void peerWrote_ninePools_areListed() {
    assertThat(wrote(9)).containsExactly(LISTING);
    assertThat(listingGranted()).containsExactly(startListing());
  }

  @Test
  void peerWrote_withoutEnd_isLookedAtOnceASecond() {
    Instant first = map.now();
    for (int look = 0; look < 10; look++) {
      wroteOne(look % 8);
      assertThat(due()).containsExactly(LOOK);
      granted();
      wroteOne((look + 1) % 8);
      looked(VIEWS[look % 8]);
      assertThat(map.state().schedule().peer().written()).as("no look %d again", look).hasSize(1);
    }

    assertThat(map.now()).isEqualTo(first.plusSeconds(10));
  }

  /** A look is no listing, and puts none off. */
  @Test
  void peerWrote_aListingIsDueByThen_serves() {
    map.change(local("default/new"));

    assertThat(wrote(1)).containsExactly(LISTING);
  }

  @Test
  void looked_leavesTheNextListingAsItWas() {
    Instant listing = map.state().schedule().due().orElseThrow();
    wrote(1);
    granted();

    looked(VIEWS[0]);

    assertThat(map.state().schedule().due()).contains(listing);
  }

  /** Its own retries read it, at the times that the refusal allows. */
  @Test
  void peerWrote_poolFails_isListed() {
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.FAILING));

    assertThat(wrote(1)).containsExactly(LISTING);
  }

  @Test
  void peerWrote_aServiceThatOwnsNoPool_asksForNothing() {
    Instant before = map.state().wakeAt().orElseThrow();

    map.send(new ServiceMapEvent.PeerWrote(key("default/other")));

    assertThat(map.state().wakeAt()).contains(before);
  }

  @Test
  void peerWaits_onlyForALoadBalancerServiceThatThereIs_counts() {
    Instant since = map.now().minus(SECOND);
    ServiceView plain =
        new ServiceView(key("default/plain"), "u", false, false, false, Set.of(IpFamily.IPV4), 1);
    map.change(plain, cluster("default/shop"));

    assertThat(waits("default/plain", since)).isEmpty();
    assertThat(waits("default/made-up", since)).isEmpty();
    assertThat(waits("default/shop", since))
        .containsExactly(new ServiceMapEffect.PeerWaits(key("default/shop"), since));
  }

  private List<ServiceMapEffect> waits(String service, Instant since) {
    return map.send(new ServiceMapEvent.PeerWaits(key(service), since));
  }

  @Test
  void looked_poolIsStillUpdating_isReadAgainAFewTimes() {
    wrote(1);
    Instant first = map.now();
    for (long pause : List.of(1, 2, 4, 8, 16)) {
      Instant before = map.now();
      granted();
      looked(updating(VIEWS[0]));
      assertThat(due()).containsExactly(LOOK);
      assertThat(map.now()).isEqualTo(before.plusSeconds(pause));
    }
    granted();
    looked(updating(VIEWS[0]));

    assertThat(map.state().schedule().peer()).isEqualTo(PeerLooks.NONE);
    assertThat(map.now()).isEqualTo(first.plusSeconds(31));
  }

  @Test
  void listed_poolIsStillUpdating_isReadAgain() {
    wrote(9);
    PoolView[] listed = VIEWS.clone();
    listed[0] = updating(VIEWS[0]);
    map.listed(ServiceFixtures.listing(listed));

    assertThat(due()).containsExactly(LOOK);
    assertThat(granted()).containsExactly(startLook());
  }

  @Test
  void shown_anotherGetHasNotEnded_isShownAtOnce() {
    wrote(2);
    granted();
    PoolView damaged = view(0);

    List<ServiceMapEffect> effects = map.send(new ServiceMapEvent.PoolShown(damaged, map.now()));

    assertThat(effects).containsExactly(show(POOL, damaged, map.now()));
  }

  /** The pool is deleted, or ARM refuses to show it. */
  @Test
  void lookFailed_aListingServes() {
    wrote(1);
    granted();

    assertThat(map.send(new ServiceMapEvent.LookFailed())).isEmpty();
    assertThat(due()).containsExactly(new ServiceMapEffect.RequestListing(ListingCause.ASKED));
    assertThat(listingGranted()).containsExactly(startListing());
  }

  @Test
  void looked_ruleIsGone_isShownAndAListingShowsWhereItIs() {
    wrote(1);
    granted();
    PoolView moved = pool("lb-1", "default-s0", Set.of(), "n4=10.0.0.4");

    assertThat(looked(moved)).containsExactly(show(POOL, moved, map.now()));
    assertThat(due()).containsExactly(new ServiceMapEffect.RequestListing(ListingCause.ASKED));
  }

  @Test
  void looked_poolWasForgottenMeanwhile_getsNoActorAgain() {
    wrote(1);
    granted();
    map.send(new ServiceMapEvent.ServicesChanged(ServiceFixtures.serviceGone("default/s0")));

    assertThat(looked(VIEWS[0])).isEmpty();
  }

  /** A look that hangs stops no listing, whatever that is for. */
  @ParameterizedTest
  @CsvSource({"LISTING_WANTED, 1", "READ_BACK_WANTED, 1", "LOOK_WANTED, 35"})
  void lookHangs_aListingIsAskedFor_begins(PoolReport.Sign sign, long seconds) {
    wrote(1);
    granted();
    Instant asked = map.now();
    map.send(new ServiceMapEvent.PoolReported(POOL, sign));

    assertThat(due()).hasSize(1).hasOnlyElementsOfType(ServiceMapEffect.RequestListing.class);
    assertThat(map.now()).isEqualTo(asked.plusSeconds(seconds));
  }

  @Test
  void lookHangs_anotherWordOfTheProvider_aListingServes() {
    wrote(1);
    granted();
    wroteOne(1);

    assertThat(due()).containsExactly(LISTING);
    assertThat(listingGranted()).containsExactly(startListing());
  }

  @Test
  void listingHangs_poolIsWritten_isReadBesideItASecondLater() {
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.LISTING_WANTED));
    due();
    listingGranted();
    map.after(Duration.ofSeconds(20));
    Instant heard = map.now();

    assertThat(wrote(1)).containsExactly(LOOK);
    assertThat(map.now()).isEqualTo(heard.plus(SECOND));
    assertThat(granted()).containsExactly(startLook());
  }

  @Test
  void listingHangs_ninePoolsAreWritten_waitForAnotherListing() {
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.LISTING_WANTED));
    due();
    listingGranted();

    for (int tries = 0; tries < 9; tries++) {
      assertThat(tries == 0 ? wrote(9) : due()).as("try %d", tries).isEmpty();
    }
    map.listed(ServiceFixtures.listing(VIEWS));

    assertThat(due()).containsExactly(LISTING);
  }

  /** At most one of each; and nothing wakes the map in vain. */
  @Test
  void bothHang_nothingElseBegins() {
    wrote(1);
    granted();
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.LISTING_WANTED));
    due();
    listingGranted();
    wroteOne(1);
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.LISTING_WANTED));
    map.after(Duration.ofHours(1));

    assertThat(map.send(new ServiceMapEvent.TimerDue())).isEmpty();
    assertThat(map.state().wakeAt()).isEmpty();
  }

  /** What each of two that run side by side has shown is kept apart. */
  @Test
  void looked_besideAListing_poolIsStillUpdating_isReadAgain() {
    wrote(1);
    granted();
    map.send(new ServiceMapEvent.PoolReported(POOL, PoolReport.Sign.LISTING_WANTED));
    due();
    listingGranted();
    map.listed(ServiceFixtures.listing(VIEWS));

    looked(updating(VIEWS[0]));

    assertThat(due()).containsExactly(LOOK);
    assertThat(granted()).containsExactly(startLook());
  }

  @Test
  void listingFailed_whatItWasToServeIsServedByTheNext() {
    wrote(9);
    listingGranted();
    map.send(new ServiceMapEvent.ListingFailed(ServiceFixtures.FORBIDDEN));
    assertThat(due()).containsExactly(new ServiceMapEffect.RequestListing(ListingCause.ASKED));
    PoolView[] listed = VIEWS.clone();
    listed[0] = updating(VIEWS[0]);

    map.listed(ServiceFixtures.listing(listed));

    assertThat(due()).containsExactly(LOOK);
  }

  /** It may have waited for a read token, or have been given up and begun anew. */
  @Test
  void listed_countsFromItsOwnStart() {
    wrote(9);
    map.after(Duration.ofSeconds(20));
    assertThat(listingGranted()).containsExactly(startListing());
    Instant began = map.now();
    map.after(Duration.ofSeconds(30));

    assertThat(map.send(new ServiceMapEvent.Listed(ServiceFixtures.listing(VIEWS), began)))
        .contains(show(POOL, VIEWS[0], began));
  }
}
