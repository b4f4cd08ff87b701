package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.protocol.ArmPath;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What one process sends to ARM and what becomes of it, as the rules need to know it. */
final class Ledger {
  private final SimProcess process;
  private final SimWorld sim;
  private final EventLedger events;
  private final DesiredHistory desired;
  private final GateLedger gates;
  private final AttemptRules rules;
  private final LossLedger losses;
  private final StateRules states;
  private final BindingRules bindings;
  private final WaitRules waits;
  private final CallLedger calls = new CallLedger();
  private final Attempts attempts;
  private final SettlingLedger settling;
  private final Set<ServiceKey> changedServices = new HashSet<>();

  /** Looks at what the cloud provider has written: no attempts, nor part of one. */
  private final List<Exchange> looking = new ArrayList<>();

  private boolean listed;

  Ledger(SimProcess process, SimWorld sim, SimCluster store) {
    this.process = process;
    this.sim = sim;
    this.attempts = new Attempts(sim);
    this.settling = new SettlingLedger(sim);
    this.desired = new DesiredHistory(sim, store);
    this.events = new EventLedger(this, sim, desired);
    this.losses = new LossLedger(sim, this);
    this.gates = new GateLedger(sim.options.turnstile().maxRetryAfter());
    this.states = new StateRules(process, sim, this, store);
    this.bindings = new BindingRules(sim, this, store);
    this.waits = new WaitRules(process, sim, store);
    this.rules = new AttemptRules(this, sim, process.number);
  }

  EventLedger events() {
    return events;
  }

  DesiredHistory desired() {
    return desired;
  }

  BindingRules bindings() {
    return bindings;
  }

  LossLedger losses() {
    return losses;
  }

  StateRules states() {
    return states;
  }

  WaitRules waits() {
    return waits;
  }

  Attempts attempts() {
    return attempts;
  }

  SettlingLedger settling() {
    return settling;
  }

  /**
   * Whether the process took a watch for lost since then, or might have: what it withheld is no
   * change to be counted, and a pool may have rested with what it ought not to hold.
   */
  boolean unsureSince(Instant then) {
    return process.watches().stream().anyMatch(watch -> watch.unsureSince(then.minus(slack())));
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
      process.election().writes();
    }
    Optional<PoolId> pool =
        call.path() instanceof ArmPath.OnePool one ? Optional.of(one.id()) : Optional.empty();
    boolean look = !write && !asked && pool.filter(settling::waits).isPresent();
    boolean none = look || asked || (!write && pool.filter(this::repeatsLook).isPresent());
    Optional<Attempt> part =
        none ? Optional.empty() : pool.map(id -> write ? known(id) : began(id));
    Exchange exchange =
        new Exchange(this, call, asked, part, pool.or(() -> followed(call)), reply, now());
    calls.sent(exchange.kind());
    if (asked) {
      looking.removeIf(before -> before.ended() || !before.awaited());
      looking.add(exchange);
    }
    if (look) {
      settling.looks(pool.orElseThrow(), exchange);
    }
    waits.sent(exchange);
    if (call.path() instanceof ArmPath.OperationStatus poll) {
      attempts.following(poll.id()).ifPresent(attempt -> rules.inTime(attempt, "a poll"));
    }
    part.ifPresent(
        attempt -> {
          if (write) {
            process.leases().ifPresent(one -> one.writeBegins(attempt, slack()));
            rules.writeIsSent(attempt, call);
            states.writeIsSent(attempt, Exchange.states(call.object()));
            bindings.writeIsSent(attempt, call.object());
            losses.writeIsSent(
                attempt, Exchange.addresses(call.object()), process.mustKnowOfLoss());
          }
          attempt.last = exchange;
        });
    return exchange;
  }

  private Optional<PoolId> followed(ArmCall call) {
    return call.path() instanceof ArmPath.OperationStatus poll
        ? attempts.following(poll.id()).map(attempt -> attempt.pool)
        : Optional.empty();
  }

  /** The turnstile's own look goes on inside its call, beside the attempt that waited for it. */
  private boolean repeatsLook(PoolId pool) {
    return settling.mayRepeatLook(pool, slack())
        && attempts.at(pool).filter(Attempt::outstanding).isPresent();
  }

  private Attempt known(PoolId pool) {
    return attempts.at(pool).orElseThrow(() -> rules.broken(pool, "a PUT without a GET"));
  }

  private Attempt began(PoolId pool) {
    rules.attemptBegins(pool, attempts.all());
    settling.attemptBegins(pool, slack());
    return attempts.begin(pool);
  }

  /** Whether the process has been given everything that existed when it began. */
  boolean knowsAll() {
    return listed
        && process.election().leads()
        && process.watches().stream().allMatch(SimWatch::synced);
  }

  /** A write has reached ARM; its sender may have a successor by now, which leads. */
  void handled(PoolId pool, Handled handled) {
    if (!process.alive() && sim.process.isPresent()) {
      if (handled.accepted()) {
        sim.othersWrote(pool);
        sim.mark(Mark.LATE_WRITE_MADE);
      } else if (handled.answer().status() == 412) {
        sim.mark(Mark.LATE_WRITE_REFUSED);
      }
    }
  }

  /** ARM has accepted a write. */
  void accepted(Exchange exchange, Attempt attempt, Handled handled, boolean lost) {
    sim.trace.say(
        "ARM accepts %s of %s%s"
            .formatted(
                sim.arm.addresses(attempt.pool.path()), attempt.pool, lost ? ", in vain" : ""));
    attempt.lied |= lost;
    if (lost) {
      waits.gone(attempt.pool.path());
      sim.mark(Mark.WRITE_LOST);
    }
    attempt.operation = handled.started().orElse(attempt.operation);
    settling.accepted(exchange, attempt, handled);
  }

  void operationEnded(Exchange exchange, Attempt attempt) {
    settling.operationEnded(exchange, attempt);
  }

  /** An answer reaches the process. */
  void arrived(Exchange exchange, Wire.Answer answer) {
    exchange.arrived(answer.status());
    calls.arrived(exchange.kind(), answer.status());
    Optional<JsonNode> json = Exchange.json(answer);
    if (answer.status() == 429) {
      gates.close(exchange.call.path(), exchange.write(), answer, now(), sim.faults.wall());
      if (attempts.all().stream().anyMatch(a -> a.last != exchange && writing(a))) {
        sim.mark(Mark.GATE_CLOSED_WHILE_WRITING);
      }
    }
    boolean list = exchange.kind().equals("list") && answer.status() == 200;
    if (list && process.election().led(exchange.sentAt)) {
      listed |= json.filter(page -> !page.path("value").isMissingNode()).isPresent();
    }
    if (exchange.call.path() instanceof ArmPath.OnePool one) {
      settling.arrived(exchange, one.id(), json);
    }
    exchange.attempt.ifPresent(attempt -> arrived(attempt, exchange, json));
    waits.arrived(exchange, answer, json);
  }

  /** No answer comes. */
  void failed(Exchange exchange) {
    waits.failed(exchange);
  }

  private static boolean writing(Attempt attempt) {
    return attempt.last != null && attempt.last.write() && attempt.outstanding();
  }

  private void arrived(Attempt attempt, Exchange exchange, Optional<JsonNode> json) {
    int status = exchange.status();
    if (!exchange.write() && status == 200) {
      json.ifPresent(attempt::saw);
    }
    sim.trace.say("%s: %s %d".formatted(attempt.pool, exchange.kind(), status));
    if (status == 404) {
      events.dropped(attempt.pool);
    }
  }

  /** Somebody else wrote to a load balancer; what ran there is superseded. */
  void othersWrote(LoadBalancerId balancer) {
    settling.othersWrote(balancer);
    attempts.changed(balancer);
  }

  /** A Service object changes; it may leave its pools. */
  void changed(String name) {
    changedServices.add(SimCluster.serviceKey(name));
    if (attempts.all().stream().anyMatch(a -> writing(a) && a.pool.name().contains(name))) {
      sim.mark(Mark.SERVICE_MOVED_WHILE_WRITING);
    }
  }

  /** At rest, beside a listing and what has a turn, everything is counted. */
  void countsAreRight(String scrape) {
    int underWay =
        1
            + settling.looksUnderWay()
            + looking.size()
            + (int) attempts.all().stream().filter(Attempt::outstanding).count();
    calls
        .wrong(scrape, underWay)
        .or(() -> events.wrong(scrape))
        .ifPresent(how -> sim.check(false, how));
    if (scrape.matches("(?s).*poolkeeper_retry_budget_exhausted_total [1-9].*")) {
      sim.mark(Mark.BUDGET_EMPTY);
    }
  }

  /** The process is gone; what it left at ARM goes on. */
  void ended() {
    waits.end();
    if (settling.anyRuns()) {
      sim.mark(Mark.CRASH_BETWEEN_ACCEPT_AND_REPLY);
    }
  }
}
