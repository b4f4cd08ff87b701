package io.poolkeeper.admission;

import io.poolkeeper.model.Address;
import io.poolkeeper.pool.PoolStatus;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a binding has put into its pool (spec 4: whatever ends the process, the record says what to
 * clean up). It grows before an address is written, and shrinks when the pool is at rest without
 * it.
 *
 * @param recorded as the binding's status has it
 * @param others what the other bindings of the pool have recorded
 * @param kept the part of that which those have that do not end
 * @param asked the part of the record that the pool has heard of
 * @param desired in the pool, as its actor said last
 * @param wanted the part of that which the binding's Service wants
 * @param shown the pool as its actor knows it, since it knows what the binding asks for
 * @param late whether a write of the leader before may still arrive
 */
record AddedRecord(
    Set<Address> recorded,
    Set<Address> others,
    Set<Address> kept,
    Set<Address> asked,
    Set<Address> desired,
    Set<Address> wanted,
    Optional<PoolStatus> shown,
    boolean late) {
  /**
   * What is to be recorded. It grows while the binding is followed. An address that is there
   * already was put there by somebody else, and is not the binding's; one of another binding that
   * this one desires, too, is recorded for both, as the other may end.
   */
  Set<Address> next(boolean grows) {
    Set<Address> next = new HashSet<>(left());
    shown
        .filter(pool -> grows)
        .ifPresent(
            pool ->
                wanted.stream()
                    .filter(address -> !pool.inPool().contains(address) || others.contains(address))
                    .forEach(next::add));
    return next;
  }

  /**
   * What the pool may be asked to hold. Before an address leaves the record the pool hears that it
   * is none of this any more; it is again when it is desired again.
   */
  Set<Address> usable() {
    return recorded.stream()
        .filter(address -> asked.contains(address) ? !idle(address) : desired.contains(address))
        .collect(Collectors.toSet());
  }

  /** What is left of the record: an address goes once the pool cannot be given it any more. */
  private Set<Address> left() {
    return recorded.stream()
        .filter(address -> asked.contains(address) || !idle(address))
        .collect(Collectors.toSet());
  }

  /** Whether the pool is at rest without it. */
  private boolean idle(Address address) {
    return shown
        .filter(this::resting)
        .filter(pool -> !pool.inPool().contains(address) && !pool.desired().contains(address))
        .isPresent();
  }

  /** Whether nothing that only this binding has added is in the pool. */
  boolean cleaned() {
    return shown
        .filter(this::resting)
        .filter(
            pool ->
                recorded.stream()
                    .noneMatch(
                        address -> pool.inPool().contains(address) && !kept.contains(address)))
        .isPresent();
  }

  private boolean resting(PoolStatus pool) {
    boolean idle = pool.state().equals("Idle") && pool.queued() == 0;
    return !late && (idle || pool.held()) && pool.lastError().isEmpty();
  }
}
