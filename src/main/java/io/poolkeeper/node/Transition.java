package io.poolkeeper.node;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.OutOfService.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The way of a node's signal through the pools, from the version that first had the signal, or no
 * longer had it. The transition of a leaving node is kept when done, as another writer may undo it.
 *
 * @param reasons why the node is out of service; empty if it is in service again
 * @param since when the signal came or went; empty if it was there when the process began
 * @param pended whether any pool had to write the node's state
 * @param end how the transition ended, as people heard; a pool that changes may change that
 * @param warned the failures of which an event was recorded, one of each class
 */
record Transition(
    String uid,
    Set<Reason> reasons,
    long version,
    Optional<Instant> since,
    boolean pended,
    End end,
    List<ArmFailure> warned) {
  private static final int MOST_WARNINGS = 16;

  enum End {
    NOT_YET,
    /** All pools that contain the node show its state. */
    SHOWN,
    /** All do but those that keep the node in service, as too few entries would be left. */
    HELD
  }

  /** The version of a transition that waits for the watch of nodes. */
  private static final long NEVER = Long.MAX_VALUE;

  Transition {
    reasons = Set.copyOf(reasons);
    warned = List.copyOf(warned);
  }

  static Transition of(String uid, Set<Reason> reasons, long version, Optional<Instant> since) {
    return new Transition(uid, reasons, version, since, false, End.NOT_YET, List.of());
  }

  boolean down() {
    return !reasons.isEmpty();
  }

  /**
   * Whether the end is reported. What had ended when the process began was reported by the process
   * before.
   */
  boolean reported() {
    return since.isPresent() || pended || done();
  }

  boolean warnsOf(ArmFailure failure) {
    return warned.size() < MOST_WARNINGS && warned.stream().noneMatch(failure::sameClass);
  }

  Transition warned(ArmFailure failure) {
    List<ArmFailure> failures = new ArrayList<>(warned);
    failures.add(failure);
    return new Transition(uid, reasons, version, since, pended, end, failures);
  }

  Transition pending() {
    return pended ? this : new Transition(uid, reasons, version, since, true, end, warned);
  }

  /** The first version after a loss of the watch is the one that counts. */
  Transition live(boolean live, long newest) {
    long known = version == NEVER ? newest : version;
    return new Transition(uid, reasons, live ? known : NEVER, since, pended, end, warned);
  }

  boolean done() {
    return end != End.NOT_YET;
  }

  /** The transition ended; a later failure is news again. */
  Transition ended(End how) {
    return new Transition(uid, reasons, version, since, pended, how, List.of());
  }
}
