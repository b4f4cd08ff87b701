package io.poolkeeper.armsim.throttle;

import io.poolkeeper.armsim.protocol.Members;
import io.poolkeeper.armsim.throttle.Request.Kind;

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

  private static final int MAX_REQUESTS = 1_000_000;
  private static final int MAX_WINDOW_SECONDS = 3_600;
  private static final int MAX_FACTOR = 1_000;

  /** No throttle refuses a request; headers show an unused subscription. */
  public static final ThrottleSettings OFF = documented(false);

  /** All throttles with Azure's documented limits. */
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
            changes.number("globalFactor", 1, MAX_FACTOR).orElse(globalFactor),
            changes.number("networkWrites", 1, MAX_REQUESTS).orElse(networkWrites),
            changes.number("networkReads", 1, MAX_REQUESTS).orElse(networkReads),
            changes
                .number("networkWindowSeconds", 1, MAX_WINDOW_SECONDS)
                .orElse(networkWindowSeconds),
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

  /**
   * The size and refill of a token bucket.
   *
   * @param burst the capacity
   * @param perSecond the refill per second
   */
  public record Rate(int burst, int perSecond) {
    private static final int MAX = 1_000_000;

    public Rate {
      if (burst < 1 || burst > MAX || perSecond < 1 || perSecond > MAX) {
        throw new IllegalArgumentException(
            "burst and perSecond must be 1 to %d, found %d and %d"
                .formatted(MAX, burst, perSecond));
      }
    }

    Rate changed(Members changes) {
      var after =
          new Rate(
              changes.number("burst", 1, MAX).orElse(burst),
              changes.number("perSecond", 1, MAX).orElse(perSecond));
      changes.checkUnknown();
      return after;
    }
  }
}
