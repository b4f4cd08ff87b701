package io.poolkeeper.admission;

import io.poolkeeper.model.Address;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One version of a BackendPoolBinding. A binding that is wrong is still here, with all that is
 * wrong in it: it must be shown, and it must be possible to delete it.
 *
 * @param version the {@code resourceVersion} that a write must carry
 * @param finalizer whether it waits for us when it is deleted
 * @param target empty exactly if there are problems
 * @param added the addresses that this binding has put into its pool
 */
public record BindingView(
    BindingKey key,
    String uid,
    String version,
    long generation,
    boolean finalizer,
    Optional<BindingTarget> target,
    List<String> problems,
    Set<Address> added,
    AdmissionSubject admission) {
  public BindingView {
    problems = List.copyOf(problems);
    added = Set.copyOf(added);
    if (target.isPresent() != problems.isEmpty()) {
      throw new IllegalArgumentException(key + ": a target, or problems");
    }
  }
}
