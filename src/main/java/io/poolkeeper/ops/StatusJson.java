package io.poolkeeper.ops;

import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.lock.LeaseStanding;
import io.poolkeeper.model.Pause;
import io.poolkeeper.node.NodesView;
import io.poolkeeper.ratelimit.RateLimiterView;
import io.poolkeeper.service.CacheKind;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.status.CauseText;
import io.poolkeeper.status.HalfHour;
import io.poolkeeper.status.HalfHour.Step;
import io.poolkeeper.status.Impact;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Recent;
import io.poolkeeper.status.Report;
import io.poolkeeper.status.Snapshot;
import java.util.List;
import java.util.Optional;

/** The answer of {@code /api/v1/status}, for page and commands. */
final class StatusJson {
  /** The maximum of Services that are named, and of pools of each. */
  private static final int MOST = 20;

  private StatusJson() {}

  static JsonObject of(Moment moment, Report report) {
    Snapshot snapshot = moment.snapshot();
    Installation self = moment.self();
    List<NodesView.Item> nodes = NodeJson.underWay(moment);
    return JsonObject.of("now", moment.now())
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
        .and("headline", report.headline())
        .and("impact", impact(report.impact()))
        .and("pools", pools(report.pools()))
        .and("pause", snapshot.pause().pause().map(StatusJson::pause))
        .and("causes", report.causes(), line -> CauseJson.of(line, moment))
        .and("limiter", snapshot.rateLimiter().map(view -> LimiterJson.of(view, moment)))
        .and("nodes", NodeJson.progress(nodes, report))
        .andIf(nodes.size() > NodeJson.NODES, "nodesMore", nodes.size() - NodeJson.NODES)
        .and("leftovers", LeftoverJson.kinds(snapshot))
        .and("replicas", replicas(moment))
        .and("history", history(snapshot.recent()))
        .and("shadow", snapshot.comparison().map(comparison -> ShadowJson.of(comparison, moment)));
  }

  /** Whom it hurts, apart from who acts. */
  private static JsonObject impact(Impact impact) {
    return JsonObject.of("text", impact.text() + impact.rest())
        .and("without", impact.none().size())
        .and("none", impact.none().stream().limit(MOST).toList(), StatusJson::without)
        .and("fewer", impact.fewer().size())
        .and("tooMuch", impact.tooMuch().size());
  }

  private static JsonObject without(Impact.Without without) {
    return JsonObject.of("service", without.service())
        .and("why", CauseText.of(without.cause()).title())
        .and("pools", without.pools().stream().limit(MOST).toList())
        .and("since", without.since());
  }

  private static JsonObject pools(List<PoolLine> pools) {
    long behind = pools.stream().filter(PoolLine::behind).count();
    long known = pools.stream().filter(line -> line.cause().isPresent()).count();
    return JsonObject.of("all", pools.size())
        .and("behind", behind)
        .and("notManaged", known - behind);
  }

  /** The pause that annotations of the leader's Lease ask for. */
  static JsonObject pause(Pause pause) {
    return JsonObject.of("until", pause.until())
        .and("reason", pause.reason())
        .and("drains", pause.drains());
  }

  /** The leader, and the watches of this process. */
  private static JsonObject replicas(Moment moment) {
    Snapshot snapshot = moment.snapshot();
    Knowledge knowledge = snapshot.knowledge();
    Optional<LeaseStanding> lease = snapshot.rateLimiter().flatMap(RateLimiterView::lease);
    Optional<String> self = knowledge.leads() ? Optional.of(moment.self().pod()) : Optional.empty();
    return JsonObject.of("leader", moment.leaderPod().or(() -> self))
        .and("renewed", moment.leader().map(LeaderView::renewed))
        .and("leadsSince", snapshot.leadsSince())
        .and("pod", moment.self().pod())
        .and(
            "lease",
            lease.map(RateLimiterJson::holder).orElseGet(() -> RateLimiterJson.state("off")))
        .and("watches", List.of(CacheKind.values()), kind -> watch(kind, knowledge))
        .and("watchProblems", List.copyOf(moment.watchProblems().values()))
        .and("lastListing", snapshot.lastListing())
        .and(
            "listingError",
            knowledge.listingFailure().or(() -> knowledge.unread().values().stream().findFirst()))
        .and(
            "unreadGroups",
            List.copyOf(knowledge.unread().entrySet()),
            unread -> JsonObject.of("group", unread.getKey()).and("error", unread.getValue()));
  }

  /** Whether the objects of a watch are current. */
  private static JsonObject watch(CacheKind kind, Knowledge knowledge) {
    boolean live = knowledge.synced().contains(kind) && !knowledge.lost().contains(kind);
    return JsonObject.of("kind", kind).and("live", live);
  }

  /** The last half hour in steps; times are in seconds, writes are a second's. */
  private static JsonObject history(Recent.View recent) {
    long step = HalfHour.STEP.toSeconds();
    List<Step> steps = recent.steps();
    return JsonObject.of("from", recent.from())
        .and("stepSeconds", step)
        .and("p50", steps, sample -> sample.p50().map(StatusJson::rounded))
        .and("p99", steps, sample -> sample.p99().map(StatusJson::rounded))
        .and("writes", steps, sample -> rounded((double) sample.writes() / step))
        .and("oldest", steps, sample -> rounded(sample.oldest()))
        .and("throttled", recent.throttles());
  }

  private static double rounded(double number) {
    return Math.round(number * 1_000) / 1e3;
  }
}
