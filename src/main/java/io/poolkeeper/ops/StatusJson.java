package io.poolkeeper.ops;

import io.poolkeeper.model.Pause;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.status.HalfHour;
import io.poolkeeper.status.HalfHour.Step;
import io.poolkeeper.status.HalfHour.Throttle;
import io.poolkeeper.status.Headline;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Recent;
import io.poolkeeper.status.Report;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code /api/v1/status}: what page and commands say. */
final class StatusJson {
  private StatusJson() {}

  static Members of(Moment moment, Report report) {
    Snapshot snapshot = moment.snapshot();
    Instant now = moment.now();
    Installation self = moment.self();
    return Members.of("now", now)
        .and("cluster", self.cluster())
        .and("mode", moment.mode())
        .and("leads", snapshot.knowledge().leads())
        .and("pod", self.pod())
        .and("namespace", self.namespace())
        .and("election", self.election())
        .and("lease", self.lease())
        .and("port", self.port())
        .and("started", self.started())
        .and("version", self.version())
        .and("commit", self.commit())
        .and("headline", headline(report.headline()))
        .and("pools", pools(report.pools()))
        .and("pause", snapshot.pause().pause().map(StatusJson::pause))
        .and("causes", report.causes().stream().map(of -> CauseJson.of(of, moment)).toList())
        .and("limiter", snapshot.turnstile().map(view -> LimiterJson.of(view, snapshot, now)))
        .and("nodes", NodeJson.progress(snapshot.pools(), snapshot.nodes(), report))
        .and("leftovers", LeftoverJson.kinds(snapshot.pools()))
        .and("replicas", ReplicasJson.of(moment))
        .and("history", history(snapshot.recent()))
        .and("shadow", snapshot.proof().map(proof -> ShadowJson.of(proof, snapshot, now)));
  }

  private static Members headline(Headline headline) {
    Optional<Instant> until = headline.until().filter(any -> !headline.untilWhat().isEmpty());
    return Members.of("tone", headline.tone())
        .and("text", headline.text())
        .and("rest", headline.rest())
        .and("todo", headline.todo())
        .and("more", headline.more())
        .and("until", until)
        .and("exactness", until.map(any -> headline.exactness()))
        .and("untilWhat", until.map(any -> headline.untilWhat()));
  }

  private static Members pools(List<PoolLine> pools) {
    long behind = pools.stream().filter(PoolLine::behind).count();
    long known = pools.stream().filter(line -> line.cause().isPresent()).count();
    return Members.of("all", pools.size())
        .and("behind", behind)
        .and("notManaged", known - behind);
  }

  /** Of the annotations of the leader's Lease. */
  private static Members pause(Pause pause) {
    return Members.of("until", pause.until())
        .and("reason", pause.reason())
        .and("drains", pause.drains());
  }

  /** What led to the present, in steps; times are in seconds, writes are a second's. */
  private static Members history(Recent.View recent) {
    long step = HalfHour.STEP.toSeconds();
    List<Step> steps = recent.steps();
    return Members.of("from", recent.from())
        .and("stepSeconds", step)
        .and("p50", steps.stream().map(of -> of.p50().map(StatusJson::rounded)).toList())
        .and("p99", steps.stream().map(of -> of.p99().map(StatusJson::rounded)).toList())
        .and("writes", steps.stream().map(of -> rounded((double) of.writes() / step)).toList())
        .and("oldest", steps.stream().map(of -> rounded(of.oldest())).toList())
        .and("throttled", recent.throttles().stream().map(StatusJson::throttled).toList());
  }

  private static Members throttled(Throttle throttle) {
    return Members.of("from", throttle.since()).and("until", throttle.until());
  }

  private static double rounded(double number) {
    return Math.round(number * 1_000) / 1e3;
  }
}
