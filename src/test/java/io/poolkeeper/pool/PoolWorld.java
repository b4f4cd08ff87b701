package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.INTERVAL;
import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.T0;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceEvent;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.turnstile.Lane;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * One pool's core among a tiny ARM, a tiny turnstile and an onlooker that keeps books of its own
 * and throws as soon as an effect breaks a rule of the architecture's section 4. Copies are cheap,
 * so that every short history can be tried.
 */
final class PoolWorld {
  private static final PoolCore CORE = new PoolCore(LIMITS);
  private static final RandomGenerator RANDOM = new PoolFixtures.Drawing(0.5);

  private PoolState state = PoolState.initial();
  private Instant now = T0;
  private PoolView arm;
  private final Map<ServiceKey, PoolEvent.Desire> wanted = new TreeMap<>();
  private final Set<Long> turnsOut = new TreeSet<>();
  private boolean inLine;
  private Lane lane = Lane.UPDATE;
  private boolean othersTurn;
  private Optional<Long> grantOnItsWay = Optional.empty();
  private boolean dirty;
  private boolean halted;
  private long nextTurn = 1;
  private boolean getPending;
  private Optional<PoolView> readInThisTurn = Optional.empty();
  private Optional<PoolEdit> putPending = Optional.empty();
  private Optional<Instant> lastPut = Optional.empty();
  private Optional<Instant> retryFrom = Optional.empty();
  private Optional<PoolEvent.Observed> listing = Optional.empty();
  private boolean stopped;
  private int puts;
  private int emitted;

  PoolWorld(PoolView arm) {
    this.arm = arm;
  }

  PoolWorld copy() {
    PoolWorld copy = new PoolWorld(arm);
    copy.state = state;
    copy.now = now;
    copy.wanted.putAll(wanted);
    copy.turnsOut.addAll(turnsOut);
    copy.inLine = inLine;
    copy.lane = lane;
    copy.othersTurn = othersTurn;
    copy.grantOnItsWay = grantOnItsWay;
    copy.dirty = dirty;
    copy.halted = halted;
    copy.nextTurn = nextTurn;
    copy.getPending = getPending;
    copy.readInThisTurn = readInThisTurn;
    copy.putPending = putPending;
    copy.lastPut = lastPut;
    copy.retryFrom = retryFrom;
    copy.listing = listing;
    copy.stopped = stopped;
    copy.puts = puts;
    copy.emitted = emitted;
    return copy;
  }

  boolean timerRuns() {
    return !halted && state.wakeAt().isPresent();
  }

  boolean grantIsOnItsWay() {
    return !halted && grantOnItsWay.isPresent();
  }

  boolean getIsPending() {
    return !halted && getPending;
  }

  boolean putIsPending() {
    return !halted && putPending.isPresent();
  }

  boolean halted() {
    return halted;
  }

  int puts() {
    return puts;
  }

  int emitted() {
    return emitted;
  }

  void pass(long millis) {
    now = now.plusMillis(millis);
  }

  /** Somebody else changes the pool or its rules. */
  void armBecomes(PoolView view) {
    arm = view;
  }

  PoolView arm() {
    return arm;
  }

  void desire(Assignment assignment, Level level) {
    PoolEvent.Desire desire = new PoolEvent.Desire(assignment, level);
    wanted.put(assignment.service(), desire);
    send(desire);
  }

  void release(ServiceKey service) {
    wanted.remove(service);
    send(new PoolEvent.Release(service));
  }

  void stop() {
    stopped = true;
    send(new PoolEvent.Stop());
  }

  void fireTimer() {
    Instant due = state.wakeAt().orElseThrow();
    now = due.isAfter(now) ? due : now;
    send(new PoolEvent.TimerDue());
  }

  void deliverGrant() {
    long turn = grantOnItsWay.orElseThrow();
    grantOnItsWay = Optional.empty();
    send(PoolFixtures.granted(turn));
  }

  /** Another pool takes the load balancer's turn, or gives it back. */
  void othersTurn(boolean taken) {
    othersTurn = taken && turnsOut.isEmpty();
    grantIfFree();
  }

  private void grantIfFree() {
    if (inLine && !othersTurn && turnsOut.isEmpty()) {
      inLine = false;
      turnsOut.add(nextTurn);
      grantOnItsWay = Optional.of(nextTurn++);
    }
  }

  /** A listing is asked for and shows what is now; how late it arrives is another matter. */
  void startListing() {
    listing = Optional.of(new PoolEvent.Observed(arm, now));
  }

  boolean listingIsUnderWay() {
    return listing.isPresent();
  }

  void finishListing() {
    PoolEvent.Observed shown = listing.orElseThrow();
    listing = Optional.empty();
    send(shown);
  }

  void finishGet() {
    getPending = false;
    readInThisTurn = Optional.of(arm);
    send(new PoolEvent.ReadDone(arm));
  }

  void finishPut() {
    PoolView after = arm.with(putPending.orElseThrow());
    arm = after;
    putPending = Optional.empty();
    send(new PoolEvent.WriteDone());
  }

  void fail(ArmFailure failure) {
    getPending = false;
    putPending = Optional.empty();
    send(new PoolEvent.AttemptFailed(failure));
  }

  /** ARM asks to wait so long, or not if it is not positive. */
  void throttle(long millis) {
    fail(PoolFixtures.throttled(now.plusMillis(millis)));
  }

  /** ARM did what it was asked, but the answer says otherwise. */
  void failThoughWritten(ArmFailure failure) {
    arm = putPending.map(arm::with).orElse(arm);
    fail(failure);
  }

  /** Lets everything that is under way end well, and time pass until nothing is left to do. */
  void settle() {
    othersTurn(false);
    for (int step = 0; step < 100; step++) {
      if (getIsPending()) {
        finishGet();
      } else if (putIsPending()) {
        finishPut();
      } else if (grantIsOnItsWay()) {
        deliverGrant();
      } else if (timerRuns()) {
        fireTimer();
      } else {
        return;
      }
    }
    throw violation("no rest after 100 steps");
  }

  /** A listing that starts now and shows what is. */
  void listNow() {
    pass(1);
    startListing();
    finishListing();
  }

  /** Whether the pool holds exactly what is wanted; trivially so while that is not known. */
  boolean asWanted() {
    if (wanted.isEmpty() || !arm.ipBased()) {
      return true;
    }
    Set<Address> union = new HashSet<>();
    boolean known = true;
    for (PoolEvent.Desire desire : wanted.values()) {
      known &= owns(desire, arm) && desire.level() instanceof Level.Exactly;
      if (owns(desire, arm) && desire.level() instanceof Level.Exactly exactly) {
        union.addAll(exactly.members().keySet());
      }
    }
    return known ? arm.addresses().equals(union) : arm.addresses().containsAll(union);
  }

  private void send(PoolEvent event) {
    if (halted) {
      return;
    }
    PoolState before = state;
    PoolDecision decision = CORE.decide(state, event, now, RANDOM);
    state = decision.state();
    boolean told = false;
    boolean counted = false;
    if (event instanceof PoolEvent.AttemptFailed failed) {
      retryFrom =
          FailureBooks.check(before, failed.failure(), decision, now, this::matters)
              .or(() -> retryFrom);
    }
    for (PoolEffect effect : decision.effects()) {
      told |=
          effect instanceof PoolEffect.Emit emit
              && !emit.event().reason().equals(EventTexts.RETRYING);
      counted |= effect instanceof PoolEffect.Finish;
      run(effect, event);
    }
    check(told == counted, "an event without a metric or the other way round", event);
    checkState(event);
  }

  private void run(PoolEffect effect, PoolEvent event) {
    check(!halted, "an effect after the end", event);
    switch (effect) {
      case PoolEffect.RequestTurn r -> {
        check(!inLine || lane != r.lane(), "twice in line", event);
        lane = r.lane();
        check(state.queue().parkedUntil(now).isEmpty(), "moves while parked", event);
        inLine = true;
        grantIfFree();
      }
      case PoolEffect.CancelTurn c -> {
        check(inLine || grantOnItsWay.isPresent(), "left a line it was not in", event);
        inLine = false;
      }
      case PoolEffect.ReturnTurn back -> {
        check(turnsOut.remove(back.turn()), "a turn returned that was not out", event);
        grantIfFree();
      }
      case PoolEffect.Read r -> {
        check(!getPending && putPending.isEmpty(), "two attempts in flight", event);
        check(!turnsOut.isEmpty(), "a GET without a turn", event);
        check(!stopped, "begun after Stop", event);
        readInThisTurn = Optional.empty();
        getPending = true;
      }
      case PoolEffect.Write write -> checkWrite(write.edit(), event);
      case PoolEffect.Emit emit -> checkEmit(emit.event(), event);
      case PoolEffect.Finish f -> check(!stopped, "counted after Stop", event);
      case PoolEffect.Requeue r -> check(!stopped, "requeued after Stop", event);
      case PoolEffect.RepairFailed f -> check(!stopped, "logged after Stop", event);
      case PoolEffect.RepairsSlowest r -> check(!stopped, "logged after Stop", event);
      case PoolEffect.Retry r -> check(!stopped, "retried after Stop", event);
      case PoolEffect.LeaveAlone l -> check(!arm.ipBased(), "left alone for nothing", event);
      case PoolEffect.AskForListing a -> {}
      case PoolEffect.ReportDirty report -> {
        check(report.dirty() != dirty, "reported twice", event);
        dirty = report.dirty();
      }
      case PoolEffect.Halt h -> {
        check(stopped && !getPending && putPending.isEmpty(), "ended with work in flight", event);
        halted = true;
      }
    }
  }

  private void checkWrite(PoolEdit edit, PoolEvent event) {
    check(!getPending && putPending.isEmpty(), "two attempts in flight", event);
    check(!turnsOut.isEmpty(), "a PUT without a turn", event);
    check(!stopped, "begun after Stop", event);
    PoolView read = readInThisTurn.orElseThrow(() -> violation("a PUT without a GET"));
    check(!read.updating() && read.ipBased(), "a PUT that must not be", event);
    check(!edit.isEmpty(), "an empty PUT", event);
    Set<Address> union = new HashSet<>();
    wanted.values().stream()
        .filter(desire -> owns(desire, read))
        .map(PoolEvent.Desire::level)
        .filter(Level.Exactly.class::isInstance)
        .forEach(level -> union.addAll(((Level.Exactly) level).members().keySet()));
    boolean known =
        wanted.values().stream().allMatch(d -> owns(d, read) && d.level() instanceof Level.Exactly);
    check(union.containsAll(edit.add().keySet()), "added what nobody wants", event);
    check(read.addresses().containsAll(edit.remove()), "removed what was not there", event);
    check(known || edit.remove().isEmpty(), "removed though a level is unknown", event);
    check(edit.remove().stream().noneMatch(union::contains), "removed what is wanted", event);
    check(
        lastPut.map(last -> !now.isBefore(last.plus(INTERVAL))).orElse(true)
            || retryFrom.map(from -> !now.isBefore(from)).orElse(false),
        "two PUTs within an interval",
        event);
    lastPut = Optional.of(now);
    retryFrom = Optional.empty();
    putPending = Optional.of(edit);
    readInThisTurn = Optional.empty();
    puts++;
  }

  private void checkEmit(ServiceEvent told, PoolEvent event) {
    PoolEvent.Desire owner = wanted.get(told.service());
    check(owner != null, "told a Service that was released", event);
    check(Objects.requireNonNull(owner).assignment().uid().equals(told.uid()), "wrong UID", event);
    check(!stopped, "told after Stop", event);
    emitted++;
  }

  private void checkState(PoolEvent event) {
    boolean flying = getPending || putPending.isPresent() || grantOnItsWay.isPresent();
    check(halted || stopped || flying == !turnsOut.isEmpty(), "a turn kept for nothing", event);
    boolean resting = state.phase() instanceof Phase.Resting;
    check(!resting || state.queue().isEmpty(), "a change that nothing will take up", event);
    check(
        !resting || state.phase() instanceof Phase.Failed == state.trouble().isPresent(),
        "at rest, it is failed exactly if it is in trouble",
        event);
    check(state.trouble().isPresent() == dirty || stopped, "in trouble, but nobody knows", event);
    boolean waits =
        state.phase() instanceof Phase.Gathering
            || state.phase() instanceof Phase.Parked
            || state.phase() instanceof Phase.Failed;
    check(state.wakeAt().isPresent() == waits, "timer", event);
    for (ServiceKey service : state.assigned().keySet()) {
      long queued =
          state.queue().operations().stream().filter(o -> o.service().equals(service)).count();
      check(queued <= LIMITS.maxRetries() + 1, "more operations than retries", event);
    }
  }

  private boolean matters(Operation operation, Phase.Attempting attempting) {
    PoolEvent.Desire owner = wanted.get(operation.service());
    boolean concerned =
        !(attempting instanceof Phase.Writing writing)
            || writing.owners().contains(operation.service());
    return concerned && owner != null && owner.assignment().number() == operation.assignment();
  }

  private void check(boolean holds, String rule, PoolEvent event) {
    if (!holds) {
      throw violation(rule + " at " + event);
    }
  }

  private AssertionError violation(String rule) {
    return new AssertionError(rule + " in " + state + " of " + POOL + ", ARM " + arm);
  }

  private static boolean owns(PoolEvent.Desire desire, PoolView view) {
    return Assignment.owns(desire.assignment().rulePrefix(), view.rules());
  }

  @Override
  public String toString() {
    return "%s, wanted %s, ARM %s".formatted(state, List.copyOf(wanted.values()), arm);
  }
}
