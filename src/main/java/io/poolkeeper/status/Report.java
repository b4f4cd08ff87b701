package io.poolkeeper.status;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.ServiceMapObserver.Knowledge;
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
public record Report(
    Headline headline, Impact impact, List<CauseLine> causes, List<PoolLine> pools) {
  /**
   * A report of this moment.
   *
   * @param leader the one that leads, if known
   */
  public static Report of(
      Snapshot snapshot, Optional<String> leader, Installation self, Instant now) {
    Surroundings around = Surroundings.of(snapshot, now);
    List<PoolLine> lines =
        snapshot.allPools().stream().map(pool -> PoolLine.of(pool, around)).toList();
    return of(snapshot, leader, lines, self, now);
  }

  /** Why not all pools can be compared with what is desired, as a sentence; empty if all can. */
  public Optional<String> incomparable() {
    boolean lost = causes.stream().anyMatch(line -> line.cause() instanceof Cause.WatchLost);
    if (headline.tone() == Tone.NEED || lost) {
      return Optional.of(headline.text() + headline.rest());
    }
    long blind = pools.stream().filter(Report::incomparable).count();
    return blind == 0
        ? Optional.empty()
        : Optional.of("%,d pools fail, or cannot be read.".formatted(blind));
  }

  private static boolean incomparable(PoolLine line) {
    PoolStatus pool = line.status();
    boolean managed = pool.state() != PoolStatus.State.OPTED_OUT;
    return managed
        && (!pool.picture().seen() || pool.lastError().isPresent() || pool.members().interfaces());
  }

  /** What has failed. A failed listing is no evidence of what happens in the cluster. */
  private static Optional<ArmFailure> failure(Cause cause, Knowledge knowledge) {
    if (cause instanceof Cause.ListingFailing failing && !failing.groups().isEmpty()) {
      return Optional.ofNullable(knowledge.unread().get(failing.groups().getFirst()));
    }
    return ofAzure(cause) ? knowledge.listingFailure() : Optional.empty();
  }

  private static boolean ofAzure(Cause cause) {
    return !(cause instanceof Cause.WatchLost
        || cause instanceof Cause.NotLeading
        || cause instanceof Cause.NoLeader
        || cause instanceof Cause.WithoutPool
        || cause instanceof Cause.Starting);
  }

  /** A report of these lines, which are those of all pools. */
  public static Report of(
      Snapshot snapshot,
      Optional<String> leader,
      List<PoolLine> lines,
      Installation self,
      Instant now) {
    Map<Cause, List<PoolLine>> groups = new LinkedHashMap<>();
    Diagnosis.ofProcess(
            snapshot.knowledge(),
            snapshot.nodes().waiting(),
            snapshot.bindings().lost(),
            leader,
            now)
        .forEach(cause -> groups.put(cause, new ArrayList<>()));
    List<NodeKey> paused = List.copyOf(snapshot.nodes().paused());
    if (!paused.isEmpty()) {
      groups.put(new Cause.PreemptionsPaused(paused), new ArrayList<>());
    }
    for (PoolLine line : lines) {
      line.cause()
          .ifPresent(cause -> groups.computeIfAbsent(cause, key -> new ArrayList<>()).add(line));
    }
    List<CauseLine> causes = new ArrayList<>();
    groups.forEach(
        (cause, pools) ->
            causes.add(CauseLine.of(cause, pools, failure(cause, snapshot.knowledge()))));
    causes.sort(CauseLine.ORDER);
    List<PoolLine> managed =
        lines.stream()
            .filter(line -> !(line.cause().orElse(null) instanceof Cause.NotManaged))
            .toList();
    Impact impact = Impact.of(snapshot, managed, now);
    Headline.Facts facts =
        new Headline.Facts(
            managed,
            impact,
            causes,
            Math.toIntExact(snapshot.leaving()),
            snapshot.pause().pause(),
            leader,
            self);
    return new Report(Headline.of(facts), impact, List.copyOf(causes), lines);
  }
}
