package io.poolkeeper.ratelimit;

import static io.poolkeeper.ratelimit.RateLimiterDriver.LB1;
import static io.poolkeeper.ratelimit.RateLimiterDriver.LB2;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ratelimit.PermitAnswer.Granted;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rate limiter among real actors: replies reach who asked, and a death frees a permit. */
class RateLimiterActorTest {
  private static final ActorTestKit KIT = ActorTestKit.create();

  private final ActorRef<CoreActor.Command<RateLimiterEvent>> rateLimiter =
      KIT.spawn(
          RateLimiterActor.create(
              RateLimiterFixtures.WIDE,
              InstantSource.system(),
              RateLimiterFixtures.UNSEEN,
              RateLimiterFixtures::quiet));
  private final TestProbe<PermitAnswer> first = KIT.createTestProbe();
  private final TestProbe<PermitAnswer> second = KIT.createTestProbe();
  private final TestProbe<PermitAnswer> third = KIT.createTestProbe();
  private final Map<ActorRef<String>, Requester> requesters = new HashMap<>();
  private final ActorRef<String> holder1 = KIT.spawn(Behaviors.ignore());
  private final ActorRef<String> holder2 = KIT.spawn(Behaviors.ignore());
  private final ActorRef<String> holder3 = KIT.spawn(Behaviors.ignore());

  @AfterAll
  static void shutDown() {
    KIT.shutdownTestKit();
  }

  @BeforeEach
  void firstHoldsThePermit() {
    request(LB1.pool("a"), holder1, first);
    assertGranted(first, 1);
  }

  private void request(PoolId pool, ActorRef<String> holder, TestProbe<PermitAnswer> replyTo) {
    request(pool, holder, Priority.of(PriorityLevel.UPDATE), replyTo);
  }

  private void request(
      PoolId pool, ActorRef<String> holder, Priority priority, TestProbe<PermitAnswer> replyTo) {
    Requester requester =
        requesters.computeIfAbsent(
            holder,
            missing -> {
              Requester next = new Requester(pool, requesters.size() + 1);
              rateLimiter.tell(new RateLimiterActor.Register(next, holder, replyTo.getRef()));
              return next;
            });
    tell(new RateLimiterEvent.Requested(requester, priority));
  }

  private void giveBack(ActorRef<String> holder, long permit) {
    Requester requester = Objects.requireNonNull(requesters.get(holder));
    tell(new RateLimiterEvent.Returned(requester, permit, PermitResult.SUCCEEDED));
  }

  private void tell(RateLimiterEvent event) {
    rateLimiter.tell(new CoreActor.Event<>(event));
  }

  private static Priority drain(int part, int whole) {
    return new Priority(PriorityLevel.DRAIN, new Share(part, whole));
  }

  private static void assertGranted(TestProbe<PermitAnswer> probe, long permit) {
    assertThat(probe.expectMessageClass(Granted.class).permit()).isEqualTo(permit);
  }

  @Test
  void ping_isAnswered() {
    TestProbe<String> answers = KIT.createTestProbe();

    rateLimiter.tell(new CoreActor.Ping<>(() -> answers.getRef().tell("turnstile")));

    answers.expectMessage("turnstile");
  }

  @Test
  void requestPermit_ofDrains_areGrantedByTheShareThatWasSaidLast() {
    request(LB1.pool("b"), holder2, drain(1, 2), second);
    request(LB1.pool("c"), holder3, drain(1, 3), third);
    request(LB1.pool("c"), holder3, drain(3, 3), third);

    giveBack(holder1, 1);
    assertGranted(third, 2);
    giveBack(holder3, 2);

    assertGranted(second, 3);
  }

  @Test
  void requestPermit_ofARequesterThatIsNotRegistered_isIgnored() {
    tell(
        new RateLimiterEvent.Requested(
            new Requester(LB1.pool("a"), 99), Priority.of(PriorityLevel.RETRY)));
    request(LB1.pool("b"), holder2, second);

    giveBack(holder1, 1);

    assertGranted(second, 2);
  }

  @Test
  void holderDies_oneWaits_getsItsPermit() {
    request(LB1.pool("b"), holder2, second);

    KIT.stop(holder1);

    assertGranted(second, 2);
  }

  @Test
  void waiterDies_nextInLine_isServedInItsPlace() {
    request(LB1.pool("b"), holder2, second);
    request(LB1.pool("c"), holder3, third);
    KIT.stop(holder2);
    // The rate limiter hears of the death in its own time; a permit given to the dead comes back.
    giveBack(holder1, 1);

    third.receiveMessage();
  }

  @Test
  void cancelPermit_waiter_isPassedOver() {
    request(LB1.pool("b"), holder2, second);
    request(LB1.pool("c"), holder3, third);

    tell(new RateLimiterEvent.Cancelled(Objects.requireNonNull(requesters.get(holder2))));
    giveBack(holder1, 1);

    assertGranted(third, 2);
  }

  @Test
  void returnPermit_oldNumberOrStranger_freesNothing() {
    request(LB1.pool("b"), holder2, second);
    giveBack(holder1, 7);
    tell(
        new RateLimiterEvent.Returned(new Requester(LB1.pool("a"), 99), 1, PermitResult.SUCCEEDED));

    // The permit of another load balancer is number 2: none was handed out before it.
    request(LB2.pool("c"), holder3, third);

    assertGranted(third, 2);
    second.expectNoMessage(Duration.ZERO);
  }

  @Test
  void requestPermit_afterDeathOfTheSamePoolsActor_isAnotherVisitor() {
    KIT.stop(holder1);

    request(LB1.pool("a"), holder2, second);

    assertGranted(second, 2);
  }
}
