package io.poolkeeper.armsim.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The active rules, at most {@value #LIMIT}. The oldest one that matches a request, and whose
 * probability hits, applies. Each rule has its own random stream, so that rules do not influence
 * each other. Confined to one thread.
 */
public final class Faults {
  private static final int LIMIT = 1_000;

  private final TreeMap<Long, Armed> rules = new TreeMap<>();
  // The newest used-up rules, kept as long as an application may be given back.
  private final TreeMap<Long, Armed> exhausted = new TreeMap<>();
  private long lastId;

  private static final class Armed {
    private final FaultRule rule;
    private final RandomGenerator random;
    private long applied;

    Armed(FaultRule rule, long seed) {
      this.rule = rule;
      this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    boolean exhausted() {
      return rule.times().filter(most -> applied >= most).isPresent();
    }

    boolean chance() {
      return rule.probability().map(likely -> random.nextDouble() < likely).orElse(true);
    }
  }

  /** A rule that applies to a request, and the delay as drawn for this one. */
  public record Taken(long id, FaultRule rule, Duration delay) {}

  /** The counts of a rule; {@code left} for so many more requests, empty: no limit. */
  public record Status(long id, FaultRule rule, long applied, Optional<Long> left) {}

  /** Adds rules and returns their ids; empty, and none added, if there are too many. */
  public Optional<List<Long>> add(List<FaultRule> more) {
    if (rules.size() + more.size() > LIMIT) {
      return Optional.empty();
    }
    List<Long> ids = new ArrayList<>();
    for (FaultRule rule : more) {
      lastId++;
      rules.put(lastId, new Armed(rule, rule.seed().orElse(lastId)));
      ids.add(lastId);
    }
    return Optional.of(List.copyOf(ids));
  }

  public boolean remove(long id) {
    exhausted.remove(id);
    return rules.remove(id) != null;
  }

  public void clear() {
    exhausted.clear();
    rules.clear();
  }

  public List<Status> list() {
    return rules.entrySet().stream().map(Faults::status).toList();
  }

  /** The rule that applies to a request; counts the application. */
  public Optional<Taken> take(String method, String path) {
    for (Map.Entry<Long, Armed> entry : rules.entrySet()) {
      Armed armed = entry.getValue();
      // The map may reuse an entry for another rule when its own is removed.
      long id = entry.getKey();
      if (armed.rule.matches(method, path) && armed.chance()) {
        armed.applied++;
        if (armed.exhausted()) {
          retire(id, armed);
        }
        Duration delay = armed.rule.delay().draw(armed.random);
        return Optional.of(new Taken(id, armed.rule, delay));
      }
    }
    return Optional.empty();
  }

  /**
   * Reverts the count for a request that the rule could not apply to, unless the rule was removed.
   */
  public void giveBack(Taken taken) {
    Optional<Armed> retired = Optional.ofNullable(exhausted.remove(taken.id()));
    retired.ifPresent(armed -> rules.put(taken.id(), armed));
    Optional.ofNullable(rules.get(taken.id())).ifPresent(armed -> armed.applied--);
  }

  private void retire(long id, Armed armed) {
    rules.remove(id);
    if (armed.rule.needsAcceptedWrite()) {
      exhausted.put(id, armed);
      if (exhausted.size() > LIMIT) {
        exhausted.pollFirstEntry();
      }
    }
  }

  private static Status status(Map.Entry<Long, Armed> entry) {
    Armed armed = entry.getValue();
    Optional<Long> left = armed.rule.times().map(most -> most - armed.applied);
    return new Status(entry.getKey(), armed.rule, armed.applied, left);
  }
}
