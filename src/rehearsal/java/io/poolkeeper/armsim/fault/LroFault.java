package io.poolkeeper.armsim.fault;

import io.poolkeeper.armsim.model.Operation;
import io.poolkeeper.armsim.model.Operation.Outcome;
import io.poolkeeper.armsim.model.Terms.Fate;
import java.time.Duration;
import java.util.Optional;

/**
 * A fault of the operation of an accepted write.
 *
 * @param polls how many polls are refused; for kinds that refuse polls
 * @param code of the error, instead of the usual one
 * @param runs how long it runs, instead of as long as usual
 */
public record LroFault(Kind kind, int polls, Optional<String> code, Optional<Duration> runs) {

  public enum Kind {
    FAILED(Fate.DOOMED, 0),
    CANCELED(Fate.DOOMED, 0),
    /** It never ends, unless a later write supersedes it. */
    STUCK(Fate.DOOMED, 0),
    /** It succeeds, but only after some time. */
    SLOW(Fate.FOLLOWED, 0),
    /** It succeeds, but polls are first refused with 429. */
    POLL429(Fate.FOLLOWED, 429),
    /** It succeeds, but polls are first refused with 503. */
    POLL5XX(Fate.FOLLOWED, 503);

    private final Fate fate;
    private final int pollStatus;

    Kind(Fate fate, int pollStatus) {
      this.fate = fate;
      this.pollStatus = pollStatus;
    }
  }

  public Fate fate() {
    return kind.fate;
  }

  public Optional<Outcome> outcome() {
    return switch (kind) {
      case FAILED ->
          Optional.of(new Outcome.Failed(code.orElse("InternalServerError"), "An error occurred."));
      case CANCELED -> Optional.of(new Outcome.Canceled(code.orElse(Operation.SUPERSEDED)));
      case STUCK -> Optional.empty();
      case SLOW, POLL429, POLL5XX -> Optional.of(new Outcome.Succeeded());
    };
  }

  public Optional<Integer> pollStatus() {
    return Optional.of(kind.pollStatus).filter(status -> status > 0);
  }
}
