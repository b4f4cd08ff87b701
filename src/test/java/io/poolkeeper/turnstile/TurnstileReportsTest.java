package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.T0;
import static io.poolkeeper.turnstile.TurnstileDriver.balancer;
import static io.poolkeeper.turnstile.TurnstileDriver.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.lock.LeaseDemand;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileActor.Answer;
import io.poolkeeper.turnstile.TurnstileActor.Command;
import io.poolkeeper.turnstile.TurnstileActor.Granted;
import io.poolkeeper.turnstile.TurnstileActor.Recalled;
import io.poolkeeper.turnstile.TurnstileActor.RequestTurn;
import io.poolkeeper.turnstile.TurnstileActor.ReturnTurn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** What the turnstile's actor tells its observer, and what it writes into the log. */
class TurnstileReportsTest {
  private record Grant(Lane lane, Duration waited, Duration limited) {}

  private static final Logger LOG = (Logger) LoggerFactory.getLogger(TurnstileActor.class);

  private final List<TurnstileView> views = new ArrayList<>();
  private final List<Grant> grants = new ArrayList<>();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final TestInbox<Answer> granted = TestInbox.create();
  private final List<LookResult> looks = new ArrayList<>();
  private CompletableFuture<PoolDocument> look = new CompletableFuture<>();
  private Instant now = T0;
  private int heldBack;
  private int bypassed;
  private final List<Gate> closed = new ArrayList<>();
  private final BehaviorTestKit<Command> turnstile =
      BehaviorTestKit.create(
          TurnstileActor.create(
              TurnstileFixtures.SHIPPED, () -> now, new Observer(), (pool, deadline) -> look));

  private final class Observer implements TurnstileObserver {
    @Override
    public void changed(TurnstileView view) {
      views.add(view);
    }

    @Override
    public void granted(Lane lane, Duration waited, Duration limited) {
      grants.add(new Grant(lane, waited, limited));
    }

    @Override
    public void looked(LookResult result) {
      looks.add(result);
    }

    @Override
    public void closed(Gate gate) {
      closed.add(gate);
    }

    @Override
    public void retryHeldBack() {
      heldBack++;
    }

    @Override
    public void leaseBypassed() {
      bypassed++;
    }
  }

  @BeforeEach
  void listen() {
    lines.start();
    LOG.setLevel(Level.DEBUG);
    LOG.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    LOG.detachAppender(lines);
    LOG.setLevel(null);
  }

  @Test
  void start_beforeAnybodyComes_showsTheTurnstile() {
    assertThat(views).hasSize(1);
    assertThat(views.getFirst().turnsOut()).isZero();
  }

  @Test
  void grant_afterAGate_isReportedWithItsWait() {
    turnstile.run(
        new TurnstileActor.Event(
            new TurnstileEvent.Throttled(Optional.empty(), true, T0.plusSeconds(10))));
    request(pool("lb-1"), Lane.UPDATE);

    now = T0.plusSeconds(10);
    turnstile.run(new TurnstileActor.Event(new TurnstileEvent.Sent(false)));

    assertThat(grants)
        .containsExactly(new Grant(Lane.UPDATE, Duration.ofSeconds(10), Duration.ofSeconds(10)));
    assertThat(views).hasSize(4);
    assertThat(views.getLast().turnsOut()).isEqualTo(1);
    assertThat(logged())
        .containsExactly(
            "WARN gate=writes state=closed until=2026-11-21T10:00:10Z",
            "INFO gate=writes state=open");
  }

  @Test
  void gates_othersClosedAndOpened_areLoggedByName() {
    turnstile.run(
        new TurnstileActor.Event(
            new TurnstileEvent.Throttled(Optional.empty(), false, T0.plusSeconds(10))));
    turnstile.run(
        new TurnstileActor.Event(
            new TurnstileEvent.Throttled(Optional.of(balancer("lb-1")), true, T0.plusSeconds(10))));
    now = T0.plusSeconds(10);
    turnstile.run(new TurnstileActor.Event(new TurnstileEvent.Sent(false)));

    assertThat(logged())
        .containsExactly(
            "WARN gate=reads state=closed until=2026-11-21T10:00:10Z",
            "WARN gate=load-balancer load-balancer=lb-1 state=closed until=2026-11-21T10:00:10Z",
            "INFO gate=reads state=open",
            "INFO gate=load-balancer load-balancer=lb-1 state=open");
    assertThat(closed).containsExactly(Gate.subscription(false), Gate.turns(balancer("lb-1")));
  }

  @Test
  void retryBudget_empty_isCountedAndLoggedUntilItIsNot() {
    for (int i = 0; i < 6; i++) {
      request(pool("lb-" + i), Lane.RETRY);
    }
    assertThat(heldBack).isEqualTo(1);
    now = T0.plusSeconds(10);
    turnstile.run(new TurnstileActor.Event(new TurnstileEvent.Sent(false)));

    assertThat(heldBack).isEqualTo(1);
    assertThat(logged()).containsExactly("WARN retry-budget=empty", "INFO retry-budget=available");
  }

  private final Map<LoadBalancerId, Instant> until = new HashMap<>();

  private static LeaseTerms terms(Optional<Duration> drainWait) {
    return new LeaseTerms(drainWait, Optional.empty(), Duration.ofSeconds(5));
  }

  private void stands(LeaseStanding standing) {
    turnstile.run(new TurnstileActor.Event(new TurnstileEvent.LeaseStands(standing)));
  }

  @Test
  void lease_demandGoesToTheLock_andABypassIsCountedAndLogged() {
    List<LeaseDemand> demands = new ArrayList<>();
    Duration wait = Duration.ofSeconds(10);
    turnstile.run(new TurnstileActor.NeedLease(terms(Optional.of(wait)), demands::add, until::put));
    request(pool("lb-1"), Lane.DRAIN);
    assertThat(demands).containsExactly(new LeaseDemand(true, true, 0));

    stands(new LeaseStanding.Busy("peer", Optional.empty(), T0.plusSeconds(900), T0));
    assertThat(bypassed).isZero();
    now = T0.plus(wait);
    turnstile.run(new TurnstileActor.Event(new TurnstileEvent.TimerDue()));

    assertThat(bypassed).isEqualTo(1);
    assertThat(grants).containsExactly(new Grant(Lane.DRAIN, wait, wait));
    assertThat(logged())
        .containsExactly(
            "WARN pool=lb-1/p lease=bypassed why=\"it could not be had for long enough\"");
  }

  @Test
  void lease_lost_turnOfTheHolderIsRecalled() {
    turnstile.run(new TurnstileActor.NeedLease(terms(Optional.empty()), demand -> {}, until::put));
    request(pool("lb-1"), Lane.UPDATE);
    Instant over = T0.plusSeconds(15);
    stands(new LeaseStanding.Held(1, T0.plusSeconds(5), T0.plusSeconds(5), over));
    assertThat(granted.receiveMessage()).isEqualTo(new Granted(1, T0.plusSeconds(60), false));
    assertThat(until).containsOnly(Map.entry(pool("lb-1").loadBalancer(), over));

    now = T0.plusSeconds(1);
    stands(new LeaseStanding.Free());

    assertThat(granted.receiveMessage()).isEqualTo(new Recalled(1, now));
    assertThat(until).containsOnly(Map.entry(pool("lb-1").loadBalancer(), now));
  }

  @Test
  void unresolved_thenResolved_isLoggedAtBothEnds() {
    TestInbox<String> holder = TestInbox.create();
    PoolId pool = pool("lb-1");
    turnstile.run(
        new RequestTurn(pool, holder.getRef(), Priority.of(Lane.UPDATE), granted.getRef()));
    turnstile.run(new ReturnTurn(holder.getRef(), 1, TurnResult.UNRESOLVED));
    now = T0.plusSeconds(1);
    turnstile.run(new TurnstileActor.Event(new TurnstileEvent.Sent(false)));
    assertThat(looks).isEmpty();

    look.complete(shown(false));
    turnstile.runOne();

    assertThat(looks).containsExactly(LookResult.SETTLED);
    assertThat(logged())
        .containsExactly(
            "WARN load-balancer=lb-1 pool=lb-1/p settling=begun until=2026-11-21T10:05:00Z",
            "INFO load-balancer=lb-1 settling=ended");
  }

  static Stream<Arguments> looks() {
    return Stream.of(
        arguments(CompletableFuture.completedFuture(shown(false)), LookResult.SETTLED),
        arguments(CompletableFuture.completedFuture(shown(true)), LookResult.UPDATING),
        arguments(failed(404), LookResult.SETTLED),
        arguments(failed(403), LookResult.UNKNOWN),
        arguments(failed(503), LookResult.UNKNOWN),
        arguments(
            CompletableFuture.failedFuture(new IllegalStateException("no")), LookResult.UNKNOWN));
  }

  private static PoolDocument shown(boolean updating) {
    return () -> new PoolView(pool("lb-1"), "", updating, List.of(), Set.of());
  }

  private static CompletableFuture<PoolDocument> failed(int status) {
    return CompletableFuture.failedFuture(
        new ArmException(new ArmFailure(ArmFailure.Kind.RESPONSE, status, "", "no")));
  }

  @ParameterizedTest
  @MethodSource("looks")
  void look_everyAnswer_hasOneResult(CompletableFuture<PoolDocument> answer, LookResult result) {
    look = answer;
    TestInbox<String> holder = TestInbox.create();
    turnstile.run(
        new RequestTurn(pool("lb-1"), holder.getRef(), Priority.of(Lane.UPDATE), granted.getRef()));
    turnstile.run(new ReturnTurn(holder.getRef(), 1, TurnResult.UNRESOLVED));
    now = T0.plusSeconds(1);
    turnstile.run(new TurnstileActor.Event(new TurnstileEvent.Sent(false)));

    turnstile.runOne();

    assertThat(looks).containsExactly(result);
    assertThat(views.getLast().settling().isEmpty()).isEqualTo(result == LookResult.SETTLED);
  }

  private void request(PoolId pool, Lane lane) {
    TestInbox<String> holder = TestInbox.create();
    turnstile.run(new RequestTurn(pool, holder.getRef(), Priority.of(lane), granted.getRef()));
  }

  private List<String> logged() {
    return lines.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }
}
