package io.poolkeeper.doctor;

import java.time.Duration;
import java.util.Optional;

/**
 * The result of one check.
 *
 * @param check its name
 * @param detail one line
 * @param fix what to do, lines; empty if nothing is to be done
 */
public record Finding(String check, CheckVerdict verdict, String detail, String fix) {
  /** An HTTP header has whole seconds. */
  private static final Duration EXACT = Duration.ofSeconds(2);

  /** With this difference tokens and shared Leases are wrong. */
  private static final Duration WRONG = Duration.ofSeconds(30);

  static Finding ok(String check, String detail) {
    return new Finding(check, CheckVerdict.OK, detail, "");
  }

  static Finding warn(String check, String detail, String fix) {
    return new Finding(check, CheckVerdict.WARN, detail, fix);
  }

  static Finding fail(String check, String detail, String fix) {
    return new Finding(check, CheckVerdict.FAIL, detail, fix);
  }

  static Finding notKnown(String check, String detail) {
    return new Finding(check, CheckVerdict.NOT_KNOWN, detail, "");
  }

  static Finding notTested(String check, String detail) {
    return new Finding(check, CheckVerdict.NOT_TESTED, detail, "");
  }

  /** The finding about the clock of another machine; {@code ahead} is empty if unknown. */
  static Finding clock(String check, String whose, Optional<Duration> ahead) {
    if (ahead.isEmpty()) {
      return notKnown(check, "no answer said the time");
    }
    Duration off = ahead.get().abs();
    if (off.compareTo(EXACT) <= 0) {
      return ok(check, "within 2 s of ours");
    }
    String detail =
        "%s is %d s %s ours"
            .formatted(whose, off.toSeconds(), ahead.get().isNegative() ? "behind" : "ahead of");
    CheckVerdict verdict = off.compareTo(WRONG) < 0 ? CheckVerdict.WARN : CheckVerdict.FAIL;
    return new Finding(
        check, verdict, detail, "Let this machine get its time by NTP: timedatectl status");
  }
}
