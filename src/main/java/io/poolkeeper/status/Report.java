package io.poolkeeper.status;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.Pause;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
import io.poolkeeper.turnstile.TurnstileView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state for people: computed here alone, and the same for the page, the API and the commands.
 *
 * @param pools in the order in which they came
 * @param causes those that need a person first
 */
public record Report(Headline headline, List<CauseLine> causes, List<PoolLine> pools) {
  /**
   * The input of a report.
   *
   * @param turnstile empty until it has started
   * @param leaving the number of leaving nodes
   * @param leader the one that leads, if known
   */
  public record Input(
      List<PoolStatus> pools,
      Knowledge knowledge,
      Optional<TurnstileView> turnstile,
      Recent.View recent,
      int leaving,
      Optional<Pause> pause,
      Optional<String> leader) {
    public Surroundings surroundings(Instant now) {
      return Surroundings.of(turnstile, knowledge.lost(), recent, now);
    }
  }

  public static Report of(Input input, Installation self, Instant now) {
    Surroundings around = input.surroundings(now);
    return of(input, input.pools().stream().map(pool -> line(pool, around)).toList(), self);
  }

  /** A failed listing is no evidence of what happens in the cluster. */
  private static boolean ofAzure(Cause cause) {
    return !(cause instanceof Cause.WatchLost
        || cause instanceof Cause.NotLeading
        || cause instanceof Cause.NoLeader
        || cause instanceof Cause.Starting);
  }

  public static PoolLine line(PoolStatus pool, Surroundings around) {
    return PoolLine.of(pool, around);
  }

  public static Report of(Input input, List<PoolLine> lines, Installation self) {
    Map<Cause, List<PoolLine>> groups = new LinkedHashMap<>();
    Diagnosis.ofProcess(input.knowledge(), input.leader())
        .forEach(cause -> groups.put(cause, new ArrayList<>()));
    for (PoolLine line : lines) {
      line.cause()
          .ifPresent(cause -> groups.computeIfAbsent(cause, any -> new ArrayList<>()).add(line));
    }
    Optional<ArmFailure> listing = input.knowledge().listingFailure();
    List<CauseLine> causes =
        groups.entrySet().stream()
            .map(
                of ->
                    CauseLine.of(
                        of.getKey(), of.getValue(), listing.filter(any -> ofAzure(of.getKey()))))
            .sorted(CauseLine.ORDER)
            .toList();
    List<PoolLine> managed =
        lines.stream()
            .filter(line -> !(line.cause().orElse(null) instanceof Cause.NotManaged))
            .toList();
    Headline.Facts facts =
        new Headline.Facts(managed, causes, input.leaving(), input.pause(), input.leader(), self);
    return new Report(Headline.of(facts), causes, lines);
  }
}
