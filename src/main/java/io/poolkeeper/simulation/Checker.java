package io.poolkeeper.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.lab.armsim.model.Handled;
import io.poolkeeper.lab.armsim.protocol.ArmAnswer;
import io.poolkeeper.lab.armsim.protocol.ArmCall;
import io.poolkeeper.lab.armsim.protocol.ArmPath;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.ServiceEvent;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.Phase;
import io.poolkeeper.pool.PoolDecision;
import io.poolkeeper.pool.PoolEffect;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolState;
import io.poolkeeper.pool.UpdateQueue;
import io.poolkeeper.simulation.SimCluster.Kind;
import io.poolkeeper.turnstile.TurnstileState;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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
  private final Map<Mark, Integer> marks = new EnumMap<>(Mark.class);
  private final Map<PoolCell, Attempt> attempts = new HashMap<>();
  private final Map<PoolCell, Books> books = new HashMap<>();
  private final Map<Life, LifeBooks> lives = new HashMap<>();
  private final Map<LoadBalancerId, Attempt> running = new HashMap<>();

  /** What the checker knows of one pool's actor. */
  private static final class Books {
    private final Map<ServiceKey, Told> told = new HashMap<>();
    private boolean stopped;
    private boolean repairing;
  }

  /** What a pool was told of a Service, and what people were told since. */
  private static final class Told {
    private Assignment assignment;
    private Level level;
    private int retrying;
    private int retryingSinceChange;

    Told(Assignment assignment, Level level) {
      this.assignment = assignment;
      this.level = level;
    }
  }

  /** What the checker knows of one life of the process. */
  private static final class LifeBooks {
    private final Set<Kind> synced = EnumSet.noneOf(Kind.class);
    private final WriteBucket bucket;
    private final GateBook gates;
    private boolean listed;

    LifeBooks(WriteBucket bucket, GateBook gates) {
      this.bucket = bucket;
      this.gates = gates;
    }

    boolean ready() {
      return listed && synced.size() == Kind.values().length;
    }
  }

  Checker(Timeline time, Swarm swarm, SimAzure azure, Trace trace) {
    this.time = time;
    this.swarm = swarm;
    this.azure = azure;
    this.trace = trace;
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
    throw new Violation(how);
  }

  private void check(boolean holds, PoolCell cell, String how) {
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

  private LifeBooks of(Life life) {
    return lives.computeIfAbsent(
        life,
        any ->
            new LifeBooks(
                new WriteBucket(swarm.turnstile(), time.now()),
                new GateBook(swarm.turnstile().maxRetryAfter())));
  }

  private Books of(PoolCell cell) {
    return books.computeIfAbsent(cell, any -> new Books());
  }

  // --- what the process knows
  // ---------------------------------------------------------------------

  void synced(Life life, Kind kind) {
    of(life).synced.add(kind);
  }

  void listed(Life life) {
    of(life).listed = true;
  }

  void desired(PoolCell cell, Assignment assignment, Level level) {
    Books known = of(cell);
    Told before = known.told.get(assignment.service());
    if (before == null || before.assignment.number() != assignment.number()) {
      known.told.put(assignment.service(), new Told(assignment, level));
    } else {
      if (!before.level.equals(level)) {
        // The attempt under way is about older changes, and its end may be told first.
        before.retryingSinceChange = attempts.containsKey(cell) ? -1 : 0;
      }
      before.level = level;
    }
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

  // --- turns
  // --------------------------------------------------------------------------------------

  void granted(PoolCell cell, long turn, boolean evenIfUpdating) {
    for (Attempt other : attempts.values()) {
      check(
          other.lost
              || other.cell.life != cell.life
              || !other.loadBalancer().equals(cell.id.loadBalancer()),
          cell,
          "a second turn at the load balancer, beside that of " + other.cell.name);
    }
    Attempt attempt = new Attempt(cell, turn, time.now(), evenIfUpdating);
    attempt.contents.add(azure.addresses(cell.id.path()));
    of(cell).told.forEach((service, told) -> attempt.wish(service, members(told.level)));
    attempts.put(cell, attempt);
    trace.say("%s has turn %d".formatted(cell.name, turn));
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

  // --- attempts
  // -----------------------------------------------------------------------------------

  void reading(PoolCell cell) {
    Attempt attempt = attempts.get(cell);
    check(attempt != null, cell, "reads without a turn");
    check(!Objects.requireNonNull(attempt).outstanding, cell, "two calls at once");
    attempt.outstanding = true;
  }

  void read(PoolCell cell, @org.jspecify.annotations.Nullable PoolDocument document) {
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

  void decided(PoolCell cell, PoolEvent event, PoolState before, PoolDecision decision) {
    Optional<Attempt> attempt = Optional.ofNullable(attempts.get(cell));
    of(cell).repairing =
        before.phase() instanceof Phase.Attempting under && under.attempt().operations().isEmpty();
    Set<String> tellings = new HashSet<>();
    boolean told = false;
    boolean finished = false;
    for (PoolEffect effect : decision.effects()) {
      if (effect instanceof PoolEffect.Emit emit) {
        told = true;
        ServiceEvent about = emit.event();
        check(
            tellings.add(about.service() + " " + about.reason()),
            cell,
            "tells twice of one outcome: " + about);
        check(
            !about.reason().endsWith("Retrying") || event instanceof PoolEvent.AttemptFailed,
            cell,
            "tells of a retry without a failure");
        if (about.reason().endsWith("Updated")) {
          attempt.ifPresentOrElse(
              found -> updated(found, about),
              () -> violated(cell.name + ": tells of an update without a turn"));
        }
      }
      finished |= effect instanceof PoolEffect.Finish;
      if (effect instanceof PoolEffect.RequestTurn) {
        parked(cell, before);
      }
    }
    check(!finished || told, cell, "counts an outcome that nobody is told of");
    if (before.phase() instanceof Phase.Attempting under
        && !(decision.state().phase() instanceof Phase.Attempting)) {
      kept(cell, event, under.attempt(), without(under), decision.state());
    }
    decision.state().queue().operations().stream()
        .map(operation -> operation.service())
        .distinct()
        .forEach(service -> bounded(cell, decision.state(), service));
    if (decision.effects().stream().anyMatch(PoolEffect.ReturnTurn.class::isInstance)) {
      attempts.remove(cell);
    }
  }

  /** What an attempt took and did not bring to an end is queued again, one retry the poorer. */
  private void kept(
      PoolCell cell,
      PoolEvent event,
      Phase.Attempt attempt,
      Set<ServiceKey> without,
      PoolState after) {
    boolean failed = event instanceof PoolEvent.AttemptFailed failure && mayPass(failure.failure());
    boolean othersWrite =
        event instanceof PoolEvent.ReadDone read
            && read.view().updating()
            && !attempt.evenIfUpdating();
    if (!failed && !othersWrite || after.phase() instanceof Phase.Stopped) {
      return;
    }
    int cost = failed ? 1 : 0;
    for (UpdateQueue.Operation operation : attempt.operations()) {
      Told owner = of(cell).told.get(operation.service());
      boolean relevant =
          owner != null
              && !without.contains(operation.service())
              && owner.assignment.number() == operation.assignment()
              && operation.retryCount() + cost <= swarm.maxRetries();
      boolean queued =
          after.queue().operations().stream()
              .anyMatch(
                  one ->
                      one.service().equals(operation.service())
                          && (one.retryCount() == operation.retryCount() + cost));
      check(!relevant || queued, cell, "loses " + operation);
    }
  }

  /** Services whose rule a PUT did not find in the pool: it was not about them. */
  private static Set<ServiceKey> without(Phase.Attempting phase) {
    Set<ServiceKey> without = new HashSet<>();
    if (phase instanceof Phase.Writing writing) {
      writing.attempt().operations().forEach(operation -> without.add(operation.service()));
      without.removeAll(writing.owners());
    }
    return without;
  }

  private static boolean mayPass(ArmFailure failure) {
    return switch (failure.kind()) {
      case THROTTLED, TRANSPORT, CANCELED, UNRESOLVED -> true;
      case RESPONSE -> failure.status() == 409 || failure.status() == 412;
      case OPERATION, UNTRUSTED, MALFORMED, AUTHENTICATION, SHUTDOWN, OTHER -> false;
    };
  }

  private void parked(PoolCell cell, PoolState state) {
    state
        .queue()
        .parkedUntil(time.now())
        .ifPresent(until -> violated(cell.name + ": asks for a turn though parked until " + until));
  }

  private void bounded(PoolCell cell, PoolState state, ServiceKey service) {
    long queued =
        state.queue().operations().stream().filter(op -> op.service().equals(service)).count();
    check(queued <= swarm.maxRetries() + 1L, cell, queued + " operations of " + service);
    if (queued == swarm.maxRetries() + 1L && queued > 1) {
      mark(Mark.QUEUE_BOUND_REACHED);
    }
  }

  void told(PoolCell cell, ServiceEvent event) {
    trace.say(
        "%s tells %s %s: %s"
            .formatted(cell.name, event.service(), event.reason(), event.message()));
    Books known = of(cell);
    check(!known.stopped, cell, "tells something after its end has begun");
    Told about = known.told.get(event.service());
    check(
        about != null && about.assignment.uid().equals(event.uid()),
        cell,
        "tells a Service that does not own the pool: " + event);
    Told owner = Objects.requireNonNull(about);
    if (known.repairing) {
      return;
    }
    if (event.reason().endsWith("Retrying")) {
      owner.retrying++;
      owner.retryingSinceChange++;
      check(
          owner.retryingSinceChange <= swarm.maxRetries(),
          cell,
          "retries a change more often than allowed");
    } else if (event.reason().endsWith("Failed")) {
      if (event.message().contains("after " + swarm.maxRetries() + " retries")) {
        mark(Mark.RETRIES_EXHAUSTED);
        check(
            owner.retrying >= swarm.maxRetries(),
            cell,
            "gives up after " + owner.retrying + " retries that were told");
      }
    }
  }

  /** An Updated event is about the attempt that ends with it. */
  private void updated(Attempt attempt, ServiceEvent event) {
    check(
        attempt.lied || attempt.had(event.service()),
        attempt.cell,
        "tells of an update that ARM never had: %s, had %s, wished %s"
            .formatted(event.service(), attempt.contents, attempt.wishes));
  }

  Optional<Attempt> attempt(PoolCell cell) {
    return Optional.ofNullable(attempts.get(cell));
  }

  // --- the way to ARM
  // -----------------------------------------------------------------------------

  /** Why the request ought not to be sent. */
  Optional<String> sending(Life life, ArmCall call) {
    ArmPath path = call.path();
    boolean write = call.method() == ArmCall.Method.PUT;
    Optional<String> closed = of(life).gates.closed(path, write, time.now());
    if (closed.isPresent()) {
      return closed.map(why -> "life %d: sends %s".formatted(life.number, why));
    }
    if (!write || !(path instanceof ArmPath.OnePool pool)) {
      return Optional.empty();
    }
    of(life).bucket.sent(time.now());
    Optional<Attempt> attempt = life.pool(pool.id()).flatMap(this::attempt);
    return attempt.flatMap(found -> wrong(found, call));
  }

  private static Optional<String> wrong(Attempt attempt, ArmCall call) {
    String name = attempt.cell.name;
    String etag = call.ifMatch().orElse("");
    if (!etag.equals(attempt.etag) || etag.isEmpty()) {
      return Optional.of("%s: If-Match %s, read %s".formatted(name, etag, attempt.etag));
    }
    Set<String> sent = addresses(call.object());
    Set<String> strange = new TreeSet<>(sent);
    strange.removeAll(attempt.read);
    strange.removeAll(attempt.wished);
    if (!strange.isEmpty()) {
      return Optional.of("%s: writes %s, which nobody wants".formatted(name, strange));
    }
    return Optional.empty();
  }

  private static Set<String> addresses(JsonNode body) {
    Set<String> found = new TreeSet<>();
    for (JsonNode entry : body.at("/properties/loadBalancerBackendAddresses")) {
      found.add(entry.at("/properties/ipAddress").asText());
    }
    return found;
  }

  SimAzure.Sender sender(Life life, ArmCall call) {
    Optional<Attempt> attempt =
        call.path() instanceof ArmPath.OnePool pool
            ? life.pool(pool.id()).flatMap(this::attempt)
            : Optional.empty();
    return new Exchange(life, attempt);
  }

  /** One exchange, seen from ARM's end. */
  private final class Exchange implements SimAzure.Sender {
    private final Life life;
    private final Optional<Attempt> attempt;

    Exchange(Life life, Optional<Attempt> attempt) {
      this.life = life;
      this.attempt = attempt;
    }

    @Override
    public void handled(ArmCall call, Handled handled, boolean lost) {
      if (call.method() == ArmCall.Method.GET && call.path() instanceof ArmPath.OnePool pool) {
        attempt.ifPresent(found -> seen(found, pool.id(), handled.answer()));
      } else if (handled.accepted() && call.path() instanceof ArmPath.OnePool pool) {
        attempt.ifPresent(found -> accepted(found, pool.id(), handled, lost));
        changed(pool.id().loadBalancer());
      } else if (call.method() == ArmCall.Method.PUT
          && handled.answer().status() == 412
          && attempt.map(found -> found.accepted).orElse(false)) {
        mark(Mark.REFUSED_412_AFTER_SUCCESS);
      }
    }

    private void seen(Attempt found, PoolId pool, ArmAnswer answer) {
      found.etag = answer.headers().getOrDefault("ETag", "");
      found.read.clear();
      found.read.addAll(azure.addresses(pool.path()));
    }

    private void accepted(Attempt found, PoolId pool, Handled handled, boolean lost) {
      trace.say(
          "ARM accepts %s of %s%s"
              .formatted(azure.addresses(pool.path()), found.cell.name, lost ? ", in vain" : ""));
      found.accepted = true;
      found.lied |= lost;
      if (lost) {
        mark(Mark.WRITE_LOST);
      }
      Attempt before = running.get(pool.loadBalancer());
      if (handled.superseded() && before != null) {
        mark(Mark.WRITE_SUPERSEDED);
        boolean excused =
            before == found
                || before.lost
                || found.lost
                || found.evenIfUpdating
                || before.cell.life != life;
        check(excused, found.cell, "a second unresolved write, beside that of " + before.cell.name);
      }
      if (handled.started().isPresent()) {
        running.put(pool.loadBalancer(), found);
      }
    }

    @Override
    public void arriving(ArmCall call, ArmAnswer answer) {
      if (answer.status() == 429) {
        boolean write = call.method() == ArmCall.Method.PUT;
        of(life).gates.close(call.path(), write, answer, time.now(), azure.troubles().wall());
        boolean others =
            attempts.values().stream()
                .anyMatch(a -> a.outstanding && a.hasRead && !Optional.of(a).equals(attempt));
        if (others) {
          mark(Mark.GATE_CLOSED_WHILE_WRITING);
        }
      }
    }

    @Override
    public void ended(String operation) {
      attempt.ifPresent(found -> running.remove(found.loadBalancer(), found));
    }
  }

  /** Somebody else wrote to a load balancer; what ran there is superseded. */
  void othersWrote(LoadBalancerId balancer) {
    if (running.remove(balancer) != null) {
      mark(Mark.WRITE_SUPERSEDED);
    }
    changed(balancer);
  }

  private void changed(LoadBalancerId balancer) {
    for (Attempt attempt : attempts.values()) {
      if (attempt.loadBalancer().equals(balancer)) {
        attempt.contents.add(azure.addresses(attempt.cell.id.path()));
      }
    }
  }
}
