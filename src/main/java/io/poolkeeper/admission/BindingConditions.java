package io.poolkeeper.admission;

import io.poolkeeper.admission.BindingReport.Condition;
import io.poolkeeper.admission.BindingReport.Truth;
import io.poolkeeper.admission.Resolution.Follows;
import io.poolkeeper.admission.Resolution.Leaves;
import io.poolkeeper.admission.Resolution.Outcome;
import io.poolkeeper.admission.Resolution.Refused;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import java.util.Optional;

/**
 * The conditions in the status of one binding.
 *
 * @param listed what the last listing has shown of bindings' pools
 * @param shown the pool as its actor knows it
 */
record BindingConditions(
    Outcome outcome, Admission admission, BindingsEvent.Listed listed, Optional<PoolStatus> shown) {
  private static final String STARTING = "Starting";
  private static final String DELETING =
      "what this binding has added is being removed; soon after a restart, or a change of the"
          + " leader, it waits until no earlier write can arrive any more"
          + " (turnstile.turn-deadline)";

  /** Whether anything is known of the pool yet. */
  boolean known() {
    return !ready().reason().equals(STARTING);
  }

  /** Whether the pool contains what is desired. */
  Condition ready() {
    return switch (outcome) {
      case Refused refused -> no(refused.reason(), refused.message());
      case Leaves leaves -> no("Deleting", DELETING);
      case Follows follows -> ready(follows);
    };
  }

  private Condition ready(Follows follows) {
    PoolId id = follows.pool();
    if (admission instanceof Admission.Inactive) {
      return no("Inactive", "what is in the pool stays until the binding is deleted");
    }
    if (listed.missing().contains(id)) {
      return no("PoolNotFound", "there is no pool " + id.path());
    }
    ArmFailure unread = listed.unread().get(id);
    if (unread != null) {
      String group = id.loadBalancer().resourceGroup();
      return unknown(
          "NotListed",
          "the load balancer %s of the resource group %s: %s"
              .formatted(id.loadBalancer(), group, unread));
    }
    String optedOut = listed.optedOut().get(id);
    if (optedOut != null) {
      return no("OptedOut", optedOut);
    }
    return shown
        .filter(pool -> pool.services().containsKey(follows.target().service()))
        .map(this::inSync)
        .orElseGet(() -> unknown(STARTING, "the pool was not read yet"));
  }

  private Condition inSync(PoolStatus pool) {
    if (pool.members().interfaces()) {
      return no(
          "NetworkInterfaces",
          "the pool's members are network interfaces, so that no address can be added");
    }
    if (pool.lastError().isPresent()) {
      return no("WriteFailed", pool.lastError().get().toString());
    }
    boolean same =
        pool.difference().known()
            && pool.members().inPool().containsAll(pool.members().desired())
            && pool.members().desired().containsAll(pool.members().added());
    if (same && pool.activity().queued() == 0) {
      return new Condition(Truth.TRUE, "InSync", "");
    }
    return admitted().status() == Truth.TRUE
        ? no("Updating", pool.activity().why())
        : no("Held", admitted().message());
  }

  /** Whether the checks admit writes of members. */
  Condition admitted() {
    return switch (admission) {
      case Admission.Admitted admitted -> new Condition(Truth.TRUE, "Admitted", "");
      case Admission.Held held -> no("Waiting", held.why());
      case Admission.Rejected rejected -> no("Rejected", rejected.why());
      case Admission.Inactive inactive ->
          outcome instanceof Refused
              ? unknown("Refused", "no check is asked")
              : unknown("Inactive", "no check is asked for an inactive binding");
    };
  }

  /** Whether ARM has asked for a wait. */
  Condition throttled() {
    return shown
        .filter(pool -> pool.state() == PoolStatus.State.PARKED)
        .map(pool -> new Condition(Truth.TRUE, "RetryAfter", pool.activity().why()))
        .orElseGet(() -> no("NotThrottled", ""));
  }

  private static Condition unknown(String reason, String message) {
    return new Condition(Truth.UNKNOWN, reason, message);
  }

  private static Condition no(String reason, String message) {
    return new Condition(Truth.FALSE, reason, message);
  }
}
