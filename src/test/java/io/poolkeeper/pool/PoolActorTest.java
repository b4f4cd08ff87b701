package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.MIN_INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.WEB;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.exactly;
import static io.poolkeeper.pool.PoolFixtures.leaving;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ratelimit.PermitAnswer;
import io.poolkeeper.ratelimit.Priority;
import io.poolkeeper.ratelimit.PriorityLevel;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import io.poolkeeper.ratelimit.RateLimiterFixtures;
import io.poolkeeper.ratelimit.Requester;
import io.poolkeeper.simulation.SeededActors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The pool's actor with a real rate limiter, a map for ARM, and a clock that stands still. */
class PoolActorTest {
  private static final Set<Class<?>> ENDS =
      Set.of(
          PoolEffect.Updated.class,
          PoolEffect.Failed.class,
          PoolEffect.Drained.class,
          PoolEffect.DrainFailed.class,
          PoolEffect.RepairPostponed.class);

  private final SeededActors actors = new SeededActors();
  private final InMemoryArm arm = new InMemoryArm();
  private final List<ObjectEvent> events = new ArrayList<>();
  private final TestInbox<PoolStatus> statuses = TestInbox.create();

  /** Effects of {@link #ENDS} that were run, by their names. */
  private final Queue<String> ended = new ArrayDeque<>();

  private final TestInbox<PoolReport> owner = TestInbox.create();
  private final TestInbox<AdminReport> followed = TestInbox.create();
  private final ActorRef<CoreActor.Command<RateLimiterEvent>> rateLimiter =
      actors.spawn(
          RateLimiterActor.create(
              RateLimiterFixtures.WIDE,
              actors,
              RateLimiterFixtures.UNSEEN,
              RateLimiterFixtures::quiet));
  private final ActorRef<CoreActor.Command<PoolEvent>> actor = spawn();

  private ActorRef<CoreActor.Command<PoolEvent>> spawn() {
    PoolObserver observer =
        new SilentObserver() {
          @Override
          public void changed(PoolStatus status) {
            statuses.getRef().tell(status);
          }

          @Override
          public void ran(PoolId pool, PoolEffect effect) {
            if (ENDS.contains(effect.getClass())) {
              ended.add(effect.getClass().getSimpleName());
            }
          }
        };
    PoolActor.Deps deps =
        new PoolActor.Deps(
            arm,
            rateLimiter,
            events::add,
            observer,
            (pool, report) -> followed.getRef().tell(report),
            actors,
            () -> new PoolFixtures.Drawing(0.5),
            LIMITS);
    return actors.spawn(PoolActor.create(new Requester(POOL, 1), deps, owner.getRef()::tell));
  }

  @BeforeEach
  void armHasThePool() {
    arm.show(pool("n4"));
  }

  @AfterEach
  void shutDown() {
    actors.close();
  }

  private void tell(PoolEvent event) {
    actor.tell(new CoreActor.Event<>(event));
    actors.settle();
  }

  private PoolStatus expectState(String state) {
    PoolStatus status = statuses.receiveMessage();
    assertThat(status.state()).hasToString(state);
    return status;
  }

  /** Drops those before it. */
  private PoolStatus expectLastState(String state) {
    PoolStatus last = statuses.getAllReceived().getLast();
    assertThat(last.state()).hasToString(state);
    return last;
  }

  /** A change is gathered, and its timer is set. */
  private void change() {
    tell(PoolFixtures.desire(WEB_1, exactly("n5")));
    assertThat(expectState("Gathering").activity().until()).contains(actors.instant().plus(WINDOW));
  }

  private void expectAttempt() {
    expectState("Waiting");
    expectState("Reading");
  }

  @Test
  void aChangeIsWrittenAfterTheWindowAndTold() {
    change();

    List<ILoggingEvent> log = logged(Level.INFO, () -> actors.pass(WINDOW));

    expectAttempt();
    expectState("Writing");
    PoolStatus done = expectState("Idle");
    assertThat(done.members().inPool()).isEqualTo(pool("n5").addresses());
    assertThat(done.attempts().writes()).isEqualTo(1);
    assertThat(arm.addresses(POOL)).isEqualTo(pool("n5").addresses());
    assertThat(ended.poll()).isEqualTo("Updated");
    assertThat(events)
        .extracting(ObjectEvent::reason)
        .containsExactly("LoadBalancerBackendPoolUpdated");
    assertThat(log)
        .extracting(ILoggingEvent::getFormattedMessage)
        .anyMatch(line -> line.matches(".* outcome=updated .*ms added=10.0.0.5 removed=10.0.0.4"));
  }

  /** Spec 3, Observability: the first failure, how the backoff grows, and the end of retries. */
  @Test
  void aFirstFailureAndTheEndOfRetriesAreWarnings_andRetriesBetweenAreDetail() {
    for (int i = 0; i < 4; i++) {
      arm.refuseGet(InMemoryArm.refusal(412, "PreconditionFailed"));
    }
    change();
    Instant first = actors.instant().plus(WINDOW);

    List<ILoggingEvent> log = logged(Level.DEBUG, () -> actors.pass(Duration.ofSeconds(41)));

    assertThat(log)
        .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
        .containsExactly(
            "WARN " + retrying(first.plusSeconds(2)),
            "DEBUG " + retrying(first.plusSeconds(10)),
            "DEBUG " + retrying(first.plusSeconds(40)),
            "WARN pool=lb-1/default-web outcome=failed took=0ms"
                + " error=\"HTTP 412 PreconditionFailed: no\"");
  }

  private static String retrying(Instant until) {
    return "pool=lb-1/default-web outcome=retrying took=0ms queued=1 until=%s".formatted(until)
        + " error=\"HTTP 412 PreconditionFailed: no\"";
  }

  /** What the actor has logged meanwhile. */
  private static List<ILoggingEvent> logged(Level level, Runnable meanwhile) {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    Logger logger = (Logger) LoggerFactory.getLogger(PoolActor.class);
    logger.setLevel(level);
    logger.addAppender(log);
    meanwhile.run();
    logger.setLevel(null);
    logger.detachAppender(log);
    return log.list;
  }

  @Test
  void aPoolThatIsDamagedForTheThirdTimeIsCountedAsPostponed() {
    change();
    actors.pass(WINDOW);
    assertThat(ended.poll()).isEqualTo("Updated");
    owner.expectMessage(PoolReport.VERIFICATION_WANTED);
    for (int repairs = 0; repairs < 2; repairs++) {
      tell(new PoolEvent.Observed(pool("n5 other=9"), actors.instant()));
      expectLastState("Gathering");
      arm.show(pool("n5 other=9"));
      actors.pass(MIN_INTERVAL);
      assertThat(ended.poll()).isEqualTo("Updated");
      owner.expectMessage(PoolReport.VERIFICATION_WANTED);
    }
    assertThat(ended).isEmpty();

    tell(new PoolEvent.Observed(pool("n5 other=9"), actors.instant()));

    assertThat(ended.poll()).isEqualTo("RepairPostponed");
  }

  @Test
  void aDrainIsReportedWhetherItIsWrittenOrNot() {
    tell(new PoolEvent.Observed(pool("n4"), actors.instant()));
    arm.refusePut(InMemoryArm.refusal(409, "Conflict"));

    tell(new PoolEvent.NodesOutOfService(leaving(1, "n4"), actors.instant()));

    assertThat(ended.poll()).isEqualTo("DrainFailed");
    actors.pass(Duration.ofMinutes(1));
    assertThat(ended.poll()).isEqualTo("Drained");
    assertThat(ended).isEmpty();
    assertThat(followed.getAllReceived())
        .extracting(AdminReport::version, report -> report.failure().isPresent())
        .containsExactly(tuple(1L, false), tuple(1L, true), tuple(1L, false), tuple(1L, false));
  }

  @Test
  void aListingThatShowsNothingNewAndNodesOfOtherPoolsAreNotReported() {
    tell(new PoolEvent.Observed(pool("n4"), actors.instant()));
    OutOfService one = leaving(1, "n5");
    OutOfService two = new OutOfService(2, one.nodes(), leaving(2, "n5 n6").leaving(), true, 0);
    tell(new PoolEvent.NodesOutOfService(one, actors.instant()));
    statuses.getAllReceived();

    tell(new PoolEvent.Observed(pool("n4"), actors.instant()));
    tell(new PoolEvent.NodesOutOfService(two, actors.instant()));

    assertThat(statuses.getAllReceived()).isEmpty();
    tell(new PoolEvent.NodesOutOfService(leaving(3, "n4"), actors.instant()));
    expectLastState("Idle");
  }

  @Test
  void aFailureTurnsThePoolDirtyAndAListingTurnsItClean() {
    arm.refuseGet(InMemoryArm.refusal(403, "AuthorizationFailed"));
    change();
    actors.pass(WINDOW);

    owner.expectMessage(PoolReport.FAILING);
    assertThat(ended.poll()).isEqualTo("Failed");
    assertThat(events)
        .extracting(ObjectEvent::message)
        .containsExactly(
            "Backend pool update failed (non-retriable): HTTP 403 AuthorizationFailed: no."
                + " Poolkeeper also tries again by itself.");
    tell(new PoolEvent.Observed(pool("n5"), actors.instant()));

    owner.expectMessage(PoolReport.RECOVERED);
  }

  @Test
  void aPoolThatIsGoneAsksForAListingQuietly() {
    arm.delete(POOL);
    change();

    actors.pass(WINDOW);

    owner.expectMessage(PoolReport.LISTING_WANTED);
    expectAttempt();
    expectState("Idle");
    assertThat(events).isEmpty();
  }

  @Test
  void aDefectEndsTheActorAndFreesItsPermit() {
    arm.breakGet();
    List<PermitAnswer> grants = new ArrayList<>();
    // An inbox cannot be watched.
    ActorRef<PermitAnswer> other =
        actors.spawn(
            Behaviors.receiveMessage(
                granted -> {
                  grants.add(granted);
                  return Behaviors.same();
                }));
    change();

    actors.pass(WINDOW);

    assertThat(actors.hasStopped(actor)).isTrue();
    Requester next = new Requester(POOL, 2);
    rateLimiter.tell(new RateLimiterActor.Register(next, other, other));
    rateLimiter.tell(
        new CoreActor.Event<>(
            new RateLimiterEvent.Requested(next, Priority.of(PriorityLevel.UPDATE))));
    // Nobody knows what the dead one had begun: the load balancer is looked at a second later.
    actors.pass(Duration.ofSeconds(1));
    assertThat(grants)
        .singleElement(as(type(PermitAnswer.Granted.class)))
        .returns(2L, PermitAnswer.Granted::permit);
  }

  @Test
  void stopWhileNothingIsInFlightEndsAtOnce() {
    change();

    tell(new PoolEvent.Stop());

    assertThat(actors.hasStopped(actor)).isTrue();
    assertThat(arm.gets()).isZero();
  }

  @Test
  void stopWhileWritingEndsWithTheWriteAndTellsNobody() {
    CompletableFuture<Void> end = arm.holdPuts();
    change();
    actors.pass(WINDOW);
    expectAttempt();
    expectState("Writing");

    tell(new PoolEvent.Stop());
    end.complete(null);

    assertThat(actors.hasStopped(actor)).isTrue();
    assertThat(arm.addresses(POOL)).isEqualTo(pool("n5").addresses());
    assertThat(events).isEmpty();
    assertThat(statuses.hasMessages()).isFalse();
  }

  @Test
  void aServiceReleasedWhileItsPoolIsWrittenIsToldNothing() {
    CompletableFuture<Void> end = arm.holdPuts();
    change();
    actors.pass(WINDOW);
    expectAttempt();
    expectState("Writing");

    tell(new PoolEvent.Release(WEB));
    assertThat(expectState("Writing").services()).isEmpty();
    end.complete(null);
    actors.settle();

    expectState("Idle");
    assertThat(ended).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  void aReleaseCancelsTheTimer() {
    change();
    tell(new PoolEvent.Release(WEB));
    expectState("Idle");

    actors.pass(WINDOW);
    tell(PoolFixtures.desire(WEB_1, exactly("n5")));

    expectState("Gathering");
    assertThat(arm.gets()).isZero();
  }
}
