package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.TurnstileCore.Decision;
import io.poolkeeper.turnstile.TurnstileCore.Event;
import io.poolkeeper.turnstile.TurnstileCore.Grant;
import io.poolkeeper.turnstile.TurnstileState.Visitor;
import org.junit.jupiter.api.Test;

/** One turn per load balancer, first come first served, each number once. */
class TurnstileCoreTest {
  private static final LoadBalancerId LB1 = new LoadBalancerId("sub", "rg", "lb-1");
  private static final LoadBalancerId LB1_UPPER = new LoadBalancerId("SUB", "RG", "LB-1");
  private static final LoadBalancerId LB2 = new LoadBalancerId("sub", "rg", "lb-2");
  private static final Visitor A = new Visitor(LB1.pool("a"), 1);
  private static final Visitor B = new Visitor(LB1_UPPER.pool("b"), 2);
  private static final Visitor C = new Visitor(LB1.pool("c"), 3);
  private static final Visitor OTHER = new Visitor(LB2.pool("a"), 4);

  private TurnstileState state = TurnstileState.EMPTY;

  private Decision send(Event event) {
    Decision decision = TurnstileCore.decide(state, event);
    state = decision.state();
    return decision;
  }

  @Test
  void requested_freeLoadBalancer_isGrantedAtOnce() {
    assertThat(send(new Event.Requested(A)).grant()).contains(new Grant(A, 1));
  }

  @Test
  void requested_loadBalancerTakenInAnotherSpelling_waits() {
    send(new Event.Requested(A));

    assertThat(send(new Event.Requested(B)).grant()).isEmpty();
  }

  @Test
  void requested_anotherLoadBalancer_isGrantedBeside() {
    send(new Event.Requested(A));

    assertThat(send(new Event.Requested(OTHER)).grant()).contains(new Grant(OTHER, 2));
  }

  @Test
  void returned_severalWait_servesThemInOrder() {
    send(new Event.Requested(A));
    send(new Event.Requested(B));
    send(new Event.Requested(C));

    assertThat(send(new Event.Returned(A, 1)).grant()).contains(new Grant(B, 2));
    assertThat(send(new Event.Returned(B, 2)).grant()).contains(new Grant(C, 3));
    assertThat(send(new Event.Returned(C, 3)).grant()).isEmpty();
    assertThat(state.lines()).isEmpty();
  }

  @Test
  void requested_twiceWhileWaiting_keepsOnePlace() {
    send(new Event.Requested(A));
    send(new Event.Requested(B));
    send(new Event.Requested(C));
    send(new Event.Requested(B));

    send(new Event.Returned(A, 1));
    send(new Event.Returned(B, 2));
    assertThat(send(new Event.Returned(C, 3)).grant()).isEmpty();
  }

  @Test
  void returned_oldNumber_isIgnored() {
    send(new Event.Requested(A));
    send(new Event.Requested(B));
    send(new Event.Returned(A, 1));
    send(new Event.Requested(C));
    TurnstileState before = state;

    assertThat(send(new Event.Returned(A, 1)).grant()).isEmpty();
    assertThat(send(new Event.Returned(B, 1)).grant()).isEmpty();
    assertThat(state).isEqualTo(before);
  }

  @Test
  void returned_freedAndTakenAgain_hasAnotherNumber() {
    send(new Event.Requested(A));
    send(new Event.Returned(A, 1));

    assertThat(send(new Event.Requested(A)).grant()).contains(new Grant(A, 2));
  }

  @Test
  void cancelled_waiter_isPassedOver() {
    send(new Event.Requested(A));
    send(new Event.Requested(B));
    send(new Event.Requested(C));
    send(new Event.Cancelled(B));

    assertThat(send(new Event.Returned(A, 1)).grant()).contains(new Grant(C, 2));
  }

  @Test
  void cancelled_holder_keepsTheTurnUntilItIsReturned() {
    send(new Event.Requested(A));
    send(new Event.Requested(B));

    assertThat(send(new Event.Cancelled(A)).grant()).isEmpty();
    assertThat(send(new Event.Returned(A, 1)).grant()).contains(new Grant(B, 2));
  }

  @Test
  void requested_byTheHolderAfterCancelling_isServedAfterItsOwnReturn() {
    send(new Event.Requested(A));
    send(new Event.Cancelled(A));
    send(new Event.Requested(B));

    assertThat(send(new Event.Requested(A)).grant()).isEmpty();
    assertThat(send(new Event.Returned(A, 1)).grant()).contains(new Grant(B, 2));
    assertThat(send(new Event.Returned(B, 2)).grant()).contains(new Grant(A, 3));
  }

  @Test
  void holderGone_withTheTurn_freesItForTheNext() {
    send(new Event.Requested(A));
    send(new Event.Requested(B));

    assertThat(send(new Event.HolderGone(A)).grant()).contains(new Grant(B, 2));
  }

  @Test
  void holderGone_withTheTurnAndInLine_isServedNeverAgain() {
    send(new Event.Requested(A));
    send(new Event.Cancelled(A));
    send(new Event.Requested(A));

    assertThat(send(new Event.HolderGone(A)).grant()).isEmpty();
    assertThat(state.lines()).isEmpty();
  }

  @Test
  void holderGone_waiter_leavesTheTurnWhereItIs() {
    send(new Event.Requested(A));
    send(new Event.Requested(B));

    assertThat(send(new Event.HolderGone(B)).grant()).isEmpty();
    assertThat(send(new Event.Returned(A, 1)).grant()).isEmpty();
  }

  @Test
  void holderGone_earlierIncarnationOfThePool_doesNotFreeTheLaterOnesTurn() {
    Visitor earlier = new Visitor(LB1.pool("a"), 1);
    Visitor later = new Visitor(LB1.pool("a"), 9);
    send(new Event.Requested(earlier));
    send(new Event.Returned(earlier, 1));
    send(new Event.Requested(later));

    assertThat(send(new Event.HolderGone(earlier)).grant()).isEmpty();
    assertThat(send(new Event.Requested(B)).grant()).isEmpty();
  }

  @Test
  void unknownVisitor_anyEvent_changesNothing() {
    send(new Event.Returned(A, 1));
    send(new Event.Cancelled(A));
    send(new Event.HolderGone(A));

    assertThat(state).isEqualTo(TurnstileState.EMPTY);
  }
}
