package io.poolkeeper.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmJson;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.lock.LeaseView;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** What one process sends to ARM and what becomes of it, as the rules need to know it. */
final class Ledger {
  final SimProcess process;
  private final SimWorld sim;

  private final GateLedger gates;
  final Attempts attempts;
  final UnresolvedWrites unresolved;
  final AttemptRules rules;
  final StateRules states;
  final EventLedger events;
  final BindingRules bindings;
  final WaitRules waits;
  final ListingLedger listings;
  private final CountRules counts = new CountRules();
  private final WantedRules wanted;

  /** Empty if permits need no Lease. */
  Optional<LeaseClient> leases = Optional.empty();

  private boolean listed;

  Ledger(SimProcess process) {
    this.process = process;
    this.sim = process.sim;
    this.gates = new GateLedger(sim.options.maxRetryAfter());
    this.attempts = new Attempts(sim);
    this.unresolved = new UnresolvedWrites(sim);
    this.rules = new AttemptRules(sim, process.number, unresolved);
    this.states = new StateRules(process);
    this.events = new EventLedger(sim, attempts, states, counts);
    this.wanted = new WantedRules(process.watches.store);
    this.bindings = new BindingRules(sim, process.watches.store);
    this.waits = new WaitRules(process);
    this.listings = new ListingLedger(process);
  }

  /** The process's own client of the shared Lease. */
  LeaseClient leases(InstantSource clock, Consumer<LeaseView> seen) {
    LeaseClient client = new LeaseClient(process, clock, seen);
    leases = Optional.of(client);
    return client;
  }

  /**
   * Whether the process took a watch for lost, or might have: a pool may have rested with what it
   * ought not to hold.
   */
  boolean unsure() {
    return process.watches.unsureSince(now().minus(sim.options.slack()));
  }

  private Instant now() {
    return sim.time.now();
  }

  /**
   * The process sends a request.
   *
   * @param asked whether it only looks at a pool that the cloud provider has written
   */
  Exchange sent(ArmCall call, boolean asked, Wire.Reply reply) {
    boolean write = call.method() == ArmCall.Method.PUT;
    gates
        .closed(call.path(), write, now())
        .ifPresent(why -> sim.check(false, "process %d sends %s".formatted(process.number, why)));
    if (write) {
      process.election.writes();
    }
    Optional<PoolId> pool = call.path().pool();
    boolean look = !write && !asked && pool.filter(unresolved::waits).isPresent();
    boolean none = look || asked || (!write && pool.filter(this::repeatsLook).isPresent());
    Optional<Attempt> part =
        none ? Optional.empty() : pool.map(id -> write ? known(id) : began(id));
    Exchange exchange =
        new Exchange(call, asked, part, pool.or(() -> followed(call)), reply, now());
    if (look) {
      unresolved.looks(pool.orElseThrow(), exchange);
    }
    waits.sent(exchange);
    counts.sent(exchange);
    if (call.path() instanceof ArmPath.OperationStatus poll) {
      attempts.following(poll.id()).ifPresent(attempt -> rules.inTime(attempt, "a poll"));
    }
    part.ifPresent(
        attempt -> {
          if (write) {
            leases.ifPresent(one -> one.writeBegins(attempt, sim.options.slack()));
            rules.writeIsSent(attempt, call, knowsAll(), process.watches.mustKnowOfLoss());
            Map<String, String> members = Attempt.states(call.object());
            isWanted(attempt, members.keySet());
            states.writeIsSent(attempt, members);
            bindings.writeIsSent(attempt, call.object());
          }
          attempt.last = exchange;
        });
    return exchange;
  }

  private void isWanted(Attempt attempt, Set<String> members) {
    Set<String> added = new TreeSet<>(members);
    added.removeAll(attempt.read.keySet());
    Set<String> unwanted = wanted.unwanted(attempt.pool, added);
    sim.check(
        BindingUsers.bound(attempt.pool) || unwanted.isEmpty(),
        "%s: writes %s, which no Service wants".formatted(attempt.pool, unwanted));
  }

  private Optional<PoolId> followed(ArmCall call) {
    return call.path() instanceof ArmPath.OperationStatus poll
        ? attempts.following(poll.id()).map(attempt -> attempt.pool)
        : Optional.empty();
  }

  /** The rate limiter's own look goes on inside its call, beside the attempt that waited for it. */
  private boolean repeatsLook(PoolId pool) {
    return unresolved.mayRepeatLook(pool)
        && attempts.at(pool).filter(Attempt::outstanding).isPresent();
  }

  private Attempt known(PoolId pool) {
    return attempts.at(pool).orElseThrow(() -> sim.broken(pool + ": a PUT without a GET"));
  }

  private Attempt began(PoolId pool) {
    rules.attemptBegins(pool, attempts.all());
    unresolved.attemptBegins(pool);
    return attempts.begin(pool);
  }

  /** Whether the process has been given everything that existed when it began. */
  boolean knowsAll() {
    return listed && process.election.leads() && process.watches.synced();
  }

  /** ARM has handled the request of an exchange; {@code lost} if it does not apply the write. */
  void handled(Exchange exchange, Handled handled, boolean lost) {
    exchange.attempt.ifPresent(attempt -> becomes(exchange, attempt, handled, lost));
  }

  /** The operation that a write has begun has ended. */
  void operationEnded(Exchange exchange) {
    exchange.attempt.ifPresent(attempt -> unresolved.operationEnded(exchange, attempt));
  }

  private void becomes(Exchange exchange, Attempt attempt, Handled handled, boolean lost) {
    boolean refused = exchange.write() && handled.answer().status() == 412;
    // Its sender may have a successor by now, which leads.
    if (exchange.write() && !process.alive() && sim.process.isPresent()) {
      if (handled.accepted()) {
        sim.othersWrote(attempt.pool.loadBalancer());
        sim.mark(RunMark.LATE_WRITE_MADE);
      } else if (refused) {
        sim.mark(RunMark.LATE_WRITE_REFUSED);
      }
    }
    if (handled.accepted()) {
      if (!process.alive() || !exchange.awaited()) {
        sim.process.ifPresent(one -> one.ledger.waits.late(attempt.pool.path()));
      }
      accepted(exchange, attempt, handled, lost);
    } else if (refused) {
      unresolved.refused(attempt);
    }
  }

  private void accepted(Exchange exchange, Attempt attempt, Handled handled, boolean lost) {
    sim.trace.say(
        "ARM accepts %s of %s%s"
            .formatted(
                sim.arm.addresses(attempt.pool.path()), attempt.pool, lost ? ", in vain" : ""));
    if (lost) {
      waits.gone(attempt.pool.path());
      sim.mark(RunMark.WRITE_LOST);
    }
    attempt.operation = handled.started().orElse(attempt.operation);
    unresolved.accepted(exchange, attempt, handled);
  }

  /** An answer reaches the process. */
  void arrived(Exchange exchange, Wire.Answer answer) {
    exchange.arrived(answer.status());
    Optional<JsonNode> json = json(answer);
    if (answer.status() == 429) {
      gates.close(exchange.call.path(), exchange.write(), answer, now(), sim.faults.wall());
      if (attempts.all().stream().anyMatch(a -> a.last != exchange && writing(a))) {
        sim.mark(RunMark.GATE_CLOSED_WHILE_WRITING);
      }
    }
    if (exchange.kind().equals("list")) {
      listings.arrived(exchange, json);
      listed |=
          answer.status() == 200
              && process.election.led(exchange.sentAt)
              && json.filter(page -> !page.path("value").isMissingNode()).isPresent();
    }
    exchange.call.path().pool().ifPresent(pool -> unresolved.arrived(exchange, pool, json));
    exchange.attempt.ifPresent(attempt -> arrived(attempt, exchange, json));
    waits.arrived(exchange, answer, json);
  }

  /** The JSON of an answer; empty if it is none. */
  private static Optional<JsonNode> json(Wire.Answer answer) {
    try {
      return Optional.of(ArmJson.MAPPER.readTree(answer.body()));
    } catch (JsonProcessingException garbage) {
      return Optional.empty();
    }
  }

  private static boolean writing(Attempt attempt) {
    return attempt.last != null && attempt.last.write() && attempt.outstanding();
  }

  private void arrived(Attempt attempt, Exchange exchange, Optional<JsonNode> json) {
    if (!exchange.write() && exchange.status() == 200) {
      json.ifPresent(attempt::saw);
    }
    attempts.answered(attempt.pool, exchange.status());
    sim.trace.say("%s: %s %d".formatted(attempt.pool, exchange.kind(), exchange.status()));
  }

  /** A Service changes, and may leave its pools. */
  void changed(String name) {
    if (attempts.all().stream().anyMatch(a -> writing(a) && a.pool.name().contains(name))) {
      sim.mark(RunMark.SERVICE_MOVED_WHILE_WRITING);
    }
  }

  /** A line of the log of the process. */
  void logged(String format, Object[] arguments) {
    if (format.contains("unresolved-write=begun")) {
      unresolved.begun((PoolId) arguments[1]);
    } else if (format.contains("unresolved-write=ended")) {
      unresolved.ended((LoadBalancerId) arguments[0]);
    } else if (format.contains("lease=bypassed")) {
      bypassed((PoolId) arguments[0]);
    } else if (format.contains("actor=failed")) {
      attempts.actorFailed((PoolId) arguments[0]);
    }
  }

  /** A drain goes without the Lease; a read at its load balancer before counts as waiting. */
  private void bypassed(PoolId pool) {
    boolean read =
        attempts.all().stream()
            .filter(attempt -> attempt.pool.loadBalancer().equals(pool.loadBalancer()))
            .anyMatch(attempt -> attempt.last == null || !attempt.last.write());
    leases.orElseThrow().bypassed(pool, read, sim.options.slack());
  }

  /** Nothing is left to do, and this is what the process counts. */
  void rests(String scrape) {
    counts
        .wrong(scrape, sim.options.bindings().isPresent())
        .ifPresent(how -> sim.check(false, how));
    if (scrape.matches("(?s).*poolkeeper_retry_budget_exhausted_total [1-9].*")) {
      sim.mark(RunMark.BUDGET_EMPTY);
    }
  }

  /** The process is gone; what it left at ARM goes on. */
  void ended() {
    waits.end();
    if (unresolved.anyRuns()) {
      sim.mark(RunMark.CRASH_BETWEEN_ACCEPT_AND_REPLY);
    }
  }
}
