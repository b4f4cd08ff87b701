package io.poolkeeper.access;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The verdicts that still count: a grant for a minute, a refusal for seconds, no answer not at all.
 * It holds no token, and at most {@link #MAX_VERDICTS} verdicts.
 */
public final class Verdicts {
  static final Duration GRANTED = Duration.ofSeconds(60);

  /** How long before its end a grant is renewed. */
  static final Duration RENEWAL = Duration.ofSeconds(15);

  static final Duration REFUSED = Duration.ofSeconds(10);
  static final int MAX_VERDICTS = 1_000;

  /** The digest of a token, and an area. */
  public record Key(String digest, Area area) {
    public static Key of(Token token, Area area) {
      return new Key(token.digest(), area);
    }
  }

  private record Kept(AccessVerdict verdict, Instant until) {}

  private final Map<Key, Kept> kept = new HashMap<>();

  /** The verdict that is valid at a time. */
  public Optional<AccessVerdict> find(Key key, Instant now) {
    return Optional.ofNullable(kept.get(key))
        .filter(entry -> now.isBefore(entry.until()))
        .map(Kept::verdict);
  }

  /** Whether a grant that still counts is to be renewed. */
  public boolean ends(Key key, Instant now) {
    Kept entry = kept.get(key);
    return entry != null
        && entry.verdict() instanceof AccessVerdict.Granted
        && !now.isBefore(entry.until().minus(RENEWAL));
  }

  /** Keeps a verdict; if there are too many, the one that expires first goes: mostly a refusal. */
  public void keep(Key key, AccessVerdict verdict, Instant now) {
    Duration lifetime = lifetime(verdict);
    if (lifetime.isZero()) {
      return;
    }
    kept.remove(key);
    if (kept.size() >= MAX_VERDICTS) {
      kept.entrySet().stream()
          .min(Comparator.comparing(entry -> entry.getValue().until()))
          .map(Map.Entry::getKey)
          .ifPresent(kept::remove);
    }
    kept.put(key, new Kept(verdict, now.plus(lifetime)));
  }

  private static Duration lifetime(AccessVerdict verdict) {
    return switch (verdict) {
      case AccessVerdict.Granted granted -> GRANTED;
      case AccessVerdict.Forbidden forbidden -> REFUSED;
      case AccessVerdict.NoUser noUser -> REFUSED;
      case AccessVerdict.Unanswered unanswered -> Duration.ZERO;
    };
  }
}
