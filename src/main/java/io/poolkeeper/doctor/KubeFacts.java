package io.poolkeeper.doctor;

import io.poolkeeper.model.Look;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What was seen in the cluster.
 *
 * @param user as whom the cluster was asked
 * @param rights whether the user has them
 * @param leases empty: the Lease does not exist
 * @param bindings how many of the first few hundred have our finalizer; empty: BackendPoolBinding
 *     is not served
 * @param ahead how far the API server's clock is before ours, to a second; empty if not said
 */
public record KubeFacts(
    Look<String> user,
    Map<KubeRight, Look<Boolean>> rights,
    Map<LeaseName, Look<Optional<Lease>>> leases,
    Look<Optional<Integer>> bindings,
    Optional<Duration> ahead) {
  public record LeaseName(String namespace, String name) {
    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  /**
   * A Lease.
   *
   * @param holder empty: nobody
   * @param duration how long after its renewal it expires
   */
  public record Lease(String holder, Optional<Instant> renewed, Duration duration, String writer) {}
}
