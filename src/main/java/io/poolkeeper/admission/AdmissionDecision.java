package io.poolkeeper.admission;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What follows from one version of a binding.
 *
 * @param update the checks that its status must have; it must be written for that very version
 *     ({@code resourceVersion}) together with {@code observedGeneration}, and after a conflict
 *     everything is decided anew. Present for a changed spec, too, if the checks stay
 * @param requeueAt when to decide again if nothing changes ({@code status.requeueAt}); by the API
 *     server's clock
 */
public record AdmissionDecision(
    Admission admission, Optional<Update> update, Optional<Instant> requeueAt) {
  /**
   * The checks to write, all of them.
   *
   * @param reset whether the delays are over, so that all checks are asked again
   */
  public record Update(List<Check> checks, boolean reset) {
    public Update {
      checks = List.copyOf(checks);
    }
  }
}
