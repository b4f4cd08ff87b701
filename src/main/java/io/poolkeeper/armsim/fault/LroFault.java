package io.poolkeeper.armsim.fault;

import io.poolkeeper.armsim.model.Fate;
import io.poolkeeper.armsim.model.Operation;
import io.poolkeeper.armsim.model.Operation.Outcome;
import java.util.Optional;

/**
 * A fault of the operation of an accepted write.
 *
 * @param polls how many polls are refused; for kinds that refuse polls
 * @param code of the error, instead of the usual one
 */
public record LroFault(Kind kind, int polls, Optional<String> code) {

  /** The kinds of faults. */
  public enum Kind {
    /** It ends as failed. */
    FAILED,
    /** It ends as canceled. */
    CANCELED,
    /** It never ends, unless a later write supersedes it. */
    STUCK,
    /** It succeeds, but polls are first refused with 429. */
    POLL429,
    /** It succeeds, but polls are first refused with 503. */
    POLL5XX
  }

  /** The fate of the write. */
  public Fate fate() {
    return switch (kind) {
      case FAILED, CANCELED, STUCK -> Fate.DOOMED;
      case POLL429, POLL5XX -> Fate.FOLLOWED;
    };
  }

  /** How its operation ends; empty if it never does. */
  public Optional<Outcome> outcome() {
    return switch (kind) {
      case FAILED ->
          Optional.of(new Outcome.Failed(code.orElse("InternalServerError"), "An error occurred."));
      case CANCELED -> Optional.of(new Outcome.Canceled(code.orElse(Operation.SUPERSEDED)));
      case STUCK -> Optional.empty();
      case POLL429, POLL5XX -> Optional.of(new Outcome.Succeeded());
    };
  }

  /** The status of a poll that is refused; empty if polls are not. */
  public Optional<Integer> pollStatus() {
    return switch (kind) {
      case FAILED, CANCELED, STUCK -> Optional.empty();
      case POLL429 -> Optional.of(429);
      case POLL5XX -> Optional.of(503);
    };
  }
}
