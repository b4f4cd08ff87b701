package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.API_2;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectEvent.Type;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.pool.Leftover.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** State that should not exist is listed, and found once (spec 4, Detection). */
class LeftoversTest {
  private static final String[] BOTH = {"n4=10.0.0.4", "n5=10.0.0.5"};
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final ObjectReference WEB =
      new ObjectReference.OfService(PoolFixtures.WEB, WEB_1.uid());

  private static PoolDriver fresh() {
    return new PoolDriver(PoolFixtures.LIMITS);
  }

  private static PoolDriver settled() {
    return PoolDriver.settled(WEB_1, BOTH).after(MINUTE);
  }

  private static PoolEvent nodes(PoolDriver pool, long version, String... leaving) {
    return new PoolEvent.NodesOutOfService(leaving(version, leaving), pool.now());
  }

  private static List<PoolEffect.Found> found(List<PoolEffect> effects) {
    return effects.stream()
        .filter(PoolEffect.Found.class::isInstance)
        .map(PoolEffect.Found.class::cast)
        .toList();
  }

  private static PoolEffect.Found found(ObjectReference about, Kind kind, String what) {
    String text =
        "Found state that should not exist in backend pool lb-1/default-web: %s. It is put right."
            .formatted(what);
    ObjectEvent event = new ObjectEvent(about, Type.WARNING, "LoadBalancerLeftoverFound", text);
    return new PoolEffect.Found(kind, 1, text, List.of(event));
  }

  private static Leftover leftover(Kind kind, String node) {
    return new Leftover(
        kind,
        node,
        Optional.of(Address.of("10.0.0." + node.substring(1))),
        Optional.of(new NodeKey(node)));
  }

  @Test
  void start_addressThatNoServiceWants_isFoundAndListed() {
    PoolDriver pool = fresh();
    assertThat(found(pool.observed(T0, BOTH))).as("no Service owns the pool").isEmpty();

    assertThat(found(pool.send(desire(WEB_1, "n4=10.0.0.4"))))
        .containsExactly(
            found(WEB, Kind.ADDRESS, "entries that no Service wants (1, such as n5 (10.0.0.5))"));

    assertThat(pool.state().leftovers().since())
        .containsExactlyEntriesOf(
            Map.of(
                new Leftover(
                    Kind.ADDRESS, "n5", Optional.of(Address.of("10.0.0.5")), Optional.empty()),
                T0));
  }

  /** It is listed, and the process itself is to write it. */
  @Test
  void start_addressOfAChangeThatFellIntoIt_isListed_butNotFound() {
    PoolDriver pool = fresh();
    pool.observed(T0, BOTH);
    PoolEvent.Desire late = (PoolEvent.Desire) desire(WEB_1, "n4=10.0.0.4");

    List<PoolEffect> effects =
        pool.send(new PoolEvent.Desire(late.assignment(), late.level(), true));

    assertThat(found(effects)).isEmpty();
    assertThat(pool.state().leftovers().since()).hasSize(1).containsValue(T0);
  }

  @Test
  void start_nodeThatCameBackDuringIt_isNotFound() {
    PoolDriver pool = fresh();
    pool.send(nodes(pool, 2));
    pool.observed(T0, "n4=10.0.0.4 Down", "n5=10.0.0.5");

    assertThat(found(pool.send(desire(WEB_1, BOTH)))).isEmpty();
    assertThat(pool.state().leftovers().since()).containsOnlyKeys(leftover(Kind.DOWN, "n4"));
  }

  @Test
  void start_whileWhatTheServiceWantsIsUnknown_noAddressIsFound() {
    PoolDriver pool = fresh();
    pool.observed(T0, BOTH);

    assertThat(found(pool.send(new PoolEvent.Desire(WEB_1, unknown())))).isEmpty();
  }

  /** The way of every rolling restart: the pool is behind because the change is new. */
  @Test
  void change_ofWhatAServiceWants_isListedUntilWritten_butNotFound() {
    PoolDriver pool = settled();

    assertThat(found(pool.send(desire(WEB_1, "n4=10.0.0.4")))).isEmpty();
    assertThat(pool.state().leftovers().since()).hasSize(1).containsValue(pool.now());

    pool.toWriting(BOTH).written();
    assertThat(pool.state().leftovers().since()).isEmpty();
  }

  @Test
  void listing_addressAddedByAnother_isFoundOnce() {
    PoolDriver pool = settled();
    String[] more = {"n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6"};

    assertThat(found(pool.observed(pool.now(), more)))
        .containsExactly(
            found(WEB, Kind.ADDRESS, "entries that no Service wants (1, such as n6 (10.0.0.6))"));
    assertThat(found(pool.observed(pool.now(), more))).isEmpty();
  }

  @Test
  void start_entryLeftDown_isFoundOnTheService_andItsAgeCountsFromTheFirstLook() {
    PoolDriver pool = fresh();
    pool.send(nodes(pool, 1));
    pool.observed(T0, "n4=10.0.0.4 Down", "n5=10.0.0.5");

    List<PoolEffect> effects = pool.after(MINUTE).send(desire(WEB_1, BOTH));

    assertThat(found(effects))
        .containsExactly(
            found(
                WEB,
                Kind.DOWN,
                "entries that are Down although their nodes are in service"
                    + " (1, such as n4 (10.0.0.4))"));
    assertThat(pool.state().leftovers().since())
        .containsExactlyEntriesOf(Map.of(leftover(Kind.DOWN, "n4"), T0));
  }

  @Test
  void listing_stateOfANodeInAPoolOfNoService_isFoundOnTheNode() {
    PoolDriver pool = fresh();
    pool.send(nodes(pool, 1, "n5"));
    pool.observed(T0, "n4=10.0.0.4 Down", "n5=10.0.0.5 Down");

    assertThat(found(pool.send(PoolFixtures.granted(1))))
        .containsExactly(
            found(
                new ObjectReference.OfNode(new NodeKey("n4"), "n4"),
                Kind.DOWN,
                "entries that are Down although their nodes are in service"
                    + " (1, such as n4 (10.0.0.4))"));
  }

  @Test
  void start_entryOfANodeThatLeftBefore_isFound() {
    PoolDriver pool = fresh();
    pool.send(nodes(pool, 1, "n4"));

    assertThat(found(pool.observed(T0, BOTH))).as("who owns the pool is not said yet").isEmpty();
    assertThat(found(pool.send(desire(WEB_1, BOTH))))
        .extracting(PoolEffect.Found::kind)
        .containsExactly(Kind.NOT_DOWN);
  }

  @Test
  void signal_whileTheProcessRuns_isNoLeftoverFound_butTheRevertOfItsWriteIs() {
    PoolDriver pool = settled();
    pool.send(nodes(pool, 1));
    pool.observed(pool.now(), BOTH);
    assertThat(found(pool.send(nodes(pool, 2, "n4")))).isEmpty();
    assertThat(pool.state().leftovers().since())
        .containsExactlyEntriesOf(Map.of(leftover(Kind.NOT_DOWN, "n4"), pool.now()));
    pool.send(PoolFixtures.granted(1));
    pool.read(BOTH);
    assertThat(found(pool.after(Duration.ofSeconds(1)).written())).isEmpty();
    assertThat(pool.state().leftovers().since()).isEmpty();
    assertThat(found(pool.observed(pool.now(), "n4=10.0.0.4 Down", "n5=10.0.0.5"))).isEmpty();

    assertThat(found(pool.after(MINUTE).observed(pool.now(), BOTH)))
        .extracting(PoolEffect.Found::kind)
        .containsExactly(Kind.NOT_DOWN);
  }

  /** A cleanup that asks one owner only removes what another one uses, again and again. */
  @Test
  void cleanup_ofAPoolWithTwoOwners_removesOnlyWhatNeitherWants() {
    PoolDriver pool = fresh();
    String[] all = {"n4=10.0.0.4", "n5=10.0.0.5", "n6=10.0.0.6"};
    pool.observed(T0, all);
    pool.send(new PoolEvent.Desire(API_2, unknown()));
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    assertThat(pool.state().leftovers().since()).as("what the other wants is unknown").isEmpty();

    pool.send(desire(API_2, "n5=10.0.0.5"));

    assertThat(pool.state().leftovers().since().keySet())
        .extracting(Leftover::entry)
        .containsExactly("n6");
    pool.toReading();
    assertThat(pool.read(all)).contains(pool.write("-10.0.0.6"));
  }

  @Test
  void listing_thatBeganInTheInstantOfAWrite_findsNothing() {
    PoolDriver pool = settled();
    pool.send(desire(WEB_1, "n4=10.0.0.4"));
    pool.after(MINUTE).toWriting(BOTH).written();

    assertThat(found(pool.observed(pool.now(), BOTH))).isEmpty();
  }

  @Test
  void lostWatch_nothingIsFound() {
    PoolDriver pool = settled();
    pool.send(new PoolEvent.WatchLost(1));

    assertThat(found(pool.observed(pool.now(), "n4=10.0.0.4", "n6=10.0.0.6"))).isEmpty();
  }
}
