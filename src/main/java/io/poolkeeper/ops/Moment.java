package io.poolkeeper.ops;

import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.Report;
import io.poolkeeper.status.Snapshot;
import io.poolkeeper.status.Surroundings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * What the API's answers are made of, all at one time.
 *
 * @param leader the replica that leads, if known
 * @param watchProblems of this process's connections, by the kind of the objects
 * @param now monotonic, as all times of the snapshot
 */
public record Moment(
    Snapshot snapshot,
    Installation self,
    Optional<LeaderView> leader,
    SequencedMap<String, String> watchProblems,
    Instant now) {
  /**
   * The sources of a process besides the snapshot.
   *
   * @param clock monotonic
   */
  public record Source(
      Installation self,
      Supplier<Optional<LeaderView>> leader,
      Supplier<SequencedMap<String, String>> watchProblems,
      InstantSource clock) {
    Moment at(Snapshot snapshot) {
      return new Moment(snapshot, self, leader.get(), watchProblems.get(), clock.instant());
    }
  }

  Optional<String> leaderPod() {
    return leader.map(LeaderView::pod);
  }

  Report report() {
    return Report.of(snapshot, leaderPod(), self, now);
  }

  /** The answer of {@code /api/v1/status}. */
  public JsonObject status() {
    return StatusJson.of(this, report());
  }

  Surroundings around() {
    return Surroundings.of(snapshot, now);
  }

  String mode() {
    return self.shadow() ? "shadow" : "write";
  }
}
