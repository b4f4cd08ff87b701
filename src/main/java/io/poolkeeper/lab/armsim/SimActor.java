package io.poolkeeper.lab.armsim;

import io.poolkeeper.lab.armsim.fault.FaultRule;
import io.poolkeeper.lab.armsim.fault.Faults;
import io.poolkeeper.lab.armsim.journal.ArmLogEntry;
import io.poolkeeper.lab.armsim.model.ArmModel;
import io.poolkeeper.lab.armsim.model.ArmState;
import io.poolkeeper.lab.armsim.model.Handled;
import io.poolkeeper.lab.armsim.model.Operation;
import io.poolkeeper.lab.armsim.protocol.ArmCall;
import io.poolkeeper.lab.armsim.protocol.ArmPath;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner of the simulator's state: gives every request its latency and its fault, hands it to
 * the model, and ends operations when their time has come.
 */
final class SimActor extends AbstractMatchingBehavior<SimActor.Command> {
  private static final Logger LOG = LoggerFactory.getLogger(SimActor.class);
  private static final long VERSION_MASK = 0xffffffffffff0fffL;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_MASK = 0x3fffffffffffffffL;

  /** What the actor is told. */
  sealed interface Command {}

  /** A request came in. */
  record Arrived(ArmCall call, String method, long nanos, ActorRef<SimAnswer> replyTo)
      implements Command {}

  /** The latency of a request is over. */
  private record Due(Arrived arrived, Optional<FaultRule> fault) implements Command {}

  /** The time of an operation is over. */
  private record Finish(String operation) implements Command {}

  /** Puts a rule in force; answers its id, or nothing if there are too many rules. */
  record AddFault(FaultRule rule, ActorRef<Optional<Long>> replyTo) implements Command {}

  /** Lifts one rule, or all; answers whether there was such a rule. */
  record DropFaults(Optional<Long> id, ActorRef<Boolean> replyTo) implements Command {}

  /** Forgets everything, log and faults included, and starts from the given state. */
  record Restore(ArmState state, ActorRef<Done> replyTo) implements Command {}

  /** Asks for the whole state. */
  record Snapshot(ActorRef<ArmState> replyTo) implements Command {}

  /** Saves and ends. */
  record Stop(ActorRef<Done> replyTo) implements Command {}

  private final ArmSimSettings settings;
  private final SimView view;
  private final TimerScheduler<Command> timers;
  private final RandomGenerator random;
  private final ArmModel model;
  private final Faults faults = new Faults();

  static Behavior<Command> create(ArmSimSettings settings, ArmState initial, SimView view) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> new SimActor(context, settings, initial, view, timers)));
  }

  private SimActor(
      ActorContext<Command> context,
      ArmSimSettings settings,
      ArmState initial,
      SimView view,
      TimerScheduler<Command> timers) {
    super(context);
    this.settings = settings;
    this.view = view;
    this.timers = timers;
    long seed = settings.seed() + initial.fingerprint();
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    this.model =
        new ArmModel(this::guid, settings.pageSize(), settings.latency().retryAfterSeconds());
    restore(initial);
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    return switch (command) {
      case Arrived arrived -> {
        arrive(arrived);
        yield this;
      }
      case Due due -> {
        handle(due);
        yield this;
      }
      case Finish finish -> {
        finish(finish.operation());
        yield this;
      }
      case AddFault add -> {
        add.replyTo().tell(faults.add(add.rule()));
        yield this;
      }
      case DropFaults drop -> {
        drop.replyTo().tell(drop(drop.id()));
        yield this;
      }
      case Restore restore -> {
        restore(restore.state());
        save();
        restore.replyTo().tell(Done.getInstance());
        yield this;
      }
      case Snapshot snapshot -> {
        snapshot.replyTo().tell(model.snapshot());
        yield this;
      }
      case Stop stop -> {
        save();
        stop.replyTo().tell(Done.getInstance());
        yield Behaviors.stopped();
      }
    };
  }

  @Override
  public Behavior<Command> onSignal(Signal signal) {
    return this;
  }

  private void arrive(Arrived arrived) {
    ArmCall call = arrived.call();
    if (call.writes()) {
      call.path().loadBalancer().ifPresent(view.writes::enter);
    }
    Optional<FaultRule> fault = faults.take(arrived.method(), call.rawPath());
    Duration wait =
        settings
            .latency()
            .handling(call.writes(), random)
            .plus(fault.map(FaultRule::delay).orElse(Duration.ZERO));
    var due = new Due(arrived, fault);
    if (wait.isZero()) {
      // Through the mailbox, so that writes which came together are in flight together.
      getContext().getSelf().tell(due);
    } else {
      timers.startSingleTimer(new Object(), due, wait);
    }
  }

  private void handle(Due due) {
    Optional<FaultRule> answering = due.fault().filter(rule -> rule.status().isPresent());
    if (answering.isPresent()) {
      FaultRule rule = answering.get();
      leave(due.arrived().call());
      log(due.arrived(), rule.status().getAsInt(), rule.code(), Optional.empty());
      due.arrived().replyTo().tell(new SimAnswer.Injected(guid(), rule));
      return;
    }
    endAtPoll(due.arrived().call());
    Handled handled = handled(due.arrived().call());
    account(due.arrived().call(), handled);
    log(due.arrived(), handled.answer().status(), handled.answer().code(), Optional.of(handled));
    if (handled.changed()) {
      view.publish(model.loadBalancers());
      save();
    }
    boolean broken = due.fault().map(FaultRule::reset).orElse(false);
    due.arrived().replyTo().tell(new SimAnswer.Modelled(guid(), handled.answer(), broken));
  }

  /** A defect of the simulator must not leave its client without an answer. */
  private Handled handled(ArmCall call) {
    try {
      return model.handle(call);
    } catch (RuntimeException defect) {
      LOG.error("request not handled method={} path={}", call.method(), call.rawPath(), defect);
      return Handled.internalError(defect.toString());
    }
  }

  private void endAtPoll(ArmCall call) {
    if (!settings.latency().endsAtPoll()) {
      return;
    }
    switch (call.path()) {
      case ArmPath.OperationStatus path -> finish(path.id());
      case ArmPath.OperationResult path -> finish(path.id());
      case ArmPath.Group path -> {}
      case ArmPath.LoadBalancers path -> {}
      case ArmPath.OneLoadBalancer path -> {}
      case ArmPath.Pools path -> {}
      case ArmPath.OnePool path -> {}
      case ArmPath.General path -> {}
      case ArmPath.Unknown path -> {}
    }
  }

  /** Keeps the count of writes in flight and sees to the end of what was started. */
  private void account(ArmCall call, Handled handled) {
    if (handled.started().isPresent()) {
      schedule(handled.started().get());
    } else {
      leave(call);
    }
    if (handled.superseded()) {
      leave(call);
    }
  }

  private void leave(ArmCall call) {
    if (call.writes()) {
      call.path().loadBalancer().ifPresent(view.writes::leave);
    }
  }

  private void schedule(String operation) {
    timers.startSingleTimer(
        operation, new Finish(operation), settings.latency().completion(random));
  }

  private void finish(String operation) {
    if (model.complete(operation)) {
      timers.cancel(operation);
      model.operation(operation).flatMap(Operation::loadBalancer).ifPresent(view.writes::leave);
      view.publish(model.loadBalancers());
      save();
    }
  }

  private void log(Arrived arrived, int status, String code, Optional<Handled> handled) {
    ArmCall call = arrived.call();
    boolean accepted = handled.map(Handled::accepted).orElse(false);
    view.journal.append(
        new ArmLogEntry(
            arrived.nanos(),
            accepted ? OptionalLong.of(settings.nanos().getAsLong()) : OptionalLong.empty(),
            arrived.method(),
            call.rawPath(),
            status,
            code,
            handled.isEmpty(),
            call.path().loadBalancer(),
            handled.flatMap(Handled::poolWrite)));
  }

  private boolean drop(Optional<Long> id) {
    if (id.isPresent()) {
      return faults.remove(id.get());
    }
    faults.clear();
    return true;
  }

  private void restore(ArmState state) {
    faults.clear();
    view.journal.clear();
    view.writes.clear();
    model.restore(state);
    view.publish(model.loadBalancers());
    for (String operation : model.running()) {
      model.operation(operation).flatMap(Operation::loadBalancer).ifPresent(view.writes::enter);
      schedule(operation);
    }
  }

  private void save() {
    if (settings.stateFile().isEmpty()) {
      return;
    }
    try {
      new StateFile(settings.stateFile().get()).save(model.snapshot());
    } catch (IOException failed) {
      LOG.error("state not saved file={} error={}", settings.stateFile().get(), failed.toString());
    }
  }

  /** A random guid of version 4. */
  private String guid() {
    long high = (random.nextLong() & VERSION_MASK) | VERSION_4;
    long low = (random.nextLong() & VARIANT_MASK) | Long.MIN_VALUE;
    return new UUID(high, low).toString();
  }
}
