package io.poolkeeper.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What one process sends to ARM and what becomes of it, as the rules need to know it. */
final class Ledger {
  private final SimProcess process;
  private final SimWorld sim;
  private final EventLedger events;
  private final DesiredHistory desired;
  private final GateLedger gates;
  private final AttemptRules rules;
  private final LossLedger losses;
  private final DamageRules damage;
  private final CallLedger calls = new CallLedger();
  private final Map<PoolId, Attempt> attempts = new TreeMap<>(Comparator.comparing(PoolId::path));

  /** What the process waits for at load balancers; it makes no attempts there, only looks. */
  private final Map<LoadBalancerId, PoolId> settling = new HashMap<>();

  private final List<Exchange> looks = new ArrayList<>();

  /** When it last waited for something there. */
  private final Map<LoadBalancerId, Instant> wentOnAt = new HashMap<>();

  /** Since when a write at a load balancer is known to be unresolved or another's. */
  private final Map<LoadBalancerId, Instant> unresolvedSince = new HashMap<>();

  /** Whose accepted write runs on a load balancer. */
  private final Map<LoadBalancerId, Attempt> running = new HashMap<>();

  private final Set<ServiceKey> changedServices = new HashSet<>();
  private boolean listed;

  Ledger(SimProcess process, SimWorld sim, SimCluster store) {
    this.process = process;
    this.sim = sim;
    this.desired = new DesiredHistory(sim, store);
    this.events = new EventLedger(this, sim, desired);
    this.losses = new LossLedger(sim, this);
    this.gates = new GateLedger(sim.options.turnstile().maxRetryAfter());
    this.damage = new DamageRules(process, sim, gates);
    this.rules = new AttemptRules(this, sim, process.number);
  }

  SimWorld sim() {
    return sim;
  }

  EventLedger events() {
    return events;
  }

  CallLedger calls() {
    return calls;
  }

  DesiredHistory desired() {
    return desired;
  }

  LossLedger losses() {
    return losses;
  }

  /** Pools that hold all that is wanted, and for which nothing can be queued. */
  List<PoolId> quietPools() {
    return attempts.values().stream().filter(this::quiet).map(attempt -> attempt.pool).toList();
  }

  private boolean quiet(Attempt attempt) {
    boolean ended = attempt.last != null && attempt.last.status() / 100 == 2;
    Instant changed = desired.lastChange(attempt.pool.name());
    return ended
        && !attempt.lied
        && !running.containsValue(attempt)
        && changed.isBefore(attempt.from.minus(slack()))
        && desired.satisfied(
            attempt.pool.name(), now(), List.of(sim.arm.addresses(attempt.pool.path())));
  }

  /**
   * Whether the process took a watch for lost since then, or might have: what it withheld is no
   * change to be counted, and a pool may have rested with what it ought not to hold.
   */
  boolean unsureSince(Instant then) {
    return process.watches().stream().anyMatch(watch -> watch.unsureSince(then.minus(slack())));
  }

  /** The last attempt at a pool. */
  Optional<Attempt> attempt(PoolId pool) {
    return Optional.ofNullable(attempts.get(pool));
  }

  List<Attempt> attempts(List<String> poolNames) {
    return attempts.values().stream().filter(a -> poolNames.contains(a.pool.name())).toList();
  }

  Collection<SimCluster.Service> knownServices() {
    return desired.services();
  }

  /** A pool's actor has failed; nobody waits for its calls any more. */
  void actorFailed(Object pool) {
    attempts.values().stream()
        .filter(attempt -> attempt.pool.equals(pool))
        .forEach(attempt -> attempt.abandoned = true);
  }

  /** Whether the Service object has changed since the process has begun. */
  boolean changed(ServiceKey service) {
    return changedServices.contains(service);
  }

  /** How late an actor may hear of its deadline, or a process of anything. */
  Duration slack() {
    return sim.options.slack();
  }

  private Instant now() {
    return sim.time.now();
  }

  /** The process sends a request. */
  Exchange sent(ArmCall call, Wire.Reply reply) {
    boolean write = call.method() == ArmCall.Method.PUT;
    gates
        .closed(call.path(), write, now())
        .ifPresent(why -> sim.check(false, "process %d sends %s".formatted(process.number, why)));
    Optional<PoolId> pool =
        call.path() instanceof ArmPath.OnePool one ? Optional.of(one.id()) : Optional.empty();
    Optional<PoolId> awaited =
        pool.filter(id -> !write)
            .flatMap(id -> Optional.ofNullable(settling.get(id.loadBalancer())));
    Optional<Attempt> part =
        awaited.isPresent() ? Optional.empty() : pool.map(id -> write ? known(id) : began(id));
    Exchange exchange = new Exchange(this, call, part, reply);
    calls.sent(exchange.kind());
    awaited.ifPresent(
        id -> {
          rules.looks(pool.orElseThrow(), id);
          looks.removeIf(before -> before.ended() || !before.awaited());
          looks.add(exchange);
        });
    exchange.attempt.ifPresent(
        attempt -> {
          if (write) {
            rules.writeIsSent(attempt, call);
            losses.writeIsSent(
                attempt, Exchange.addresses(call.object()), process.mustKnowOfLoss());
          }
          attempt.last = exchange;
        });
    return exchange;
  }

  private Attempt known(PoolId pool) {
    Attempt attempt = attempts.get(pool);
    if (attempt == null) {
      throw rules.broken(pool, "a PUT without a GET");
    }
    return attempt;
  }

  /** A GET begins an attempt, unless it repeats one inside the call. */
  private Attempt began(PoolId pool) {
    Attempt before = attempts.get(pool);
    rules.attemptBegins(pool, attempts.values());
    Exchange last = before == null ? null : before.last;
    boolean repeats = last != null && !last.write() && last.mayBeRepeated();
    Attempt attempt = new Attempt(pool, before != null && repeats ? before.from : now());
    attempt.contents.add(sim.arm.addresses(pool.path()));
    attempts.put(pool, attempt);
    return attempt;
  }

  /** Since when the process waits for the end of a write at the load balancer of a pool. */
  Instant unresolvedSince(PoolId pool) {
    return unresolvedSince.getOrDefault(pool.loadBalancer(), now());
  }

  /** Whether the process has been given everything that existed when it began. */
  boolean knowsAll() {
    return listed && process.watches().stream().allMatch(SimWatch::synced);
  }

  /** ARM has accepted a write. */
  void accepted(Exchange exchange, Attempt attempt, Handled handled, boolean lost) {
    sim.trace.say(
        "ARM accepts %s of %s%s"
            .formatted(
                sim.arm.addresses(attempt.pool.path()), attempt.pool, lost ? ", in vain" : ""));
    attempt.accepted = true;
    attempt.lied |= lost;
    if (lost) {
      sim.mark(Mark.WRITE_LOST);
    }
    LoadBalancerId balancer = attempt.pool.loadBalancer();
    Attempt before = running.get(balancer);
    if (handled.superseded() && before != null) {
      sim.mark(Mark.WRITE_SUPERSEDED);
      rules.supersedes(before, attempt);
    }
    if (handled.started().isPresent()) {
      running.put(balancer, attempt);
    }
  }

  void operationEnded(Attempt attempt) {
    damage.wrote(attempt.pool);
    running.remove(attempt.pool.loadBalancer(), attempt);
  }

  /** An answer reaches the process. */
  void arrived(Exchange exchange, Wire.Answer answer) {
    exchange.arrived(answer.status());
    calls.arrived(exchange.kind(), answer.status());
    if (answer.status() / 100 != 2 || tree(answer).isEmpty()) {
      damage.disturbed();
    }
    if (answer.status() == 429) {
      gates.close(exchange.call.path(), exchange.write(), answer, now(), sim.faults.wall());
      if (attempts.values().stream().anyMatch(a -> a.last != exchange && writing(a))) {
        sim.mark(Mark.GATE_CLOSED_WHILE_WRITING);
      }
    }
    if (exchange.kind().equals("list") && answer.status() == 200) {
      listed |= tree(answer).filter(page -> !page.path("value").isMissingNode()).isPresent();
    }
    exchange.attempt.ifPresent(attempt -> arrived(attempt, exchange, answer));
    if (looks.contains(exchange)) {
      looked(exchange, answer);
    }
    if (answer.status() == 404) {
      exchange.attempt.ifPresent(attempt -> events.dropped(attempt.pool));
    }
  }

  DamageRules damage() {
    return damage;
  }

  /** The program waits for the end of a write to the pool. */
  void settles(PoolId pool) {
    settling.put(pool.loadBalancer(), pool);
    unresolvedSince.putIfAbsent(pool.loadBalancer(), now());
  }

  /** The program waits no longer. */
  void goesOn(LoadBalancerId balancer) {
    settling.remove(balancer);
    wentOnAt.put(balancer, now());
  }

  /** Whether it may be a look that was under way when the program waited no longer. */
  boolean mayBeLook(Attempt attempt) {
    Instant end = wentOnAt.get(attempt.pool.loadBalancer());
    return end != null
        && (attempt.last == null || !attempt.last.write())
        && !attempt.from.isBefore(end)
        && !attempt.from.isAfter(end.plus(slack()));
  }

  /** The answer to a look. */
  private void looked(Exchange exchange, Wire.Answer answer) {
    if (exchange.call.path() instanceof ArmPath.OnePool one) {
      boolean over =
          answer.status() == 404
              || (answer.status() == 200
                  && tree(answer).filter(pool -> !Attempt.updating(pool)).isPresent());
      if (over) {
        unresolvedSince.remove(one.id().loadBalancer());
      }
      sim.trace.say("%s: look %d".formatted(one.id(), answer.status()));
    }
  }

  private static boolean writing(Attempt attempt) {
    return attempt.last != null && attempt.last.write() && attempt.outstanding();
  }

  private void arrived(Attempt attempt, Exchange exchange, Wire.Answer answer) {
    LoadBalancerId balancer = attempt.pool.loadBalancer();
    if (!exchange.write() && answer.status() == 200) {
      tree(answer).ifPresent(pool -> attempt.saw(pool));
      if (attempt.updating) {
        unresolvedSince.putIfAbsent(balancer, now());
      }
    }
    if (exchange.write()) {
      boolean done =
          answer.status() / 100 == 2
              && tree(answer)
                  .map(pool -> pool.at("/properties/provisioningState").asText())
                  .filter("Succeeded"::equals)
                  .isPresent();
      if (done) {
        unresolvedSince.remove(balancer);
      } else {
        unresolvedSince.putIfAbsent(balancer, now());
      }
    }
    sim.trace.say("%s: %s %d".formatted(attempt.pool, exchange.kind(), answer.status()));
  }

  private static Optional<JsonNode> tree(Wire.Answer answer) {
    try {
      return Optional.of(ArmJson.MAPPER.readTree(answer.body()));
    } catch (JsonProcessingException garbage) {
      return Optional.empty();
    }
  }

  /** Somebody else wrote to a load balancer; what ran there is superseded. */
  void othersWrote(LoadBalancerId balancer) {
    if (running.remove(balancer) != null) {
      sim.mark(Mark.WRITE_SUPERSEDED);
    }
    changed(balancer);
  }

  void changed(LoadBalancerId balancer) {
    for (Attempt attempt : attempts.values()) {
      if (attempt.pool.loadBalancer().equals(balancer)) {
        attempt.contents.add(sim.arm.addresses(attempt.pool.path()));
      }
    }
  }

  /** A Service object changes; it may leave its pools. */
  void changed(String name) {
    changedServices.add(SimCluster.serviceKey(name));
    if (attempts.values().stream().anyMatch(a -> writing(a) && a.pool.name().contains(name))) {
      sim.mark(Mark.SERVICE_MOVED_WHILE_WRITING);
    }
  }

  /** At rest, beside a listing and what has a turn, everything is counted. */
  void countsAreRight(String scrape) {
    int underWay =
        1 + looks.size() + (int) attempts.values().stream().filter(Attempt::outstanding).count();
    calls
        .wrong(scrape, underWay)
        .or(() -> events.wrong(scrape))
        .ifPresent(how -> sim.check(false, how));
    marks(scrape);
  }

  private void marks(String scrape) {
    if (scrape.matches("(?s).*poolkeeper_retry_budget_exhausted_total [1-9].*")) {
      sim.mark(Mark.BUDGET_EMPTY);
    }
  }

  /** The process is gone; what it left at ARM goes on. */
  void ended() {
    if (!running.isEmpty()) {
      sim.mark(Mark.CRASH_BETWEEN_ACCEPT_AND_REPLY);
    }
  }
}
