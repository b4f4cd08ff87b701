package io.poolkeeper.armsim.throttle;

import io.poolkeeper.armsim.protocol.Members;
import io.poolkeeper.armsim.throttle.Request.Kind;
import io.poolkeeper.model.Range;

/**
 * The throttles and their limits. The defaults are those that Azure documents.
 *
 * @param arm whether Resource Manager's token buckets refuse requests
 * @param network whether the network provider's windows do
 * @param globalFactor how many times larger a subscription's own buckets are, which all principals
 *     share
 * @param networkWrites writes and deletes per window, subscription and region
 * @param networkReads reads per window, subscription and region
 * @param networkCountsRefused whether requests that the network provider refuses count as well, so
 *     that further requests prolong the refusal
 */
public record ThrottleSettings(
    boolean arm,
    boolean network,
    Rate armReads,
    Rate armWrites,
    Rate armDeletes,
    int globalFactor,
    int networkWrites,
    int networkReads,
    int networkWindowSeconds,
    boolean networkCountsRefused) {

  private static final Range<Integer> REQUESTS = new Range<>(1, 1_000_000);
  private static final Range<Integer> WINDOW_SECONDS = new Range<>(1, 3_600);
  private static final Range<Integer> FACTOR = new Range<>(1, 1_000);

  /** No throttle refuses a request; headers show an unused subscription. */
  public static final ThrottleSettings OFF = documented(false);

  public static final ThrottleSettings AZURE = documented(true);

  private static ThrottleSettings documented(boolean on) {
    Rate changes = new Rate(200, 10);
    return new ThrottleSettings(
        on, on, new Rate(250, 25), changes, changes, 15, 1_000, 10_000, 300, true);
  }

  public ThrottleSettings changed(Members changes) {
    var after =
        new ThrottleSettings(
            changes.flag("arm").orElse(arm),
            changes.flag("network").orElse(network),
            changes.object("armReads").map(armReads::changed).orElse(armReads),
            changes.object("armWrites").map(armWrites::changed).orElse(armWrites),
            changes.object("armDeletes").map(armDeletes::changed).orElse(armDeletes),
            changes.number("globalFactor", FACTOR).orElse(globalFactor),
            changes.number("networkWrites", REQUESTS).orElse(networkWrites),
            changes.number("networkReads", REQUESTS).orElse(networkReads),
            changes.number("networkWindowSeconds", WINDOW_SECONDS).orElse(networkWindowSeconds),
            changes.flag("networkCountsRefused").orElse(networkCountsRefused));
    changes.checkUnknown();
    return after;
  }

  Rate local(Kind kind) {
    return switch (kind) {
      case READ -> armReads;
      case WRITE -> armWrites;
      case DELETE -> armDeletes;
    };
  }

  int windowLimit(Kind kind) {
    return kind == Kind.READ ? networkReads : networkWrites;
  }

  /** A token bucket: its capacity, and how many tokens come per second. */
  public record Rate(int burst, int perSecond) {
    public Rate {
      REQUESTS.check("burst", burst);
      REQUESTS.check("perSecond", perSecond);
    }

    Rate changed(Members changes) {
      var after =
          new Rate(
              changes.number("burst", REQUESTS).orElse(burst),
              changes.number("perSecond", REQUESTS).orElse(perSecond));
      changes.checkUnknown();
      return after;
    }
  }
}
