package io.poolkeeper.status;

import static io.poolkeeper.status.Pools.KNOWN;
import static io.poolkeeper.status.Pools.SELF;
import static io.poolkeeper.status.Pools.T0;
import static io.poolkeeper.status.Pools.failing;
import static io.poolkeeper.status.Pools.forbidden;
import static io.poolkeeper.status.Pools.pool;
import static io.poolkeeper.status.Pools.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.poolkeeper.lock.PauseView;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.ArmFailure.Kind;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.Pause;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.node.NodeDriver;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.pool.WouldWrite;
import io.poolkeeper.ratelimit.Obstacle;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.MissingPool;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One sentence first; equal causes are one line. */
class ReportTest {
  private static Report report(Snapshot snapshot) {
    return Report.of(snapshot, Optional.of("pk-2"), SELF, T0);
  }

  private static String sentence(Report report) {
    return report.headline().text() + report.headline().rest();
  }

  @Test
  void of_poolsInSync_saysSo() {
    Report report = report(snapshot(KNOWN, pool("a", State.IDLE), pool("b", State.IDLE)));

    assertThat(sentence(report)).isEqualTo("All 2 pools are in sync.");
    assertThat(report.headline().tone()).isEqualTo(Tone.OK);
    assertThat(report.causes()).isEmpty();
  }

  @Test
  void of_aPoolThatIsNotManaged_isNeitherBehindNorTheHeadline() {
    PoolStatus out = PoolStatus.optedOut(Pools.EDGE.pool("x"), Set.of(), "its Namespace says so");

    Report report = report(snapshot(KNOWN, out, pool("a", State.IDLE)));

    assertThat(sentence(report)).isEqualTo("The pool is in sync.");
    assertThat(report.causes())
        .extracting(CauseLine::cause)
        .containsExactly(new Cause.NotManaged("its Namespace says so"));
    assertThat(report.pools().getFirst().label()).isEqualTo("Not managed");
    assertThat(report.pools().getFirst().behind()).isFalse();
  }

  @Test
  void of_noPool_saysWhy() {
    assertThat(sentence(report(snapshot(KNOWN)))).isEqualTo("No pool is followed.");
  }

  @Test
  void of_startBesideSomethingElse_saysBoth() {
    ArmFailure refused = new ArmFailure(Kind.RESPONSE, 403, "AuthorizationFailed", "");
    Knowledge starts =
        new Knowledge(
            Set.of(),
            Set.of(),
            true,
            true,
            true,
            Map.of(),
            Optional.empty(),
            new TreeMap<>(Map.of("edge", refused)),
            Map.of(),
            Map.of());

    Report report = report(snapshot(starts));

    assertThat(sentence(report))
        .isEqualTo(
            "Poolkeeper is starting. Load balancers of the resource group edge cannot be listed:"
                + " HTTP 403 AuthorizationFailed.");
    assertThat(report.headline().tone()).isEqualTo(Tone.NEED);
  }

  @Test
  void of_leaderWithoutAListingOfItsOwn_isStarting_thoughItHadOneOnStandby() {
    Knowledge starts =
        new Knowledge(
            KNOWN.synced(),
            Set.of(),
            true,
            true,
            true,
            Map.of(),
            Optional.empty(),
            new TreeMap<>(),
            Map.of(),
            Map.of());

    Report report = report(snapshot(starts));

    assertThat(sentence(report)).isEqualTo("Poolkeeper is starting.");
    assertThat(report.headline().tone()).isEqualTo(Tone.MOVE);
    assertThat(report.causes()).extracting(CauseLine::cause).containsExactly(new Cause.Starting());
  }

  @Test
  void of_lostWatchBesideAFailedListing_showsTheFailureWhereItBelongs() {
    ArmFailure silent = new ArmFailure(ArmFailure.Kind.TRANSPORT, 0, "", "no answer");
    Knowledge knowledge =
        new Knowledge(
            Set.of(), Set.of(CacheKind.NODES), false, true, Map.of(), Optional.of(silent));

    List<CauseLine> causes = report(snapshot(knowledge)).causes();

    assertThat(causes)
        .extracting(CauseLine::cause, CauseLine::failure)
        .containsExactly(
            tuple(new Cause.AzureUnreachable(), Optional.of(silent)),
            tuple(Cause.WatchLost.of(Set.of(CacheKind.NODES)), Optional.empty()));
  }

  @Test
  void of_poolsThatAreRefused_needsAPerson_andNamesTheWorst() {
    PoolStatus worst =
        pool(
            "login",
            State.FAILED,
            "",
            Pools.ONE_MISSING,
            Optional.of(forbidden()),
            1,
            3,
            WouldWrite.NOTHING);

    Report report =
        report(
            snapshot(KNOWN, failing("a", State.FAILED, forbidden()), worst, pool("b", State.IDLE)));

    assertThat(sentence(report))
        .isEqualTo("2 Services have fewer nodes than wanted: a right to write lb-edge is missing.");
    assertThat(report.headline().tone()).isEqualTo(Tone.NEED);
    assertThat(report.headline().todo()).isEqualTo("Needs you: grant the right, then wait.");
    assertThat(report.headline().more()).isEqualTo("shop/login is down to 1 of 3 nodes.");
    assertThat(report.headline().until()).as("waiting does not help").isEmpty();
    assertThat(report.headline().untilWhat()).isEmpty();
    CauseLine cause = report.causes().getFirst();
    assertThat(cause.until()).contains(T0.plusSeconds(18));
    assertThat(report.causes()).hasSize(1);
    assertThat(cause.pools()).isEqualTo(2);
    assertThat(cause.since()).contains(T0.minusSeconds(40));
    assertThat(cause.fewest().orElseThrow().right()).isEqualTo(1);
    assertThat(cause.failure()).contains(forbidden());
  }

  @Test
  void evidence_ofAnyCause_isAzuresTextInFull() {
    ArmFailure failed =
        new ArmFailure(
            Kind.OPERATION,
            0,
            "ReferencedResourceNotProvisioned",
            "the accepted write ended as Failed: it uses /nics/vm-7 in state Failed");
    for (ArmFailure one : List.of(forbidden(), failed)) {
      Report report = report(snapshot(KNOWN, failing("a", State.FAILED, one)));

      assertThat(report.causes()).extracting(CauseLine::evidence).containsExactly(one.toString());
    }
  }

  @Test
  void of_twoCauses_putsFirstWhatNeedsAPerson() {
    Report report =
        report(
            snapshot(
                KNOWN,
                pool("a", State.PARKED),
                pool("b", State.PARKED),
                failing("c", State.FAILED, forbidden())));

    assertThat(report.causes()).extracting(CauseLine::pools).containsExactly(1, 2);
    assertThat(sentence(report))
        .isEqualTo("1 Service has fewer nodes than wanted: a right to write lb-edge is missing.");
  }

  @Test
  void of_nodesThatLeave_isAboutThem() {
    Difference drains =
        new Difference(0, 0, 1, 0, Set.of(new NodeKey("n1")), true, false, Optional.empty());
    PoolStatus waits =
        pool("a", State.WAITING, "", drains, Optional.empty(), 4, 4, WouldWrite.NOTHING);
    NodesView nodes =
        NodeDriver.synced(NodeDriver.node("n1", NodeDriver.OUT))
            .appeared("a")
            .reported("a", 1, "n1")
            .view();
    Snapshot one = snapshot(KNOWN, nodes, PauseView.NONE, waits, pool("b", State.IDLE));

    assertThat(sentence(report(one)))
        .isEqualTo("1 node is leaving; 1 pool still sends it new connections.");
    assertThat(report(one).pools().getFirst().why())
        .isEqualTo("Node leaving: writes of lb-edge go one after the other");
  }

  @Test
  void of_pauseWithoutAChange_saysUntilWhen() {
    Pause pause = new Pause(T0.plusSeconds(60), T0.plusSeconds(60), "INC-1", false);
    Snapshot paused =
        snapshot(
            KNOWN,
            NodesView.UNKNOWN,
            new PauseView(Optional.of(pause), Optional.empty()),
            pool("a", State.IDLE));

    assertThat(sentence(report(paused)))
        .isEqualTo("The pool is in sync; Poolkeeper is paused until 2026-11-25T02:14:24Z.");
  }

  @Test
  void of_standby_namesTheLeader() {
    Knowledge standby =
        new Knowledge(KNOWN.synced(), Set.of(), true, false, Map.of(), Optional.empty());

    assertThat(sentence(report(snapshot(standby))))
        .isEqualTo("This replica is on standby; pk-2 leads.");
  }

  @Test
  void of_standbyThatHasLostAWatch_saysSo() {
    Knowledge blind =
        new Knowledge(
            KNOWN.synced(), Set.of(CacheKind.NODES), true, false, Map.of(), Optional.empty());

    Report report = report(snapshot(blind));

    assertThat(sentence(report))
        .isEqualTo(
            "This replica is on standby; pk-2 leads. The API server's watch of nodes is lost.");
    assertThat(report.headline().tone()).isEqualTo(Tone.WAIT);
  }

  @Test
  void of_standbyThatMayNotListLoadBalancers_needsAPerson() {
    Knowledge refused =
        new Knowledge(KNOWN.synced(), Set.of(), false, false, Map.of(), Optional.of(forbidden()));

    Report report = report(snapshot(refused));

    assertThat(sentence(report))
        .startsWith("This replica is on standby; pk-2 leads. Azure refuses");
    assertThat(report.headline().tone()).isEqualTo(Tone.NEED);
  }

  @Test
  void of_listingThatFails_isNotWhyPoolsGatherChanges() {
    Knowledge failing =
        new Knowledge(
            KNOWN.synced(),
            Set.of(),
            true,
            true,
            Map.of(),
            Optional.of(new ArmFailure(Kind.AUTHENTICATION, 0, "", "no token")));

    Report report = report(snapshot(failing, pool("a", State.GATHERING), pool("b", State.IDLE)));

    assertThat(sentence(report))
        .isEqualTo(
            "1 of 2 pools is behind: the writes of a pool are spaced."
                + " Azure's identity provider gives no token.");
    assertThat(report.headline().todo()).isEqualTo("Needs you: look at the credential.");
  }

  @Test
  void of_replicaThatKnowsOfNoLeader_needsAPerson() {
    Knowledge standby =
        new Knowledge(KNOWN.synced(), Set.of(), true, false, Map.of(), Optional.empty());

    Report report = Report.of(snapshot(standby), Optional.empty(), SELF, T0);

    assertThat(sentence(report)).isEqualTo("No replica is known to lead.");
    assertThat(report.headline().tone()).isEqualTo(Tone.NEED);
    assertThat(report.headline().todo()).startsWith("Needs you: if it lasts for seconds, read");
  }

  @Test
  void of_listingThatFails_isTheHeadline_thoughNoPoolIsBehind() {
    Knowledge failing =
        new Knowledge(
            KNOWN.synced(),
            Set.of(),
            true,
            true,
            Map.of(),
            Optional.of(new ArmFailure(Kind.AUTHENTICATION, 0, "", "no token")));

    Report report = report(snapshot(failing, pool("a", State.IDLE)));

    assertThat(sentence(report))
        .isEqualTo(
            "Azure's identity provider gives no token; the pools that are known are in sync.");
    assertThat(report.headline().todo()).isEqualTo("Needs you: look at the credential.");
  }

  @Test
  void of_groupsThatCannotBeListed_areTheHeadlineByName_thoughNoPoolIsBehind() {
    ArmFailure refused = new ArmFailure(Kind.RESPONSE, 403, "AuthorizationFailed", "no");
    ArmFailure silent = new ArmFailure(Kind.TRANSPORT, 0, "", "no answer within 10 s");
    Knowledge unread =
        Pools.known(Map.of("blind", refused, "edge", refused, "hangs", silent), Map.of(), Map.of());

    Report report = report(snapshot(unread, pool("a", State.IDLE)));

    assertThat(sentence(report))
        .isEqualTo(
            "Load balancers of the resource groups blind, edge cannot be listed: HTTP 403"
                + " AuthorizationFailed; the pools that are known are in sync.");
    assertThat(report.headline().tone()).isEqualTo(Tone.NEED);
    assertThat(report.causes().getLast().text().title())
        .isEqualTo("Load balancers of the resource group hangs cannot be listed: an error");
    assertThat(report.causes())
        .extracting(CauseLine::evidence)
        .containsExactly(refused.inFull(), silent.inFull());
  }

  @Test
  void of_servicesWithoutAPool_areTheHeadline_byNameAndWhere() {
    Map<ServiceKey, MissingPool> missing =
        Map.of(
            new ServiceKey("shop", "web"),
            new MissingPool(T0, Optional.of(Pools.EDGE)),
            new ServiceKey("shop", "api"),
            new MissingPool(T0.minusSeconds(120), Optional.empty()),
            new ServiceKey("shop", "new"),
            new MissingPool(T0.minusSeconds(119), Optional.empty()));
    Knowledge known = Pools.known(Map.of(), Map.of(), missing);

    Report report = report(snapshot(known, pool("a", State.IDLE)));

    assertThat(report.headline().tone()).isEqualTo(Tone.NEED);
    assertThat(report.causes())
        .extracting(line -> line.text().title())
        .containsExactlyInAnyOrder(
            "No pool is followed for shop/web: the cloud provider's is on " + Pools.EDGE.name(),
            "No pool is followed for shop/api");
    assertThat(sentence(report))
        .startsWith("No pool is followed for shop/")
        .endsWith("; the pools that are known are in sync.");
    assertThat(sentence(report(snapshot(known)))).startsWith("No pool is followed for shop/");
  }

  @Test
  void line_inLineForAPermit_saysItsPlace_andEstimatesItsPermit() {
    Surroundings line = Pools.waits("a", Obstacle.TURN);
    Surroundings written =
        new Surroundings(
            T0,
            Optional.empty(),
            line.waiting(),
            Optional.empty(),
            Set.of(),
            new Recent.View(
                Map.of(), Map.of(Pools.EDGE, Duration.ofSeconds(3)), List.of(), List.of(), T0, 0));

    PoolLine unknown = PoolLine.of(pool("a", State.WAITING), line);
    PoolLine known = PoolLine.of(pool("a", State.WAITING), written);

    assertThat(unknown.why()).isEqualTo("Writes of lb-edge go one after the other; 2nd in line");
    assertThat(unknown.until()).contains(T0.plusSeconds(5));
    assertThat(unknown.exactness()).isEqualTo(Exactness.LATEST);
    assertThat(known.until()).contains(T0.plusSeconds(6));
    assertThat(known.exactness()).isEqualTo(Exactness.ESTIMATE);
  }
}
