package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.T0;
import static io.poolkeeper.ratelimit.RateLimiterDriver.balancer;
import static io.poolkeeper.ratelimit.RateLimiterDriver.pool;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Gate;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.ratelimit.PermitAnswer.Granted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** What the rate limiter's actor tells its observer, and what it writes into the log. */
class RateLimiterReportsTest {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(RateLimiterActor.class);
  private static final Instant TEN = T0.plusSeconds(10);

  private final List<RateLimiterView> views = new ArrayList<>();

  /** All else that the observer, the lock and the calls to ARM have heard. */
  private final List<String> heard = new ArrayList<>();

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final TestInbox<PermitAnswer> answers = TestInbox.create();
  private final TestInbox<String> holder = TestInbox.create();
  private final CompletableFuture<PoolDocument> verification = new CompletableFuture<>();
  private Instant now = T0;
  private final BehaviorTestKit<CoreActor.Command<RateLimiterEvent>> rateLimiter =
      BehaviorTestKit.create(
          RateLimiterActor.create(
              RateLimiterFixtures.SHIPPED,
              () -> now,
              observer(),
              (pool, deadline) -> verification));

  private RateLimiterObserver observer() {
    return new RateLimiterObserver() {
      @Override
      public void changed(RateLimiterView view) {
        views.add(view);
      }

      @Override
      public void ran(RateLimiterEffect effect) {
        switch (effect) {
          case RateLimiterEffect.Grant grant ->
              heard.add(
                  "granted %s %s %s".formatted(grant.level(), grant.waited(), grant.limited()));
          case RateLimiterEffect.GateClosed closed -> heard.add("closed " + closed.gate());
          case RateLimiterEffect.RetryHeldBack held -> heard.add("retry held back");
          case RateLimiterEffect.LeaseBypassed bypassed -> heard.add("bypassed " + bypassed.pool());
          default -> {}
        }
      }

      @Override
      public void verified(VerificationResult result) {
        heard.add("looked " + result);
      }
    };
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

  private void event(RateLimiterEvent event) {
    rateLimiter.run(new CoreActor.Event<>(event));
  }

  private void request(TestInbox<String> by, PoolId pool, PriorityLevel priorityLevel) {
    Requester requester = new Requester(pool, 1);
    rateLimiter.run(new RateLimiterActor.Register(requester, by.getRef(), answers.getRef()));
    event(new RateLimiterEvent.Requested(requester, Priority.of(priorityLevel)));
  }

  /** Its write at T0 has an unknown end, and it is looked at a second later. */
  private void unresolved() {
    request(holder, pool("lb-1"), PriorityLevel.UPDATE);
    event(
        new RateLimiterEvent.Returned(new Requester(pool("lb-1"), 1), 1, PermitResult.UNRESOLVED));
    now = T0.plusSeconds(1);
    event(new RateLimiterEvent.TimerDue());
    heard.clear();
  }

  private void needLease(Optional<Duration> drainWait) {
    LeaseTerms terms = new LeaseTerms(drainWait, Optional.empty(), Duration.ofSeconds(5));
    rateLimiter.run(
        new RateLimiterActor.NeedLease(
            terms,
            demand -> heard.add("demand " + demand.wanted() + demand.drain() + demand.ended()),
            (at, until) -> heard.add(at + " until " + until)));
  }

  private List<String> logged() {
    return lines.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  @Test
  void grant_afterAGate_isReportedWithItsWait() {
    assertThat(views).as("at the start").singleElement().matches(view -> view.permitsOut() == 0);
    event(new RateLimiterEvent.Throttled(Optional.empty(), true, TEN));
    request(holder, pool("lb-1"), PriorityLevel.UPDATE);
    now = TEN;
    event(new RateLimiterEvent.Sent(false));

    assertThat(heard)
        .containsExactly("closed " + Gate.subscription(true), "granted UPDATE PT10S PT10S");
    assertThat(views).hasSize(5);
    assertThat(views.getLast().permitsOut()).isEqualTo(1);
    assertThat(logged())
        .containsExactly(
            "WARN gate=writes state=closed until=2026-11-21T10:00:10Z",
            "INFO gate=writes state=open");
  }

  @Test
  void gates_othersClosedAndOpened_areLoggedByName() {
    event(new RateLimiterEvent.Throttled(Optional.empty(), false, TEN));
    event(new RateLimiterEvent.Throttled(Optional.of(balancer("lb-1")), true, TEN));
    now = TEN;
    event(new RateLimiterEvent.Sent(false));

    assertThat(logged())
        .containsExactly(
            "WARN gate=reads state=closed until=2026-11-21T10:00:10Z",
            "WARN gate=load-balancer load-balancer=lb-1 state=closed until=2026-11-21T10:00:10Z",
            "INFO gate=reads state=open",
            "INFO gate=load-balancer load-balancer=lb-1 state=open");
    assertThat(heard)
        .containsExactly(
            "closed " + Gate.subscription(false), "closed " + Gate.permits(balancer("lb-1")));
  }

  @Test
  void retryBudget_empty_isCountedAndLoggedUntilItIsNot() {
    for (int i = 0; i < 6; i++) {
      request(TestInbox.create(), pool("lb-" + i), PriorityLevel.RETRY);
    }
    now = TEN;
    event(new RateLimiterEvent.Sent(false));

    assertThat(heard).containsOnlyOnce("retry held back");
    assertThat(logged()).containsExactly("WARN retry-budget=empty", "INFO retry-budget=available");
  }

  @Test
  void lease_demandGoesToTheLock_andABypassIsCountedAndLogged() {
    needLease(Optional.of(Duration.ofSeconds(10)));
    request(holder, pool("lb-1"), PriorityLevel.DRAIN);
    event(
        new RateLimiterEvent.LeaseStands(
            new LeaseStanding.Busy("peer", Optional.empty(), T0.plusSeconds(900), T0)));
    assertThat(heard).containsExactly("demand truetrue0");
    now = TEN;
    event(new RateLimiterEvent.TimerDue());

    assertThat(heard)
        .containsExactly(
            "demand truetrue0",
            "bypassed lb-1/p",
            "lb-1 until 2026-11-21T10:01:10Z",
            "granted DRAIN PT10S PT10S",
            "demand falsefalse0");
    assertThat(logged())
        .containsExactly(
            "WARN pool=lb-1/p lease=bypassed why=\"it could not be had for long enough\"");
  }

  @Test
  void lease_lost_permitOfTheHolderIsRecalled() {
    needLease(Optional.empty());
    request(holder, pool("lb-1"), PriorityLevel.UPDATE);
    Instant tail = T0.plusSeconds(5);
    event(
        new RateLimiterEvent.LeaseStands(
            new LeaseStanding.Held(1, tail, tail, T0.plusSeconds(15))));
    assertThat(answers.receiveMessage()).isEqualTo(new Granted(1, T0.plusSeconds(60), false));
    assertThat(heard).contains("lb-1 until 2026-11-21T10:00:15Z");
    now = TEN;
    event(new RateLimiterEvent.LeaseStands(new LeaseStanding.Free()));

    assertThat(answers.receiveMessage()).isEqualTo(new PermitAnswer.Recalled(1, TEN));
    assertThat(heard).last().isEqualTo("lb-1 until 2026-11-21T10:00:10Z");
  }

  @Test
  void unresolved_thenResolved_isLoggedAtBothEnds() {
    unresolved();
    assertThat(heard).isEmpty();

    verification.complete(shown(false));
    rateLimiter.runOne();

    assertThat(logged())
        .containsExactly(
            "WARN load-balancer=lb-1 pool=lb-1/p unresolved-write=begun until=2026-11-21T10:05:00Z",
            "INFO load-balancer=lb-1 unresolved-write=ended");
  }

  private static PoolDocument shown(boolean updating) {
    return () -> new PoolView(pool("lb-1"), "", updating, List.of(), Set.of());
  }

  @ParameterizedTest
  @CsvSource({
    "quiet,SETTLED",
    "updating,UPDATING",
    "404,SETTLED",
    "403,UNKNOWN",
    "503,UNKNOWN",
    "bug,UNKNOWN"
  })
  void look_everyAnswer_hasOneResult(String answer, VerificationResult result) {
    unresolved();

    switch (answer) {
      case "quiet", "updating" -> verification.complete(shown(answer.equals("updating")));
      case "bug" -> verification.completeExceptionally(new IllegalStateException("no"));
      default ->
          verification.completeExceptionally(
              new ArmException(
                  new ArmFailure(ArmFailure.Kind.RESPONSE, Integer.parseInt(answer), "", "no")));
    }
    rateLimiter.runOne();

    assertThat(heard).containsExactly("looked " + result);
    assertThat(views.getLast().unresolved().isEmpty())
        .isEqualTo(result == VerificationResult.SETTLED);
  }
}
