package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.model.Pause;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.Leftover;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.HalfHour;
import io.poolkeeper.status.HalfHour.Step;
import io.poolkeeper.status.Headline;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Recent;
import io.poolkeeper.status.Report;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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

  /** The sentence that comes first; the names of its members are a contract. */
  @JsonInclude(JsonInclude.Include.ALWAYS)
  private record HeadlineJson(
      String tone,
      String text,
      String rest,
      String todo,
      String more,
      @Nullable String until,
      @Nullable String exactness,
      @Nullable String untilWhat) {
    static HeadlineJson of(Headline headline) {
      boolean ends = headline.until().isPresent() && !headline.untilWhat().isEmpty();
      return new HeadlineJson(
          Labels.of(headline.tone()),
          headline.text(),
          headline.rest(),
          headline.todo(),
          headline.more(),
          ends ? Times.iso(headline.until()) : null,
          ends ? Labels.of(headline.exactness()) : null,
          ends ? headline.untilWhat() : null);
    }
  }

  /** How many entries are not as they should be, by what is wrong; a contract. */
  private record LeftoverKind(String kind, int entries, String since, String text) {
    static List<LeftoverKind> of(List<PoolStatus> pools) {
      Map<Leftover.Kind, Integer> entries = new EnumMap<>(Leftover.Kind.class);
      Map<Leftover.Kind, Instant> since = new EnumMap<>(Leftover.Kind.class);
      for (PoolStatus pool : pools) {
        pool.leftovers()
            .forEach(
                (leftover, from) -> {
                  entries.merge(leftover.kind(), 1, Integer::sum);
                  since.merge(leftover.kind(), from, (a, b) -> a.isBefore(b) ? a : b);
                });
      }
      List<LeftoverKind> all = new ArrayList<>();
      entries.forEach(
          (kind, count) ->
              all.add(
                  new LeftoverKind(
                      Labels.of(kind),
                      count,
                      Times.iso(since.getOrDefault(kind, Instant.EPOCH)),
                      text(kind, count == 1))));
      return all;
    }

    private static String text(Leftover.Kind kind, boolean one) {
      return switch (kind) {
        case ADDRESS -> (one ? "address" : "addresses") + " that no Service wants";
        case DOWN ->
            one
                ? "entry that is Down on a node in service"
                : "entries that are Down on nodes in service";
        case NOT_DOWN ->
            one
                ? "entry of a leaving node that is not Down yet"
                : "entries of leaving nodes that are not Down yet";
      };
    }
  }

  /**
   * What led to the present, in steps; the names of its members are a contract.
   *
   * @param p50 of the changes that reached Azure in each step, in seconds; null where none did
   * @param writes a second
   * @param oldest the age of the oldest change that waited at the end of each step, in seconds
   * @param throttled when ARM had asked to wait
   */
  @JsonInclude(JsonInclude.Include.ALWAYS)
  private record HistoryJson(
      String from,
      long stepSeconds,
      List<@Nullable Double> p50,
      List<@Nullable Double> p99,
      List<Double> writes,
      List<Double> oldest,
      List<Throttled> throttled) {
    record Throttled(String from, String until) {}

    static HistoryJson of(Recent.View recent) {
      return new HistoryJson(
          Times.iso(recent.from()),
          HalfHour.STEP.toSeconds(),
          seconds(recent.steps(), Step::p50),
          seconds(recent.steps(), Step::p99),
          recent.steps().stream()
              .map(step -> rounded((double) step.writes() / HalfHour.STEP.toSeconds()))
              .toList(),
          recent.steps().stream().map(step -> rounded(step.oldest())).toList(),
          recent.throttles().stream()
              .map(one -> new Throttled(Times.iso(one.since()), Times.iso(one.until())))
              .toList());
    }

    private static List<@Nullable Double> seconds(
        List<Step> steps, Function<Step, Optional<Double>> of) {
      List<@Nullable Double> all = new ArrayList<>();
      for (Step step : steps) {
        all.add(of.apply(step).isPresent() ? Double.valueOf(rounded(of.apply(step).get())) : null);
      }
      return all;
    }

    private static double rounded(double number) {
      return Math.round(number * 1_000) / 1e3;
    }
  }
}
