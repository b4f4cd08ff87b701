package io.poolkeeper.doctor;

import java.time.Duration;
import java.util.Optional;

/** The finding about another machine's clock against ours. */
final class Clock {
  /** The header has whole seconds. */
  private static final Duration EXACT = Duration.ofSeconds(2);

  /** Tokens and Leases that are shared are wrong by then. */
  private static final Duration WRONG = Duration.ofSeconds(30);

  private Clock() {}

  static Finding check(String check, String whose, Optional<Duration> ahead) {
    if (ahead.isEmpty()) {
      return Finding.notKnown(check, "no answer said the time");
    }
    Duration off = ahead.get().abs();
    if (off.compareTo(EXACT) <= 0) {
      return Finding.ok(check, "within 2 s of ours");
    }
    String detail =
        "%s is %d s %s ours"
            .formatted(whose, off.toSeconds(), ahead.get().isNegative() ? "behind" : "ahead of");
    CheckVerdict verdict = off.compareTo(WRONG) < 0 ? CheckVerdict.WARN : CheckVerdict.FAIL;
    return new Finding(
        check, verdict, detail, "Let this machine get its time by NTP: timedatectl status");
  }
}
