package io.poolkeeper.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What one version of a binding says about its admission. Nothing else is remembered, so a restart
 * forgets nothing.
 *
 * @param listed the names of the checks in its spec
 * @param reported the checks in its status
 * @param active whether the binding is active; else it wants nothing and holds nothing
 * @param deleted whether the binding is being deleted
 * @param changed whether the spec is newer than the one that the status was last written for
 * @param ahead how far our clock was ahead of the API server's when this version came; its times
 *     are not converted, so that two views of one version are equal
 */
public record AdmissionSubject(
    List<String> listed,
    List<Check> reported,
    boolean active,
    boolean deleted,
    boolean changed,
    Duration ahead) {
  public AdmissionSubject {
    listed = listed.stream().distinct().toList();
    reported = List.copyOf(reported);
  }

  /** A time of the API server's clock by ours. */
  Instant ours(Instant serverTime) {
    return serverTime.plus(ahead);
  }

  /** The subject as if the binding were inactive, so that no check is asked. */
  AdmissionSubject unasked() {
    return new AdmissionSubject(listed, reported, false, deleted, changed, ahead);
  }
}
