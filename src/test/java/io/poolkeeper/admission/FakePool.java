package io.poolkeeper.admission;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.Bound;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.service.Bindings;
import io.poolkeeper.service.BoundPool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A pool with its actor, in few words: its plan, and one write at a time, which is refused if
 * anybody has changed the pool since it was read. It throws when it is given an address that no
 * binding has recorded.
 */
final class FakePool {
  /** A write that is on its way, and what it was made from. */
  private record Put(Set<Address> next, Set<Address> read) {}

  private final Map<ServiceKey, Set<Address>> endpoints = new TreeMap<>();
  private final Set<Address> entries = new TreeSet<>();
  private final Supplier<Set<Address>> recorded;
  private final Consumer<PoolStatus> shows;
  private Bindings levels = Bindings.NONE;
  private Optional<Put> putting = Optional.empty();
  private Optional<Put> late = Optional.empty();
  private boolean observed;
  private boolean dirty;

  FakePool(Supplier<Set<Address>> recorded, Consumer<PoolStatus> shows) {
    this.recorded = recorded;
    this.shows = shows;
  }

  Set<Address> entries() {
    return Set.copyOf(entries);
  }

  void endpoints(ServiceKey service, Set<Address> of) {
    endpoints.put(service, of);
    dirty = true;
  }

  void foreign(Address address, boolean there) {
    dirty |= there ? entries.add(address) : entries.remove(address);
  }

  void hear(Bindings bindings) {
    levels = bindings;
    observed = true;
    dirty = true;
    show();
  }

  /** Its actor knows nothing any more; its write may still arrive. */
  void crash() {
    late = putting;
    putting = Optional.empty();
    levels = Bindings.NONE;
    observed = false;
  }

  void lateWriteIsLost() {
    late = Optional.empty();
  }

  /** What it may do next. */
  List<Runnable> possible() {
    List<Runnable> possible = new ArrayList<>();
    late.ifPresent(
        put ->
            possible.add(
                () -> {
                  late = Optional.empty();
                  write(put);
                }));
    if (putting.isPresent()) {
      possible.add(this::finishPut);
    } else if (dirty && !bound().isEmpty() && !next().equals(entries)) {
      possible.add(this::beginPut);
    } else if (dirty && !bound().isEmpty() && !held()) {
      possible.add(this::rest);
    }
    return possible;
  }

  private List<BoundPool> bound() {
    return levels.pools().values().stream().flatMap(Collection::stream).toList();
  }

  private Set<Address> desired() {
    return wanted().values().stream().flatMap(Set::stream).collect(Collectors.toSet());
  }

  private Map<ServiceKey, Set<Address>> wanted() {
    Map<ServiceKey, Set<Address>> wanted = new TreeMap<>();
    levels
        .pools()
        .forEach(
            (service, pools) ->
                wanted.put(
                    service,
                    pools.getFirst().leaving()
                        ? Set.of()
                        : endpoints.getOrDefault(service, Set.of())));
    return wanted;
  }

  private void show() {
    boolean waits = dirty && !bound().isEmpty();
    shows.accept(
        new PoolStatus(
            BindingsWorld.POOL,
            wanted(),
            putting.isPresent() ? "Writing" : waits ? held() ? "Held" : "Gathering" : "Idle",
            "",
            Optional.empty(),
            waits ? 1 : 0,
            List.of(),
            desired(),
            observed ? entries() : Set.of(),
            Set.of(),
            0,
            0,
            new TreeMap<>(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            0,
            levels.version()));
  }

  private boolean held() {
    return levels.terms(BindingsWorld.POOL).held().isPresent() && next().equals(entries);
  }

  /** The members that it may be given now: of a held pool goes what only ends. */
  private Set<Address> next() {
    Set<Address> next = new TreeSet<>(entries);
    if (bound().isEmpty()) {
      return next;
    }
    Bound all = bound().stream().map(BoundPool::bound).reduce(Bound::and).orElseThrow();
    Set<Address> missing = new HashSet<>(desired());
    missing.removeAll(entries);
    Set<Address> removable = new HashSet<>(entries);
    removable.removeAll(desired());
    if (levels.terms(BindingsWorld.POOL).held().isPresent()) {
      removable.retainAll(all.added());
      removable.removeAll(all.kept());
      next.removeAll(removable);
      return next;
    }
    if (all.shared() || bound().stream().anyMatch(BoundPool::leaving)) {
      removable.retainAll(all.added());
    }
    if (all.added().containsAll(missing)) {
      next.removeAll(removable);
    }
    missing.retainAll(all.added());
    next.addAll(missing);
    return next;
  }

  private void beginPut() {
    dirty = false;
    putting = Optional.of(new Put(next(), entries()));
    show();
  }

  private void rest() {
    dirty = false;
    show();
  }

  private void finishPut() {
    Put put = putting.orElseThrow();
    putting = Optional.empty();
    write(put);
    show();
  }

  private void write(Put put) {
    dirty = true;
    if (!entries.equals(put.read())) {
      return;
    }
    for (Address address : put.next()) {
      if (!entries.contains(address) && !recorded.get().contains(address)) {
        throw new AssertionError(address + " is put in, and not recorded: " + recorded.get());
      }
    }
    entries.clear();
    entries.addAll(put.next());
  }
}
