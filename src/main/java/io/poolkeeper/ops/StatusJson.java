package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.model.Pause;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Report;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/status}: what page and commands say; the names of its members are a contract.
 *
 * @param now the server's clock
 * @param started of the process
 * @param pause null if nothing is paused
 * @param limiter null before it has started
 * @param shadow null but in shadow mode
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record StatusJson(
    String now,
    String cluster,
    String mode,
    boolean leads,
    String pod,
    String namespace,
    boolean election,
    String lease,
    int port,
    String started,
    String version,
    String commit,
    HeadlineJson headline,
    Pools pools,
    @Nullable Paused pause,
    List<CauseJson> causes,
    @Nullable LimiterJson limiter,
    List<NodeProgressJson> nodes,
    List<LeftoverKind> leftovers,
    ReplicasJson replicas,
    HistoryJson history,
    @Nullable ShadowJson shadow) {
  record Pools(int all, long behind, long notManaged) {}

  /** Of the annotations of the leader's Lease. */
  record Paused(String until, String reason, boolean drains) {
    static Paused of(Pause pause) {
      return new Paused(Times.iso(pause.until()), pause.reason(), pause.drains());
    }
  }

  static StatusJson of(
      Snapshot snapshot,
      Report report,
      Installation self,
      Optional<LeaderView> leader,
      List<String> watchProblems,
      Instant now) {
    return new StatusJson(
        Times.iso(now),
        self.cluster(),
        self.shadow() ? "shadow" : "write",
        snapshot.knowledge().leads(),
        self.pod(),
        self.namespace(),
        self.election(),
        self.lease(),
        self.port(),
        Times.iso(self.started()),
        self.version(),
        self.commit(),
        HeadlineJson.of(report.headline()),
        pools(report.pools()),
        snapshot.pause().pause().map(Paused::of).orElse(null),
        report.causes().stream().map(line -> CauseJson.of(line, watchProblems, self)).toList(),
        snapshot.turnstile().map(view -> LimiterJson.of(snapshot, view, now)).orElse(null),
        NodeProgressJson.of(snapshot, report),
        LeftoverKind.of(snapshot.pools()),
        ReplicasJson.of(snapshot, self, leader, watchProblems),
        HistoryJson.of(snapshot.recent()),
        snapshot.proof().map(proof -> ShadowJson.of(proof, snapshot, now)).orElse(null));
  }

  /** Whether nothing but the time is another. */
  boolean sameAs(StatusJson other) {
    return at(other.now).equals(other);
  }

  StatusJson at(String time) {
    return new StatusJson(
        time, cluster, mode, leads, pod, namespace, election, lease, port, started, version, commit,
        headline, pools, pause, causes, limiter, nodes, leftovers, replicas, history, shadow);
  }

  /** What the sentences are made of. */
  static Report.Input input(Snapshot snapshot, Optional<LeaderView> leader) {
    int leaving =
        Math.toIntExact(
            snapshot.nodes().items().stream()
                .filter(node -> !node.reasons().isEmpty() && !node.pending().isEmpty())
                .count());
    return new Report.Input(
        snapshot.all(),
        snapshot.knowledge(),
        snapshot.turnstile(),
        snapshot.recent(),
        leaving,
        snapshot.pause().pause(),
        leader.map(LeaderView::pod));
  }

  private static Pools pools(List<PoolLine> pools) {
    long behind = pools.stream().filter(PoolLine::behind).count();
    long known = pools.stream().filter(line -> line.cause().isPresent()).count();
    return new Pools(pools.size(), behind, known - behind);
  }
}
