package io.poolkeeper.armsim.throttle;

import io.poolkeeper.armsim.throttle.Request.Kind;
import io.poolkeeper.armsim.throttle.ThrottleDecision.Refusal;
import io.poolkeeper.armsim.throttle.ThrottleDecision.Remaining;
import io.poolkeeper.armsim.throttle.ThrottleSettings.Rate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Resource Manager's token buckets and, behind them, the network provider's windows, as {@link
 * ThrottleSettings} describe them. A request that Resource Manager refuses takes no token; one that
 * the network provider refuses has taken one. Confined to one thread. At most {@value #LIMIT}
 * buckets and windows each are kept; the least recently used are evicted and so full again.
 */
public final class Throttles {
  private static final int LIMIT = 10_000;

  private final ThrottleSettings settings;
  private final Map<Request, CallBucket> locals = new Recent<>();
  private final Map<Request, CallBucket> globals = new Recent<>();
  private final Map<Request, SlidingWindow> windows = new Recent<>();

  public Throttles(ThrottleSettings settings) {
    this.settings = settings;
  }

  /** Admits or refuses a request at the given monotonic time, and counts it. */
  public ThrottleDecision admit(Request request, long nanos) {
    Rate rate = settings.local(request.kind());
    long factor = settings.globalFactor();
    if (!settings.arm()) {
      var fresh = new Remaining(request.kind(), rate.burst() - 1L, rate.burst() * factor - 1);
      return behind(request, fresh, nanos);
    }
    CallBucket local =
        locals.computeIfAbsent(
            withoutRegion(request, request.principal()),
            key -> new CallBucket(rate.burst(), rate.perSecond(), nanos));
    CallBucket global =
        globals.computeIfAbsent(
            withoutRegion(request, ""),
            key -> new CallBucket(rate.burst() * factor, rate.perSecond() * factor, nanos));
    boolean enough = local.remaining(nanos) > 0 && global.remaining(nanos) > 0;
    if (enough) {
      local.take();
      global.take();
    }
    var left = new Remaining(request.kind(), local.remaining(nanos), global.remaining(nanos));
    if (enough) {
      return behind(request, left, nanos);
    }
    long seconds = Math.max(local.secondsToNext(), global.secondsToNext());
    var refusal = new Refusal("arm", ThrottleDecision.armAnswer(request, seconds));
    return new ThrottleDecision(left, Optional.of(refusal));
  }

  private ThrottleDecision behind(Request request, Remaining left, long nanos) {
    if (!settings.network() || request.region().isEmpty()) {
      return new ThrottleDecision(left, Optional.empty());
    }
    SlidingWindow window =
        windows.computeIfAbsent(
            windowKey(request), key -> new SlidingWindow(settings.networkWindowSeconds(), nanos));
    int limit = settings.windowLimit(request.kind());
    boolean free = window.total(nanos) < limit;
    if (free || settings.networkCountsRefused()) {
      window.add();
    }
    Optional<Refusal> refusal =
        free
            ? Optional.empty()
            : Optional.of(
                ThrottleDecision.byNetwork(
                    request, settings, window.secondsUntilBelow(limit, nanos)));
    return new ThrottleDecision(left, refusal);
  }

  private static Request withoutRegion(Request request, String principal) {
    return new Request(request.subscription(), principal, request.kind(), Optional.empty());
  }

  /** Writes and deletes share a window, and so do all principals. */
  private static Request windowKey(Request request) {
    Kind kind = request.kind() == Kind.READ ? Kind.READ : Kind.WRITE;
    return new Request(request.subscription(), "", kind, request.region());
  }

  private static final class Recent<T> extends LinkedHashMap<Request, T> {
    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Request, T> eldest) {
      return size() > LIMIT;
    }
  }
}
