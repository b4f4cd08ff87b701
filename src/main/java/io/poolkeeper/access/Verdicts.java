package io.poolkeeper.access;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The verdicts that still count: a grant for a minute, a refusal for seconds, no answer not at all.
 * It holds no token, and at most {@link #MOST} verdicts.
 */
public final class Verdicts {
  static final Duration GRANTED = Duration.ofSeconds(60);

  /** Before the end of a grant, when it is renewed. */
  static final Duration RENEWAL = Duration.ofSeconds(15);

  static final Duration REFUSED = Duration.ofSeconds(10);
  static final int MOST = 1_000;

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
        .filter(of -> now.isBefore(of.until()))
        .map(Kept::verdict);
  }

  /** Whether a grant that still counts is to be renewed. */
  public boolean ends(Key key, Instant now) {
    return Optional.ofNullable(kept.get(key))
        .filter(of -> of.verdict() instanceof AccessVerdict.Granted)
        .filter(of -> !now.isBefore(of.until().minus(RENEWAL)))
        .isPresent();
  }

  /** Keeps a verdict; if there are too many, the one that expires first goes: mostly a refusal. */
  public void keep(Key key, AccessVerdict verdict, Instant now) {
    Duration counts = counts(verdict);
    if (counts.isZero()) {
      return;
    }
    kept.remove(key);
    if (kept.size() >= MOST) {
      kept.entrySet().stream()
          .min(Comparator.comparing(of -> of.getValue().until()))
          .map(Map.Entry::getKey)
          .ifPresent(kept::remove);
    }
    kept.put(key, new Kept(verdict, now.plus(counts)));
  }

  private static Duration counts(AccessVerdict verdict) {
    return switch (verdict) {
      case AccessVerdict.Granted granted -> GRANTED;
      case AccessVerdict.Forbidden forbidden -> REFUSED;
      case AccessVerdict.NoUser noUser -> REFUSED;
      case AccessVerdict.Unanswered unanswered -> Duration.ZERO;
    };
  }
}
