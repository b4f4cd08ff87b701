package io.poolkeeper.ops;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.pool.Activity;
import io.poolkeeper.pool.Difference;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.ratelimit.RateLimiterView.Waiting;
import io.poolkeeper.status.Cause;
import io.poolkeeper.status.Impact;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Snapshot;
import io.poolkeeper.status.Surroundings;
import io.poolkeeper.status.Surroundings.InLine;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A pool in lists: of the API, and of the page. */
final class PoolJson {
  private PoolJson() {}

  /** {@code /api/v1/pools}. */
  static List<JsonObject> of(Moment moment) {
    Surroundings around = moment.around();
    return moment.snapshot().allPools().stream().map(pool -> item(pool, around)).toList();
  }

  /** A pool of the list. If it waits for a permit, the rate limiter gives the reason. */
  static JsonObject item(PoolStatus pool, Surroundings around) {
    Optional<Waiting> waiting = around.waiting(pool).map(InLine::waiting);
    Activity activity = pool.activity();
    PoolEdit edit = activity.wouldWrite().edit();
    return JsonObject.of(pool.id())
        .and("subscription", pool.id().loadBalancer().subscription())
        .and("services", pool.services().keySet())
        .and("state", pool.state())
        .and("why", waiting.map(Waiting::text).orElse(activity.why()))
        .and("until", waiting.map(Waiting::until).orElse(activity.until()))
        .and("queued", activity.queued())
        .and("retries", activity.retries())
        .and("desired", pool.members().desired())
        .and("inPool", pool.members().inPool())
        .and("down", pool.members().down())
        .and("lastWrite", pool.attempts().lastWrite())
        .and("lastError", pool.lastError().map(ArmFailure::inFull))
        .and("writes", pool.attempts().writes())
        .and("failures", pool.attempts().failures())
        .andIf(!edit.isEmpty(), "wouldWrite", wouldWrite(edit));
  }

  /** What shadow mode has decided and not written. */
  private static JsonObject wouldWrite(PoolEdit edit) {
    return JsonObject.of("add", edit.add().keySet())
        .and("remove", edit.remove())
        .and("adminStates", edit.adminStates());
  }

  /** A row of the page's list; {@code last} is null if this process has written none. */
  static JsonObject row(PoolLine line, Snapshot snapshot, Instant now) {
    PoolStatus status = line.status();
    Difference difference = status.difference();
    return JsonObject.of("id", status.id())
        .and("loadBalancer", status.id().loadBalancer())
        .and("resourceGroup", status.id().loadBalancer().resourceGroup())
        .and("pool", status.id().name())
        .and("services", status.services().keySet())
        .and("state", status.state())
        .and("cause", line.cause().map(Cause::key))
        .and("tone", line.tone())
        .and("label", line.label())
        .and("why", line.why())
        .and("until", line.until())
        .and("exactness", line.until().map(until -> line.exactness()))
        .and("since", line.since())
        .and("wanted", status.members().desired().size())
        .and("right", status.members().right())
        .and("add", difference.add())
        .and("remove", difference.remove())
        .and("down", difference.down())
        .and("up", difference.up())
        .and("leaving", difference.leaving())
        .and("withoutBackend", Impact.without(snapshot, status.id(), now).keySet())
        .and("lastWrite", status.attempts().lastWrite())
        .and("last", snapshot.recent().log(status.id()).last());
  }
}
