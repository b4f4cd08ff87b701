package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LIMITS;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.AdminState;
import io.poolkeeper.model.ObjectEvent;
import io.poolkeeper.model.ObjectReference;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolEntry;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.UpdateQueue.Operation;
import io.poolkeeper.ratelimit.PriorityLevel;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The onlooker of a {@link PoolWorld}: keeps books of its own of what is wanted, read, written and
 * told, and throws as soon as an effect breaks a rule (architecture, Invariants). It changes
 * nothing in the world.
 */
final class PoolBooks {
  private final Map<ServiceKey, PoolEvent.Desire> wanted = new TreeMap<>();
  private Optional<PoolView> readUnderThisPermit = Optional.empty();
  private SpacingBooks spacing = SpacingBooks.NONE;
  private Optional<Instant> retryFrom = Optional.empty();
  private OutOfService leaving = OutOfService.UNKNOWN;
  private boolean dirty;
  private boolean lost;
  private boolean held;
  private boolean paused;
  private boolean stopped;
  private int puts;
  private int emitted;

  PoolBooks copy() {
    PoolBooks copy = new PoolBooks();
    copy.wanted.putAll(wanted);
    copy.readUnderThisPermit = readUnderThisPermit;
    copy.spacing = spacing;
    copy.retryFrom = retryFrom;
    copy.leaving = leaving;
    copy.dirty = dirty;
    copy.lost = lost;
    copy.held = held;
    copy.paused = paused;
    copy.stopped = stopped;
    copy.puts = puts;
    copy.emitted = emitted;
    return copy;
  }

  int puts() {
    return puts;
  }

  int emitted() {
    return emitted;
  }

  void desired(PoolEvent.Desire desire) {
    wanted.put(desire.ownership().service(), desire);
  }

  void released(ServiceKey service) {
    wanted.remove(service);
  }

  void leaving(OutOfService set) {
    leaving = set;
  }

  /** Whether exactly the entries of nodes that are out of service are Down, as far as is known. */
  boolean statesRight(PoolView arm) {
    return arm.entries().stream()
        .allMatch(
            entry ->
                leaving
                    .nodes()
                    .of(entry)
                    .map(node -> leaving.leaving().containsKey(node))
                    .map(down -> down == (entry.adminState() == AdminState.DOWN))
                    .orElse(true));
  }

  void read(PoolView view) {
    readUnderThisPermit = Optional.of(view);
  }

  void watch(boolean live) {
    lost = !live;
  }

  void held(boolean is) {
    held = is;
  }

  /** Drains, too. */
  void paused(boolean is) {
    paused = is;
  }

  void stopped() {
    stopped = true;
  }

  /** Whether the pool holds exactly what is wanted; trivially so while that is not known. */
  boolean asWanted(PoolView arm) {
    if (wanted.isEmpty() || !arm.ipBased() || !arm.networked()) {
      return true;
    }
    boolean known =
        wanted.values().stream()
            .allMatch(d -> owns(d, arm) && d.ownership().level() instanceof Level.Exactly);
    Set<Address> union = union(arm);
    return known ? arm.addresses().equals(union) : arm.addresses().containsAll(union);
  }

  /** What a decision is by itself, before its effects come. */
  void check(PoolState before, PoolEvent event, PoolDriver pool) {
    if (event instanceof PoolEvent.AttemptFailed failed) {
      retryFrom =
          FailureBooks.check(before, failed.failure(), pool, maxRetries(), this::matters)
              .or(() -> retryFrom);
    }
    spacing = spacing.after(before, event, pool.now());
    boolean told =
        pool.effects().stream()
            .anyMatch(
                effect ->
                    effect instanceof PoolEffect.Emit emit
                        && !emit.event().reason().equals(EventTexts.RETRYING)
                        && !emit.event().reason().equals("LoadBalancerBackendPoolContested"));
    check(looks(before, event, pool), "a verification that is not asked for, or too many");
    boolean counted = pool.effects().stream().anyMatch(PoolEffect.Finish.class::isInstance);
    check(told == counted, "an event without a metric or the other way round");
  }

  private int maxRetries() {
    return LIMITS.maxRetries();
  }

  private static boolean looks(PoolState before, PoolEvent event, PoolDriver pool) {
    boolean wrote = event instanceof PoolEvent.WriteDone && before.phase() instanceof Phase.Writing;
    long asked = pool.effects().stream().filter(PoolFixtures.LOOK::equals).count();
    boolean read = event instanceof PoolEvent.ReadDone;
    return wrote ? asked == 1 : asked == 0 || (asked == 1 && read);
  }

  /** An effect is about to happen in the world. */
  void check(PoolEffect effect, PoolWorld world) {
    check(!world.halted(), "an effect after the end");
    switch (effect) {
      case PoolEffect.RequestPermit r -> {
        check(!world.inLine().equals(Optional.of(r.priority())), "twice in line");
        check(!paused, "asks for a permit while paused");
        if (r.priority().level().drains()) {
          check(leaving.version() > 0, "drains though no node was ever known");
          return;
        }
        check(world.state().queue().parkedUntil(world.now()).isEmpty(), "moves while parked");
        check(!held, "asks for a permit while held");
        check(
            !lost || r.priority().level() != PriorityLevel.REPAIR, "repairs while a watch is lost");
        check(
            spacing.level(world.state().queue(), world.now()) == r.priority().level(),
            "at a wrong priority level");
      }
      case PoolEffect.CancelRequest c ->
          check(world.inLine().isPresent() || world.grantIsOnItsWay(), "left a line it was not in");
      case PoolEffect.ReturnPermit back ->
          check(world.permitsOut().contains(back.permit()), "a permit returned that was not out");
      case PoolEffect.Read r -> {
        checkBegin("a GET without a permit", world);
        readUnderThisPermit = Optional.empty();
      }
      case PoolEffect.Write write -> {
        checkBegin("a PUT without a permit", world);
        checkWrite(write.edit(), world.now());
      }
      case PoolEffect.Emit emit -> checkEmit(emit.event());
      case PoolEffect.Shadowed s -> throw new AssertionError("no write though it may write");
      case PoolEffect.Braked b -> throw new AssertionError("held though the brake is off");
      case PoolEffect.Found f -> check(!stopped && !lost, "found what nobody can know");
      case PoolEffect.LeaveAlone l ->
          check(
              world.state().observed().filter(of -> of.ipBased() && of.networked()).isEmpty(),
              "left alone for nothing");
      case PoolEffect.Report report -> {
        boolean failing = report.report() == PoolReport.FAILING;
        if (failing
            || report.report() == PoolReport.RECOVERED
            || report.report() == PoolReport.DROPPED) {
          check(failing != dirty, "reported twice");
          dirty = failing;
        }
      }
      default -> check(!stopped, "counted or logged after Stop");
    }
  }

  /** All effects have happened. */
  void check(PoolWorld world) {
    PoolState state = world.state();
    check(!world.halted() || (stopped && !world.callIsPending()), "ended with work in flight");
    boolean flying = world.callIsPending() || world.grantIsOnItsWay();
    check(
        world.halted() || stopped || flying == !world.permitsOut().isEmpty(),
        "a permit kept for nothing");
    boolean resting = state.phase() instanceof Phase.Resting;
    check(!resting || state.queue().isEmpty(), "a change that nothing will take up");
    check(
        !resting || state.phase() instanceof Phase.Failed == state.failing().isPresent(),
        "at rest, it is failed exactly if it is in trouble");
    check(state.failing().isPresent() == dirty || stopped, "in trouble, but nobody knows");
    Optional<Instant> due = due(state, world.now());
    check(state.wakeAt().equals(due), "a timer of " + state.wakeAt() + ", and due is " + due);
    for (ServiceKey service : state.desired().services().keySet()) {
      long queued =
          state.queue().operations().stream().filter(o -> o.service().equals(service)).count();
      check(queued <= LIMITS.maxRetries() + 1, "more operations than retries");
    }
  }

  /**
   * When anything is due of what the state holds, by itself or behind a drain, but for what is in
   * flight or has asked for a permit. Only a hold and a lost watch withhold it.
   */
  private Optional<Instant> due(PoolState state, Instant now) {
    boolean still = state.phase() instanceof Phase.Quiescent;
    Optional<Phase.Waiting> waiting =
        state.phase() instanceof Phase.Waiting asked ? Optional.of(asked) : Optional.empty();
    Optional<Phase> alone =
        still ? Optional.of(state.phase()) : waiting.flatMap(Phase.Waiting::interrupted);
    Optional<Instant> changes =
        alone.filter(any -> !state.held()).flatMap(phase -> dueAlone(phase, lost));
    Optional<Instant> drain =
        state
            .drain()
            .due()
            .filter(any -> !paused)
            .filter(at -> still || (waiting.isPresent() && at.isAfter(now)));
    Optional<Instant> early =
        waiting
            .filter(asked -> asked.interrupted().isEmpty())
            .filter(any -> spacing.early(state.queue(), now))
            .flatMap(any -> spacing.quietAt());
    return Stream.of(changes, drain, early).flatMap(Optional::stream).min(Instant::compareTo);
  }

  private static Optional<Instant> dueAlone(Phase phase, boolean lost) {
    return switch (phase) {
      case Phase.Gathering gathering -> Optional.of(gathering.due());
      case Phase.Parked parked -> Optional.of(parked.until());
      case Phase.Failed failed -> lost ? Optional.empty() : Optional.of(failed.repairAt());
      case Phase.Postponed postponed -> lost ? Optional.empty() : Optional.of(postponed.repairAt());
      default -> Optional.empty();
    };
  }

  private void checkBegin(String withoutPermit, PoolWorld world) {
    check(!world.callIsPending(), "two attempts in flight");
    check(!world.permitsOut().isEmpty(), withoutPermit);
    check(!stopped, "begun after Stop");
  }

  private void checkWrite(PoolEdit edit, Instant now) {
    check(readUnderThisPermit.isPresent(), "a PUT without a GET");
    PoolView read = readUnderThisPermit.orElseThrow();
    check(!read.updating(), "a PUT that must not be");
    check(read.ipBased() || !edit.changesMembers(), "members of interfaces changed");
    checkStates(read, edit);
    check(!edit.isEmpty(), "an empty PUT");
    check(!held || !edit.changesMembers(), "changed members while held");
    check(!paused, "wrote while paused");
    Set<Address> union = union(read);
    boolean known =
        wanted.values().stream()
            .allMatch(d -> owns(d, read) && d.ownership().level() instanceof Level.Exactly);
    check(read.networked() || edit.add().isEmpty(), "added without a network");
    check(!lost || edit.remove().isEmpty(), "removed while a watch is lost");
    check(union.containsAll(edit.add().keySet()), "added what nobody wants");
    check(read.addresses().containsAll(edit.remove()), "removed what was not there");
    check(known || edit.remove().isEmpty(), "removed though a level is unknown");
    check(edit.remove().stream().noneMatch(union::contains), "removed what is wanted");
    check(
        !edit.changesMembers()
            || spacing.allows(now)
            || retryFrom.map(from -> !now.isBefore(from)).orElse(false),
        "two PUTs too close to each other");
    // A drain does not wait for a retry, nor the other way round.
    retryFrom = retryFrom.filter(from -> !edit.changesMembers());
    readUnderThisPermit = Optional.empty();
    puts++;
  }

  /** Down for nodes that are out of service, None for others, and nothing that is so already. */
  private void checkStates(PoolView read, PoolEdit edit) {
    PoolView after = read.with(PoolEdit.of(edit.remove(), edit.add()));
    for (PoolEntry entry : after.entries()) {
      Optional<AdminState> written = Optional.ofNullable(edit.adminStates().get(entry.name()));
      written.ifPresent(state -> check(state != entry.adminState(), "a state that was there"));
    }
    check(statesRight(after.with(edit)), "a state that is wrong");
    check(
        after.entries().stream()
            .map(PoolEntry::name)
            .toList()
            .containsAll(edit.adminStates().keySet()),
        "a state of nobody");
  }

  private void checkEmit(ObjectEvent told) {
    ObjectReference about = told.about();
    check(about.kind().equals("Service"), "told no Service");
    PoolEvent.Desire owner = wanted.get(new ServiceKey(about.namespace(), about.name()));
    check(owner != null, "told a Service that was released");
    check(Objects.requireNonNull(owner).ownership().uid().equals(about.uid()), "wrong UID");
    check(!stopped, "told after Stop");
    emitted++;
  }

  private boolean matters(Operation operation, Phase.Attempting attempting) {
    PoolEvent.Desire owner = wanted.get(operation.service());
    boolean concerned =
        !(attempting instanceof Phase.Writing writing)
            || writing.owners().contains(operation.service());
    return concerned && owner != null && owner.ownership().number() == operation.ownership();
  }

  /** Whatever is known to be wanted by those who own the pool. */
  private Set<Address> union(PoolView view) {
    Set<Address> union = new HashSet<>();
    for (PoolEvent.Desire desire : wanted.values()) {
      if (owns(desire, view) && desire.ownership().level() instanceof Level.Exactly exactly) {
        union.addAll(exactly.members().keySet());
      }
    }
    return union;
  }

  private static boolean owns(PoolEvent.Desire desire, PoolView view) {
    return desire.ownership().holds(view.rules());
  }

  private static void check(boolean holds, String rule) {
    if (!holds) {
      throw new AssertionError(rule);
    }
  }

  @Override
  public String toString() {
    return "wanted " + List.copyOf(wanted.values());
  }
}
