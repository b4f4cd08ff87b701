package io.poolkeeper.admission;

import io.poolkeeper.model.PoolReference;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One version of a BackendPoolBinding. An invalid binding is kept, with all its problems: it must
 * be shown, and it must be possible to delete it.
 *
 * @param version the {@code resourceVersion} that a write must carry
 * @param created by the API server's clock
 * @param deleted since when it is being deleted; monotonic
 * @param finalizer whether its deletion waits for our cleanup
 * @param reported whether its status was written for its spec
 * @param pool the pool that it names, also if the spec is invalid otherwise
 * @param target empty exactly if there are problems
 */
public record BindingView(
    BindingKey key,
    String uid,
    String version,
    Instant created,
    Optional<Instant> deleted,
    boolean finalizer,
    boolean reported,
    Optional<PoolReference> pool,
    Optional<BindingTarget> target,
    List<String> problems,
    AdmissionSubject admission) {
  public BindingView {
    problems = List.copyOf(problems);
    if (target.isPresent() != problems.isEmpty()) {
      throw new IllegalArgumentException(key + ": a target, or problems");
    }
  }

  /** This version with our finalizer. */
  public BindingView withFinalizer() {
    return new BindingView(
        key, uid, version, created, deleted, true, reported, pool, target, problems, admission);
  }

  /** Whether the binding is being deleted and waits for our cleanup. */
  boolean ends() {
    return finalizer && deleted.isPresent();
  }
}
