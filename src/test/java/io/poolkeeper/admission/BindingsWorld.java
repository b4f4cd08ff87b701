package io.poolkeeper.admission;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.AllowedPools;
import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
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
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The bindings' core among an API server with versions, one pool and its actor, and messages on
 * their way, which are in order between two of them and in no order else.
 */
final class BindingsWorld {
  static final Instant T0 = Instant.parse("2026-11-22T10:00:00Z");
  static final PoolId POOL = new LoadBalancerId("sub", "rg", "gateway").pool("blue");
  static final Duration LATE = Duration.ofMinutes(1);

  private static final Resolution RESOLUTION =
      new Resolution(
          "sub",
          "rg",
          AllowedPools.of("sub", Map.of("shop", List.of(POOL.path()))),
          name -> false,
          false);

  private final BindingsCore core;
  private final Map<BindingKey, BindingView> server = new TreeMap<>();
  private final Deque<Runnable> watch = new ArrayDeque<>();
  private final Deque<Runnable> answers = new ArrayDeque<>();
  private final Deque<Runnable> binds = new ArrayDeque<>();
  private final Deque<Runnable> statuses = new ArrayDeque<>();
  private final List<BindingsEffect> effects = new ArrayList<>();
  private final FakePool pool =
      new FakePool(
          this::recorded, status -> statuses.add(() -> send(new BindingsEvent.PoolShown(status))));
  private BindingsState state = BindingsState.initial(true, T0);
  private Instant lateUntil = T0;
  private boolean missing;
  private Instant now = T0;
  private int version;

  BindingsState state() {
    return state;
  }

  BindingsWorld() {
    this(AdmissionLimits.SHIPPED);
  }

  BindingsWorld(AdmissionLimits limits) {
    core = new BindingsCore(RESOLUTION, new AdmissionChecks(limits, List.of()), LATE);
  }

  Instant now() {
    return now;
  }

  Set<Address> pool() {
    return pool.entries();
  }

  BindingView binding(String name) {
    return Objects.requireNonNull(server.get(new BindingKey("shop", name)));
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

  private Set<Address> recorded() {
    return server.values().stream()
        .flatMap(view -> view.added().stream())
        .collect(Collectors.toSet());
  }

  static ServiceKey service(String name) {
    return new ServiceKey("shop", name);
  }

  static Set<Address> addresses(String... addresses) {
    Set<Address> all = new TreeSet<>();
    for (String address : addresses) {
      all.add(Address.of(address));
    }
    return all;
  }

  /** A valid binding as a user makes it. */
  static BindingView view(String name, String service, boolean exclusive, String... checks) {
    return view(
        name,
        new BindingTarget(
            service(service),
            new PoolReference(Optional.empty(), Optional.empty(), "gateway", "blue"),
            IpFamily.IPV4,
            exclusive ? Ownership.EXCLUSIVE : Ownership.SHARED,
            Optional.empty(),
            Optional.empty()),
        checks);
  }

  /** A shared one that says how its pool is to be written. */
  static BindingView paced(String name, int maxRetries, Duration interval) {
    return view(
        name,
        new BindingTarget(
            service("web"),
            new PoolReference(Optional.empty(), Optional.empty(), "gateway", "blue"),
            IpFamily.IPV4,
            Ownership.SHARED,
            Optional.of(maxRetries),
            Optional.of(interval)));
  }

  private static BindingView view(String name, BindingTarget target, String... checks) {
    return new BindingView(
        new BindingKey("shop", name),
        "uid-" + name,
        "",
        1,
        false,
        Optional.of(target),
        List.of(),
        Set.of(),
        new AdmissionSubject(List.of(checks), List.of(), true, false, false));
  }

  private static BindingView with(
      BindingView of, boolean finalizer, Set<Address> added, AdmissionSubject admission) {
    return new BindingView(
        of.key(),
        of.uid(),
        of.version(),
        of.generation(),
        finalizer,
        of.target(),
        of.problems(),
        added,
        admission);
  }

  private BindingView store(BindingView changed) {
    BindingView stored =
        new BindingView(
            changed.key(),
            changed.uid(),
            Integer.toString(++version),
            changed.generation(),
            changed.finalizer(),
            changed.target(),
            changed.problems(),
            changed.added(),
            changed.admission());
    server.put(changed.key(), stored);
    watch.add(() -> send(new BindingsEvent.Changed(Map.of(stored.key(), Optional.of(stored)))));
    return stored;
  }

  void create(BindingView view) {
    store(view);
  }

  /** A user or a checker changes it. */
  void change(String name, boolean active, boolean deleted, List<Check> reported) {
    BindingView view = binding(name);
    AdmissionSubject is = view.admission();
    boolean spec = active != is.active();
    store(
        with(
            view,
            view.finalizer(),
            view.added(),
            new AdmissionSubject(is.listed(), reported, active, deleted, is.changed() || spec)));
  }

  /** The API server removes what no finalizer keeps. */
  void delete(String name) {
    BindingView view = binding(name);
    if (view.finalizer()) {
      change(name, view.admission().active(), true, view.admission().reported());
    } else {
      remove(view.key());
    }
  }

  private void remove(BindingKey key) {
    server.remove(key);
    watch.add(() -> send(new BindingsEvent.Changed(Map.of(key, Optional.empty()))));
  }

  void endpoints(String service, String... addresses) {
    pool.endpoints(service(service), addresses(addresses));
  }

  void foreign(String address, boolean there) {
    pool.foreign(Address.of(address), there);
  }

  void missing() {
    missing = true;
    send(new BindingsEvent.Listed(Set.of(POOL), Map.of()));
  }

  void begin() {
    server.values().forEach(this::store);
    watch.add(() -> send(new BindingsEvent.Synced()));
    send(new BindingsEvent.Listed(missing ? Set.of(POOL) : Set.of(), Map.of()));
  }

  /** The process dies; what it has heard is lost, and its write may still arrive for a while. */
  void crash() {
    pool.crash();
    lateUntil = now.plus(LATE);
    watch.clear();
    answers.clear();
    binds.clear();
    statuses.clear();
    state = BindingsState.initial(true, now);
    begin();
  }

  void pass(Duration time) {
    now = now.plus(time);
    if (!now.isBefore(lateUntil)) {
      pool.lateWriteIsLost();
    }
    if (core.wakeAt(state).filter(at -> !at.isAfter(now)).isPresent()) {
      send(new BindingsEvent.TimerDue());
    }
  }

  void send(BindingsEvent event) {
    Decision<BindingsState, BindingsEffect> decision =
        core.decide(state, event, now, (RandomGenerator) () -> 0);
    state = decision.state();
    decision.effects().forEach(this::run);
  }

  private void run(BindingsEffect effect) {
    effects.add(effect);
    switch (effect) {
      case BindingsEffect.Bind bind -> binds.add(() -> pool.hear(bind.bindings()));
      case BindingsEffect.Lead lead -> binds.add(() -> {});
      case BindingsEffect.Write write -> answers.add(() -> answer(write));
    }
  }

  private void answer(BindingsEffect.Write write) {
    BindingKey key = write.key();
    BindingView there = server.get(key);
    WriteAnswer answer =
        switch (write) {
          case BindingsEffect.Create create -> throw new AssertionError("nothing to mirror");
          case BindingsEffect.Change change ->
              there == null || !there.version().equals(write.version())
                  ? new WriteAnswer.Conflict()
                  : new WriteAnswer.Done(changed(change, there));
        };
    send(new BindingsEvent.Written(key, write.version(), answer));
  }

  private BindingView changed(BindingsEffect.Change change, BindingView there) {
    return switch (change) {
      case BindingsEffect.Delete delete -> throw new AssertionError("nothing mirrored");
      case BindingsEffect.AddFinalizer f ->
          store(with(there, true, there.added(), there.admission()));
      case BindingsEffect.RemoveFinalizer f -> {
        remove(there.key());
        yield with(there, false, there.added(), there.admission());
      }
      case BindingsEffect.WriteStatus status -> {
        AdmissionSubject is = there.admission();
        AdmissionSubject after =
            new AdmissionSubject(
                is.listed(), status.report().checks(), is.active(), is.deleted(), false);
        yield store(with(there, there.finalizer(), status.report().added(), after));
      }
    };
  }

  /** Something that is under way goes on; says whether anything was. */
  boolean goOn(RandomGenerator random) {
    List<Runnable> possible = new ArrayList<>();
    for (Deque<Runnable> channel : List.of(watch, answers, binds, statuses)) {
      if (!channel.isEmpty()) {
        possible.add(() -> channel.removeFirst().run());
      }
    }
    possible.addAll(pool.possible());
    if (possible.isEmpty()) {
      return false;
    }
    possible.get(random.nextInt(possible.size())).run();
    return true;
  }

  /** Lets everything end, and time pass. */
  void settle(RandomGenerator random) {
    for (int round = 0; round < 5; round++) {
      for (int step = 0; goOn(random); step++) {
        if (step > 2_000) {
          throw new AssertionError("no rest: " + state);
        }
      }
      pass(LATE);
    }
  }
}
