package io.poolkeeper.simulation;

import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.arm.Throttle;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.ServiceEvent;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.Phase;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolState;
import io.poolkeeper.simulation.SimCluster.Kind;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.TurnstileEffect;
import io.poolkeeper.turnstile.TurnstileState;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Watches everything that the controller says and sends, and keeps books of its own about it. The
 * first broken rule ends the run: rules 1 to 10 of the architecture's section 4, the turnstile's
 * properties of section 5, and the truth of every event.
 */
final class Checker {
  private final Timeline time;
  private final Swarm swarm;
  private final SimAzure azure;
  private final Trace trace;
  private final Promises promises;
  private final Traffic traffic;
  private final Map<Mark, Integer> marks = new EnumMap<>(Mark.class);
  private final Map<PoolCell, Attempt> attempts = new HashMap<>();
  private final Map<PoolCell, PoolBooks> books = new HashMap<>();
  private final Map<Life, LifeBooks> lives = new HashMap<>();
  private Optional<Violation> first = Optional.empty();

  Checker(Timeline time, Swarm swarm, SimAzure azure, Trace trace) {
    this.time = time;
    this.swarm = swarm;
    this.azure = azure;
    this.trace = trace;
    this.promises = new Promises(time, swarm, this, trace);
    this.traffic = new Traffic(time, azure, this, trace);
  }

  Traffic traffic() {
    return traffic;
  }

  /** A rule is broken. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  void violated(String how) {
    trace.say("VIOLATED " + how);
    Violation violation = new Violation(how);
    first = first.or(() -> Optional.of(violation));
    throw violation;
  }

  /** The first rule that was broken, even if somebody on the way to ARM took it for an error. */
  Optional<Violation> first() {
    return first;
  }

  void check(boolean holds, PoolCell cell, String how) {
    if (!holds) {
      violated(cell.name + ": " + how);
    }
  }

  void mark(Mark mark) {
    marks.merge(mark, 1, Integer::sum);
  }

  Map<Mark, Integer> marks() {
    return marks;
  }

  LifeBooks of(Life life) {
    return lives.computeIfAbsent(life, any -> new LifeBooks(swarm.turnstile(), time.now()));
  }

  PoolBooks of(PoolCell cell) {
    return books.computeIfAbsent(cell, any -> new PoolBooks());
  }

  void synced(Life life, Kind kind) {
    of(life).synced.add(kind);
  }

  void listed(Life life) {
    of(life).listed = true;
  }

  void desired(PoolCell cell, Assignment assignment, Level level) {
    of(cell).desired(assignment, level, attempts.containsKey(cell));
    Attempt attempt = attempts.get(cell);
    if (attempt != null) {
      attempt.wish(assignment.service(), members(level));
    }
  }

  private static Set<String> members(Level level) {
    Set<String> all = new TreeSet<>();
    if (level instanceof Level.Exactly exactly) {
      exactly.members().keySet().stream().map(Address::text).forEach(all::add);
    }
    return all;
  }

  void released(PoolCell cell, ServiceKey service) {
    of(cell).told.remove(service);
    Attempt attempt = attempts.get(cell);
    if (attempt != null && attempt.outstanding) {
      mark(Mark.SERVICE_MOVED_WHILE_WRITING);
    }
  }

  /** The process is gone; what it left at ARM goes on. */
  void ended(Life life) {
    attempts.values().stream()
        .filter(attempt -> attempt.cell.life == life && attempt.accepted && attempt.outstanding)
        .forEach(attempt -> mark(Mark.CRASH_BETWEEN_ACCEPT_AND_REPLY));
    attempts.keySet().removeIf(cell -> cell.life == life);
    books.keySet().removeIf(cell -> cell.life == life);
    lives.remove(life);
  }

  void stopped(PoolCell cell) {
    of(cell).stopped = true;
  }

  void asked(PoolCell cell, Lane lane) {
    of(cell.life).turns.asked(cell.visitor, lane, time.now());
  }

  void left(PoolCell cell) {
    of(cell.life).turns.left(cell.visitor);
  }

  void heldBack(Life life) {
    mark(Mark.BUDGET_EMPTY);
    of(life).turns.heldBack().ifPresent(this::violated);
  }

  void granted(PoolCell cell, TurnstileEffect.Grant grant) {
    of(cell.life).turns.granted(grant, time.now()).ifPresent(how -> check(false, cell, how));
    for (Attempt other : attempts.values()) {
      check(
          other.lost
              || other.cell.life != cell.life
              || !other.loadBalancer().equals(cell.id.loadBalancer()),
          cell,
          "a second turn at the load balancer, beside that of " + other.cell.name);
    }
    open(cell, "");
    open(cell, cell.id.loadBalancer().path());
    Attempt attempt = new Attempt(cell, time.now(), grant.evenIfUpdating());
    attempt.contents.add(azure.addresses(cell.id.path()));
    of(cell).told.forEach((service, told) -> attempt.wish(service, members(told.level)));
    attempts.put(cell, attempt);
    trace.say("%s has turn %d".formatted(cell.name, grant.turn()));
  }

  /** The turnstile hears that ARM takes no calls until then. */
  void throttled(Life life, Throttle throttle) {
    String whose = throttle.loadBalancer().map(LoadBalancerId::path).orElse("");
    of(life).throttled(whose, throttle.until());
  }

  private void open(PoolCell cell, String whose) {
    Instant from = of(cell.life).turnsFrom(whose);
    check(!time.now().isBefore(from), cell, "has a turn though ARM takes no calls before " + from);
  }

  /** The turn is somebody else's from now on. */
  void turnLost(PoolCell cell) {
    Optional.ofNullable(attempts.get(cell)).ifPresent(attempt -> attempt.lost = true);
  }

  void turnstile(Life life, TurnstileState state) {
    int out = state.out().size();
    if (out > swarm.turnstile().maxInFlight()) {
      violated("life %d: %d turns are out".formatted(life.number, out));
    }
  }

  void reading(PoolCell cell) {
    Attempt attempt = attempts.get(cell);
    check(attempt != null, cell, "reads without a turn");
    check(!Objects.requireNonNull(attempt).outstanding, cell, "two calls at once");
    attempt.outstanding = true;
  }

  void read(PoolCell cell, @Nullable PoolDocument document) {
    Attempt attempt = attempts.get(cell);
    if (attempt != null) {
      attempt.outstanding = false;
      attempt.hasRead = document != null;
      trace.say(
          "%s reads %s"
              .formatted(cell.name, document == null ? "nothing" : new TreeSet<>(attempt.read)));
    }
  }

  void writing(PoolCell cell, PoolEdit edit) {
    Attempt attempt = attempts.get(cell);
    check(attempt != null && attempt.hasRead, cell, "writes what it has not read in this turn");
    check(!edit.isEmpty(), cell, "writes what changes nothing");
    check(!Objects.requireNonNull(attempt).outstanding, cell, "two calls at once");
    LifeBooks known = of(cell.life);
    check(known.ready(), cell, "writes before the caches are filled and ARM was listed");
    check(known.bucket.mayWrite(time.now()), cell, "writes faster than the tokens allow");
    attempt.outstanding = true;
    trace.say(
        "%s writes -%s +%s"
            .formatted(cell.name, new TreeSet<>(edit.remove()), edit.add().keySet()));
  }

  void written(PoolCell cell, boolean well) {
    Optional.ofNullable(attempts.get(cell)).ifPresent(attempt -> attempt.outstanding = false);
    trace.say("%s has %s".formatted(cell.name, well ? "written" : "failed to write"));
  }

  /** A pool has decided something; with the turn, the attempt ends. */
  void decided(
      PoolCell cell, PoolEvent event, PoolState before, Decision<PoolState, PoolEffect> decision) {
    promises.decided(cell, event, before, decision);
    boolean back = decision.effects().stream().anyMatch(PoolEffect.ReturnTurn.class::isInstance);
    if (back) {
      attempts.remove(cell);
    }
    boolean ended =
        before.phase() instanceof Phase.Attempting
            && decision.state().phase() instanceof Phase.Still;
    check(back || !ended, cell, "keeps a turn that it has no use for");
  }

  void told(PoolCell cell, ServiceEvent event) {
    promises.told(cell, event);
  }

  Collection<Attempt> attempts() {
    return attempts.values();
  }

  Optional<Attempt> attempt(PoolCell cell) {
    return Optional.ofNullable(attempts.get(cell));
  }

  /** Nothing is left to do: beside a listing and what has a turn, every exchange is counted. */
  void rests(Life life) {
    long turns = attempts.keySet().stream().filter(cell -> cell.life == life).count();
    int uncounted = of(life).calls.uncounted();
    if (uncounted > turns + 1) {
      violated("life %d has not counted %d calls".formatted(life.number, uncounted));
    }
  }
}
