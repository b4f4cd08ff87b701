package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.LATE;
import static io.poolkeeper.admission.BindingFixtures.POOL;
import static io.poolkeeper.admission.BindingFixtures.SHOP;
import static io.poolkeeper.admission.BindingFixtures.T0;
import static io.poolkeeper.admission.BindingFixtures.addresses;
import static io.poolkeeper.admission.BindingFixtures.key;
import static io.poolkeeper.admission.BindingFixtures.service;
import static io.poolkeeper.admission.BindingFixtures.with;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The bindings' core among an API server with versions, one pool and its actor, and messages on
 * their way, which are in order between two of them and in no order else. No address may be put in
 * while no binding waits for its finalizer.
 */
final class BindingsWorld {
  private final Map<BindingKey, BindingView> server = new TreeMap<>();
  private final Deque<Runnable> watch = new ArrayDeque<>();
  private final Deque<Runnable> answers = new ArrayDeque<>();
  private final Deque<Runnable> binds = new ArrayDeque<>();
  private final Deque<Runnable> statuses = new ArrayDeque<>();
  private final List<BindingsEffect> effects = new ArrayList<>();
  private final FakePool pool =
      new FakePool(
          this::now,
          this::mayAdd,
          status -> statuses.add(() -> send(new BindingsEvent.PoolShown(status))));
  private BindingsCore core = BindingFixtures.core(SHOP);
  private BindingsState state;
  private Instant now = T0;
  private int version;

  BindingsWorld() {
    this(true);
  }

  BindingsWorld(boolean leads) {
    state = BindingsState.initial(leads, T0);
  }

  /** Which pools namespaces may name; what is heard already is judged anew after a crash. */
  void allow(Map<String, List<String>> allowed) {
    core = BindingFixtures.core(allowed);
  }

  BindingsState state() {
    return state;
  }

  Instant now() {
    return now;
  }

  FakePool pool() {
    return pool;
  }

  BindingView binding(String name) {
    return Objects.requireNonNull(server.get(key(name)));
  }

  Collection<BindingView> bindings() {
    return server.values();
  }

  /** What the core asked for since this was called last. */
  List<BindingsEffect> effects() {
    List<BindingsEffect> all = List.copyOf(effects);
    effects.clear();
    return all;
  }

  <T extends BindingsEffect> List<T> effects(Class<T> type) {
    return effects().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private void mayAdd() {
    if (server.values().stream().noneMatch(BindingView::finalizer)) {
      throw new AssertionError("put in, and nothing will take it out: " + server);
    }
  }

  /** Writes a binding; the watch brings its new version. */
  BindingView store(BindingView changed) {
    BindingView stored = next(changed);
    server.put(changed.key(), stored);
    hear(stored);
    return stored;
  }

  private BindingView next(BindingView of) {
    return new BindingView(
        of.key(),
        of.uid(),
        Integer.toString(++version),
        of.created(),
        of.deleted(),
        of.finalizer(),
        of.reported(),
        of.pool(),
        of.target(),
        of.problems(),
        of.admission());
  }

  private void hear(BindingView view) {
    watch.add(() -> send(new BindingsEvent.Changed(Map.of(view.key(), Optional.of(view)))));
  }

  /** A user or a checker changes it. */
  BindingView change(String name, boolean active, Check... reported) {
    BindingView view = binding(name);
    AdmissionSubject is = view.admission();
    boolean changed = is.changed() || active != is.active();
    AdmissionSubject next =
        new AdmissionSubject(is.listed(), List.of(reported), active, false, changed, is.ahead());
    return store(with(view, view.finalizer(), view.deleted(), view.reported() && !changed, next));
  }

  /** The API server removes what no finalizer keeps. */
  void delete(String name) {
    BindingView view = binding(name);
    if (view.finalizer()) {
      store(with(view, true, Optional.of(now), view.reported(), view.admission()));
    } else {
      remove(view.key());
    }
  }

  private void remove(BindingKey key) {
    server.remove(key);
    watch.add(() -> send(new BindingsEvent.Changed(Map.of(key, Optional.empty()))));
  }

  /** The Service has slices that name these. */
  void endpoints(String service, String... addresses) {
    pool.wants(service(service), Optional.of(addresses(addresses)));
  }

  void foreign(String address) {
    pool.foreign(Address.of(address));
  }

  void listed(PoolId... missing) {
    send(new BindingsEvent.Listed(Set.of(missing), Map.of(), Map.of()));
  }

  /** A process that leads hears all bindings. */
  void begin() {
    server.values().forEach(this::hear);
    watch.add(() -> send(new BindingsEvent.Synced()));
    pass(Duration.ZERO);
  }

  /** The process dies, and what it has heard is lost. */
  void crash() {
    pool.crash();
    watch.clear();
    answers.clear();
    binds.clear();
    statuses.clear();
    state = BindingsState.initial(true, now);
    begin();
  }

  void pass(Duration time) {
    now = now.plus(time);
    if (core.wakeAt(state).filter(at -> !at.isAfter(now)).isPresent()) {
      send(new BindingsEvent.TimerDue());
    }
  }

  void send(BindingsEvent event) {
    Decision<BindingsState, BindingsEffect> decision = core.decide(state, event, now, () -> 0);
    state = decision.state();
    decision.effects().forEach(this::run);
  }

  private void run(BindingsEffect effect) {
    effects.add(effect);
    switch (effect) {
      case BindingsEffect.Bind bind -> {
        if (bind.pool().equals(POOL)) {
          binds.add(() -> pool.hear(bind.bound()));
        }
      }
      case BindingsEffect.ReadMark read ->
          answers.add(() -> send(new BindingsEvent.MarkRead(Optional.of(FakePool.MARK))));
      case BindingsEffect.Resolved resolved -> {}
      case BindingsEffect.Emit emit -> {}
      case BindingsEffect.Write write -> answers.add(() -> answer(write));
    }
  }

  private void answer(BindingsEffect.Write write) {
    BindingKey key = write.key();
    BindingView there = server.get(key);
    WriteAnswer answer =
        there == null || !there.version().equals(write.version())
            ? new WriteAnswer.Conflict()
            : new WriteAnswer.Done(written(write, there));
    send(new BindingsEvent.Written(key, write.version(), answer));
  }

  private BindingView written(BindingsEffect.Write write, BindingView there) {
    return switch (write) {
      case BindingsEffect.AddFinalizer f -> store(with(there, true));
      case BindingsEffect.RemoveFinalizer f -> {
        remove(there.key());
        yield next(with(there, false));
      }
      case BindingsEffect.WriteStatus status -> {
        AdmissionSubject is = there.admission();
        List<Check> checks = status.report().checks();
        AdmissionSubject after =
            new AdmissionSubject(is.listed(), checks, is.active(), is.deleted(), false, is.ahead());
        yield store(with(there, there.finalizer(), there.deleted(), true, after));
      }
    };
  }

  /** Something that is under way goes on; says whether anything was. */
  boolean goOnOnce() {
    Optional<Runnable> next =
        Stream.of(watch, answers, binds, statuses)
            .filter(channel -> !channel.isEmpty())
            .findFirst()
            .<Runnable>map(channel -> () -> channel.removeFirst().run())
            .or(pool::next);
    now = now.plusNanos(1); // or what was proved before would look as if it were newer
    next.ifPresent(Runnable::run);
    return next.isPresent();
  }

  /** Whatever is under way ends at this moment. */
  void goOn() {
    for (int step = 0; goOnOnce(); step++) {
      if (step > 10_000) {
        throw new AssertionError("no rest");
      }
    }
  }

  /** Lets everything end, and time pass. */
  void settle() {
    for (int round = 0; round < 5; round++) {
      goOn();
      pass(LATE);
    }
  }
}
