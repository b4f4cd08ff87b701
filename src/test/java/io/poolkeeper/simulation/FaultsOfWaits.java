package io.poolkeeper.simulation;

import io.poolkeeper.turnstile.LeaseTerms;
import io.poolkeeper.turnstile.TurnstileCore;
import io.poolkeeper.turnstile.TurnstileEvent;
import java.util.List;
import java.util.Optional;

/** Faults by which everything ends well, and too late. */
final class FaultsOfWaits {
  static final List<SeededFault> ALL =
      List.of(
          new SeededFault(
              "let an accepted write keep the shared Lease up to its end",
              Around.without(
                  TurnstileCore.class, (state, event) -> event instanceof TurnstileEvent.Accepted)),
          new SeededFault(
              "let a drain wait for the shared Lease for ever",
              Around.event(
                  TurnstileCore.class,
                  TurnstileEvent.LeaseNeeded.class,
                  needed ->
                      new TurnstileEvent.LeaseNeeded(
                          new LeaseTerms(
                              Optional.empty(),
                              needed.terms().unreachableAfter(),
                              needed.terms().maxTail())))),
          new SeededFault(
              "take any damage for a fight",
              new Mutation("pool.Damage$Direction", "patience", "PRIMITIVE_RETURNS")));

  private FaultsOfWaits() {}
}
