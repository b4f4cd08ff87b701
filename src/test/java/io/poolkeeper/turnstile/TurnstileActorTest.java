package io.poolkeeper.turnstile;

import static io.poolkeeper.turnstile.TurnstileDriver.LB1;
import static io.poolkeeper.turnstile.TurnstileDriver.LB2;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.TurnResult;
import io.poolkeeper.turnstile.TurnstileActor.Answer;
import io.poolkeeper.turnstile.TurnstileActor.CancelTurn;
import io.poolkeeper.turnstile.TurnstileActor.Command;
import io.poolkeeper.turnstile.TurnstileActor.Granted;
import io.poolkeeper.turnstile.TurnstileActor.RequestTurn;
import io.poolkeeper.turnstile.TurnstileActor.ReturnTurn;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The turnstile among real actors: replies reach who asked, and a death frees a turn. */
class TurnstileActorTest {
  private static final ActorTestKit KIT = ActorTestKit.create();

  private final ActorRef<Command> turnstile =
      KIT.spawn(
          TurnstileActor.create(
              TurnstileFixtures.WIDE,
              InstantSource.system(),
              TurnstileFixtures.UNSEEN,
              TurnstileFixtures::quiet));
  private final TestProbe<Answer> first = KIT.createTestProbe();
  private final TestProbe<Answer> second = KIT.createTestProbe();
  private final TestProbe<Answer> third = KIT.createTestProbe();
  private final ActorRef<String> holder1 = KIT.spawn(Behaviors.ignore());
  private final ActorRef<String> holder2 = KIT.spawn(Behaviors.ignore());
  private final ActorRef<String> holder3 = KIT.spawn(Behaviors.ignore());

  @AfterAll
  static void shutDown() {
    KIT.shutdownTestKit();
  }

  @BeforeEach
  void firstHoldsTheTurn() {
    turnstile.tell(
        new RequestTurn(LB1.pool("a"), holder1, Priority.of(Lane.UPDATE), first.getRef()));
    assertGranted(first, 1);
  }

  @Test
  void ping_isAnswered() {
    TestProbe<String> answers = KIT.createTestProbe();

    turnstile.tell(new TurnstileActor.Ping(() -> answers.getRef().tell("turnstile")));

    answers.expectMessage("turnstile");
  }

  @Test
  void returnTurn_oneWaits_isGrantedToIt() {
    turnstile.tell(
        new RequestTurn(LB1.pool("b"), holder2, Priority.of(Lane.UPDATE), second.getRef()));

    turnstile.tell(new ReturnTurn(holder1, 1, TurnResult.SUCCEEDED));

    assertGranted(second, 2);
  }

  @Test
  void requestTurn_ofDrains_areGrantedByTheShareThatWasSaidLast() {
    turnstile.tell(new RequestTurn(LB1.pool("b"), holder2, drain(1, 2), second.getRef()));
    turnstile.tell(new RequestTurn(LB1.pool("c"), holder3, drain(1, 3), third.getRef()));
    turnstile.tell(new RequestTurn(LB1.pool("c"), holder3, drain(3, 3), third.getRef()));

    turnstile.tell(new ReturnTurn(holder1, 1, TurnResult.SUCCEEDED));
    assertGranted(third, 2);
    turnstile.tell(new ReturnTurn(holder3, 2, TurnResult.SUCCEEDED));

    assertGranted(second, 3);
  }

  private static Priority drain(int part, int whole) {
    return new Priority(Lane.DRAIN, new Share(part, whole));
  }

  @Test
  void requestTurn_anotherLoadBalancer_doesNotWait() {
    turnstile.tell(
        new RequestTurn(LB2.pool("a"), holder2, Priority.of(Lane.UPDATE), second.getRef()));

    assertGranted(second, 2);
  }

  @Test
  void holderDies_oneWaits_getsItsTurn() {
    turnstile.tell(
        new RequestTurn(LB1.pool("b"), holder2, Priority.of(Lane.UPDATE), second.getRef()));

    KIT.stop(holder1);

    assertGranted(second, 2);
  }

  @Test
  void waiterDies_nextInLine_isServedInItsPlace() {
    turnstile.tell(
        new RequestTurn(LB1.pool("b"), holder2, Priority.of(Lane.UPDATE), second.getRef()));
    turnstile.tell(
        new RequestTurn(LB1.pool("c"), holder3, Priority.of(Lane.UPDATE), third.getRef()));
    KIT.stop(holder2);
    // The turnstile hears of the death in its own time; a turn given to the dead comes back.
    turnstile.tell(new ReturnTurn(holder1, 1, TurnResult.SUCCEEDED));

    third.receiveMessage();
  }

  @Test
  void cancelTurn_waiter_isPassedOver() {
    turnstile.tell(
        new RequestTurn(LB1.pool("b"), holder2, Priority.of(Lane.UPDATE), second.getRef()));
    turnstile.tell(
        new RequestTurn(LB1.pool("c"), holder3, Priority.of(Lane.UPDATE), third.getRef()));

    turnstile.tell(new CancelTurn(holder2));
    turnstile.tell(new ReturnTurn(holder1, 1, TurnResult.SUCCEEDED));

    assertGranted(third, 2);
  }

  @Test
  void returnTurn_oldNumberOrStranger_freesNothing() {
    turnstile.tell(
        new RequestTurn(LB1.pool("b"), holder2, Priority.of(Lane.UPDATE), second.getRef()));
    turnstile.tell(new ReturnTurn(holder1, 7, TurnResult.SUCCEEDED));
    turnstile.tell(new ReturnTurn(holder3, 1, TurnResult.SUCCEEDED));

    // The turn of another load balancer is number 2: none was handed out before it.
    turnstile.tell(
        new RequestTurn(LB2.pool("c"), holder3, Priority.of(Lane.UPDATE), third.getRef()));

    assertGranted(third, 2);
    second.expectNoMessage(Duration.ZERO);
  }

  @Test
  void requestTurn_afterDeathOfTheSamePoolsActor_isAnotherVisitor() {
    KIT.stop(holder1);

    turnstile.tell(
        new RequestTurn(LB1.pool("a"), holder2, Priority.of(Lane.UPDATE), second.getRef()));

    assertGranted(second, 2);
  }

  private static void assertGranted(TestProbe<Answer> probe, long turn) {
    assertThat(probe.expectMessageClass(Granted.class).turn()).isEqualTo(turn);
  }
}
