package io.poolkeeper.armsim;

import io.poolkeeper.armsim.ArmLogEntry.By;
import io.poolkeeper.armsim.Gatekeeper.Instead;
import io.poolkeeper.armsim.Gatekeeper.Passage;
import io.poolkeeper.armsim.Responses.SimAnswer;
import io.poolkeeper.armsim.model.ArmModel;
import io.poolkeeper.armsim.model.Handled;
import io.poolkeeper.armsim.model.Operation;
import io.poolkeeper.armsim.model.Terms;
import io.poolkeeper.armsim.protocol.ArmAnswer;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.armsim.throttle.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
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
import org.apache.pekko.pattern.StatusReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner of the simulator's state: delays every request by its latency, passes it through the
 * gatekeeper to the model, and ends operations when they are due.
 */
final class SimActor extends AbstractMatchingBehavior<SimActor.Command> {
  private static final Logger LOG = LoggerFactory.getLogger(SimActor.class);

  sealed interface Command {}

  record Arrived(
      ArmCall call, String method, Caller caller, long nanos, ActorRef<SimAnswer> replyTo)
      implements Command {}

  private record Due(Arrived arrived, Passage passage) implements Command {}

  private record Finish(String operation) implements Command {}

  record Tune<T>(Function<Gatekeeper, T> how, ActorRef<T> replyTo) implements Command {
    void run(Gatekeeper gate) {
      replyTo.tell(how.apply(gate));
    }
  }

  /** Clears everything, log and faults included, and starts from the given state. */
  record Restore(SavedState state, ActorRef<StatusReply<Done>> replyTo) implements Command {}

  record Snapshot(ActorRef<SavedState> replyTo) implements Command {}

  record Answer(ActorRef<SimAnswer> client, SimAnswer answer) implements Command {}

  record SaveDue() implements Command {}

  /** A save has ended; empty means success. */
  record Saved(Optional<String> failure) implements Command {}

  /** Stops after everything was saved, or the save failed. */
  record Stop(ActorRef<StatusReply<Done>> replyTo) implements Command {}

  private final ArmSimSettings settings;
  private final SimView view;
  private final TimerScheduler<Command> timers;
  private final RandomGenerator random;
  private final Guids guids;
  private final ArmModel model;
  private final Gatekeeper gate;
  private final StateKeeper keeper;

  static Behavior<Command> create(ArmSimSettings settings, SavedState initial, SimView view) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> new SimActor(context, settings, initial, view, timers)));
  }

  private SimActor(
      ActorContext<Command> context,
      ArmSimSettings settings,
      SavedState initial,
      SimView view,
      TimerScheduler<Command> timers) {
    super(context);
    this.settings = settings;
    this.view = view;
    this.timers = timers;
    long seed = settings.seed() + initial.arm().fingerprint();
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    this.guids = new Guids(random);
    this.gate = new Gatekeeper(settings.latency().behavior());
    this.model = new ArmModel(guids, settings.pageSize(), settings.latency().retryAfterSeconds());
    this.keeper =
        new StateKeeper(context, timers, settings.stateFile().map(StateFile::new), this::picture);
    restore(initial);
  }

  private SavedState picture() {
    return new SavedState(model.snapshot(), gate.spoiled());
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case Arrived arrived -> arrive(arrived);
      case Due due -> handle(due);
      case Answer answer -> answer.client().tell(answer.answer());
      case Finish finish -> finish(finish.operation());
      case Tune<?> tune -> tune.run(gate);
      case Restore restore -> {
        restore(restore.state());
        keeper.changed();
        keeper.acknowledge(restore.replyTo());
      }
      case Snapshot snapshot -> snapshot.replyTo().tell(picture());
      case SaveDue due -> keeper.save();
      case Saved saved -> keeper.saved(saved);
      case Stop stop -> keeper.end(stop.replyTo());
    }
    return keeper.ended() ? Behaviors.stopped() : this;
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
    Request request =
        Request.of(
            arrived.method(),
            call.rawPath(),
            arrived.caller().principal(),
            model.region(call.path()));
    Passage passage =
        gate.arrive(request, arrived.method(), call, arrived.caller(), arrived.nanos());
    Duration wait = settings.latency().handling(call.writes(), random).plus(passage.delay());
    var due = new Due(arrived, passage);
    if (wait.isZero()) {
      // Through the mailbox, so that writes which arrive together are in flight together.
      getContext().getSelf().tell(due);
    } else {
      timers.startSingleTimer(new Object(), due, wait);
    }
  }

  private void handle(Due due) {
    Arrived arrived = due.arrived();
    ArmCall call = arrived.call();
    Passage passage = due.passage();
    Optional<Instead> instead = gate.instead(passage, call, settings.clock().instant());
    if (instead.isPresent()) {
      leave(call);
      log(arrived, instead.get().answer(), instead.get().by(), Optional.empty());
      answer(due, shaped(due, instead.get().answer()));
      return;
    }
    if (settings.latency().endsAtPoll()) {
      call.path()
          .operation()
          .filter(operation -> gate.runs(operation).isEmpty())
          .ifPresent(this::finish);
    }
    Handled handled = handled(call, gate.terms(passage));
    gate.handled(passage, handled);
    account(call, handled);
    log(arrived, handled.answer(), passage.by(), Optional.of(handled));
    if (handled.changed()) {
      view.resources = model.resources();
      keeper.changed();
    }
    SimAnswer answer = shaped(due, gate.formed(handled.answer(), settings.clock().instant()));
    if (handled.accepted()) {
      // Even a no-op may depend on changes that are not saved yet.
      keeper.whenSaved(failure -> answer(due, failure.map(answer::unsaved).orElse(answer)));
    } else {
      answer(due, answer);
    }
  }

  private void answer(Due due, SimAnswer answer) {
    ActorRef<SimAnswer> client = due.arrived().replyTo();
    Duration withheld = due.passage().withheld();
    if (withheld.isZero()) {
      client.tell(answer);
    } else {
      timers.startSingleTimer(new Object(), new Answer(client, answer), withheld);
    }
  }

  private SimAnswer shaped(Due due, ArmAnswer answer) {
    Passage passage = due.passage();
    return new SimAnswer(guids.get(), answer, gate.remaining(passage), passage.reset());
  }

  /** A bug in the simulator must not leave a client without an answer. */
  private Handled handled(ArmCall call, Terms terms) {
    try {
      return model.handle(call, terms);
    } catch (RuntimeException defect) {
      LOG.error("request not handled method={} path={}", call.method(), call.rawPath(), defect);
      return Handled.internalError(defect.toString());
    }
  }

  /** Counts writes in flight and schedules the end of operations. */
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
    Duration runs = gate.runs(operation).orElseGet(() -> settings.latency().completion(random));
    timers.startSingleTimer(operation, new Finish(operation), runs);
  }

  private void finish(String operation) {
    Optional<Operation.Outcome> outcome = gate.outcome(operation);
    if (outcome.isPresent() && model.end(operation, outcome.get())) {
      timers.cancel(operation);
      model.operation(operation).flatMap(Operation::loadBalancer).ifPresent(view.writes::leave);
      view.resources = model.resources();
      keeper.changed();
      model.next(operation).ifPresent(this::schedule);
    }
  }

  private void log(Arrived arrived, ArmAnswer answer, By by, Optional<Handled> handled) {
    ArmCall call = arrived.call();
    boolean accepted = handled.map(Handled::accepted).orElse(false);
    view.journal.append(
        number ->
            new ArmLogEntry(
                number,
                arrived.nanos(),
                accepted ? OptionalLong.of(settings.nanos().getAsLong()) : OptionalLong.empty(),
                arrived.method(),
                call.rawPath(),
                answer.status(),
                answer.code(),
                by,
                handled.map(Handled::superseded).orElse(false),
                call.path().loadBalancer(),
                handled.flatMap(Handled::poolWrite),
                model.etag(call.path())));
  }

  private void restore(SavedState state) {
    gate.reset();
    gate.restore(state.spoiled());
    view.journal.clear();
    view.writes.clear();
    model.restore(state.arm());
    view.resources = model.resources();
    for (String operation : model.running()) {
      model.operation(operation).flatMap(Operation::loadBalancer).ifPresent(view.writes::enter);
      schedule(operation);
    }
  }

  /** Random guids of version 4, in lower case. Confined to one thread, as its source is. */
  record Guids(RandomGenerator random) implements Supplier<String> {
    private static final long VERSION_MASK = 0xffffffffffff0fffL;
    private static final long VERSION_4 = 0x4000L;
    private static final long VARIANT_MASK = 0x3fffffffffffffffL;

    @Override
    public String get() {
      long high = (random.nextLong() & VERSION_MASK) | VERSION_4;
      long low = (random.nextLong() & VARIANT_MASK) | Long.MIN_VALUE;
      return new UUID(high, low).toString();
    }
  }
}
