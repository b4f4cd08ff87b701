package io.poolkeeper.turnstile;

import io.poolkeeper.model.Gate;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.Lanes.Wake;
import io.poolkeeper.turnstile.TurnstileEffect.BudgetEmptied;
import io.poolkeeper.turnstile.TurnstileEffect.BudgetRefilled;
import io.poolkeeper.turnstile.TurnstileEffect.GateClosed;
import io.poolkeeper.turnstile.TurnstileEffect.GateOpened;
import io.poolkeeper.turnstile.TurnstileEffect.RetryHeldBack;
import io.poolkeeper.turnstile.TurnstileEffect.SettlingBegun;
import io.poolkeeper.turnstile.TurnstileEffect.SettlingEnded;
import io.poolkeeper.turnstile.TurnstileEffect.SettlingSlowest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePSet;

/**
 * Reports the transitions of one step: what began or ended in it, not what continues. A gate that
 * was reported as closed is reported as open at the time it opens.
 */
final class TransitionReporter {
  private final Instant now;
  private final List<TurnstileEffect> effects;
  private boolean reads;
  private boolean writes;
  private TreePSet<Wake> balancers;
  private boolean budgetEmpty;
  private boolean heldBack;

  /** Continues from the reported state; transitions are added to the effects. */
  TransitionReporter(ReportedState reported, Instant now, List<TurnstileEffect> effects) {
    this.now = now;
    this.effects = effects;
    reads = reported.reads();
    writes = reported.writes();
    balancers = reported.balancers();
    budgetEmpty = reported.budgetEmpty();
    heldBack = reported.heldBack();
  }

  ReportedState reported() {
    return new ReportedState(reads, writes, balancers, budgetEmpty, heldBack);
  }

  /** Reports the gates that are open by now, and returns the load balancers that had one. */
  List<LoadBalancerId> open(Gates gates) {
    if (reads && !gates.readsFrom().isAfter(now)) {
      reads = false;
      effects.add(new GateOpened(Gate.subscription(false)));
    }
    if (writes && !gates.writesFrom().isAfter(now)) {
      writes = false;
      effects.add(new GateOpened(Gate.subscription(true)));
    }
    List<LoadBalancerId> opened = new ArrayList<>();
    while (!balancers.isEmpty() && !balancers.first().at().isAfter(now)) {
      opened.add(balancers.first().id());
      balancers = balancers.minus(balancers.first());
    }
    opened.forEach(id -> effects.add(new GateOpened(Gate.turns(id))));
    return opened;
  }

  /** A gate of the subscription may have closed. */
  void closed(Gates gates, boolean write) {
    Instant until = write ? gates.writesFrom() : gates.readsFrom();
    if ((write ? writes : reads) || !until.isAfter(now)) {
      return;
    }
    writes |= write;
    reads |= !write;
    effects.add(new GateClosed(Gate.subscription(write), until));
  }

  void changed(LoadBalancerQueue before, LoadBalancerQueue after) {
    gate(before, after);
    settling(after.id(), before.settling(), after.settling());
  }

  private void gate(LoadBalancerQueue before, LoadBalancerQueue after) {
    if (!after.gate().isAfter(now) || after.gate().equals(before.gate())) {
      return;
    }
    Wake known = new Wake(before.gate(), before.id());
    if (balancers.contains(known)) {
      balancers = balancers.minus(known);
    } else {
      effects.add(new GateClosed(Gate.turns(after.id()), after.gate()));
    }
    balancers = balancers.plus(new Wake(after.gate(), after.id()));
  }

  private void settling(LoadBalancerId id, Optional<Settling> before, Optional<Settling> after) {
    if (before.isEmpty() && after.isPresent()) {
      effects.add(new SettlingBegun(after.get().pool(), after.get().until()));
    } else if (before.isPresent() && after.isEmpty()) {
      effects.add(new SettlingEnded(id));
    } else if (after.isPresent() && after.get().slowest() && !before.get().slowest()) {
      effects.add(new SettlingSlowest(id, after.get().pause()));
    }
  }

  void retried() {
    heldBack = false;
  }

  /**
   * Reports the retry budget after the step; {@code waited} if a request needs only it, {@code
   * empty} if it allows none.
   */
  void budget(boolean waited, boolean empty) {
    if (waited && !heldBack) {
      heldBack = true;
      effects.add(new RetryHeldBack());
    }
    // While requests wait, single retries that it allows meanwhile do not end its being empty.
    if (waited && !budgetEmpty) {
      budgetEmpty = true;
      effects.add(new BudgetEmptied());
    } else if (budgetEmpty && !empty) {
      budgetEmpty = false;
      effects.add(new BudgetRefilled());
    }
  }
}
