package io.poolkeeper.admission;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.Mark;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.pool.BoundPool;
import io.poolkeeper.pool.PoolStatus;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A pool with its actor, in few words: its plan, and one write at a time, which is refused if
 * anybody has changed the pool since it was read. Without a Service, and while that is unknown,
 * nothing is put in or taken out.
 */
final class FakePool {
  static final Mark MARK = Mark.of("3f1c0a52-9d7e-4b86");

  /** A write that is on its way, and what it was made from. */
  private record Put(Map<String, Address> next, Map<String, Address> read) {}

  /** What each wants; empty if that is unknown. One that is not here does not exist. */
  private final Map<ServiceKey, Optional<Set<Address>>> services = new TreeMap<>();

  private final Map<String, Address> entries = new TreeMap<>();
  private final Supplier<Instant> clock;
  private final Runnable adds;
  private final Consumer<PoolStatus> shows;
  private Optional<BoundPool> bound = Optional.empty();
  private Optional<Put> putting = Optional.empty();
  private Optional<Instant> clear = Optional.empty();
  private boolean dirty;

  /**
   * A pool.
   *
   * @param adds runs before an address is put in
   */
  FakePool(Supplier<Instant> clock, Runnable adds, Consumer<PoolStatus> shows) {
    this.clock = clock;
    this.adds = adds;
    this.shows = shows;
  }

  Set<Address> addresses() {
    return new TreeSet<>(entries.values());
  }

  /** The addresses of entries that carry the mark. */
  Set<Address> marked() {
    Set<Address> marked = new TreeSet<>();
    entries.forEach((name, address) -> marked.addAll(MARK.on(name) ? Set.of(address) : Set.of()));
    return marked;
  }

  /** The Service is there; what it wants is unknown without slices. */
  void wants(ServiceKey service, Optional<Set<Address>> addresses) {
    services.put(service, addresses);
    dirty = true;
  }

  void foreign(Address address) {
    entries.put("foreign-" + address.text(), address);
    dirty = true;
  }

  void hear(Optional<BoundPool> next) {
    bound = next;
    dirty = true;
    show();
  }

  /** Its actor knows nothing any more. */
  void crash() {
    putting = Optional.empty();
    bound = Optional.empty();
    clear = Optional.empty();
  }

  /** What it does next. */
  Optional<Runnable> next() {
    if (putting.isPresent()) {
      return Optional.of(this::finishPut);
    }
    return bound.isPresent() && (dirty || proves()) ? Optional.of(this::permit) : Optional.empty();
  }

  /** Whether a read would show now that nothing is left of a binding. */
  private boolean proves() {
    Optional<Instant> leaving = bound.flatMap(BoundPool::leaving);
    return proved().isEmpty() && leaving.filter(from -> !clock.get().isBefore(from)).isPresent();
  }

  private Optional<Instant> proved() {
    return bound
        .flatMap(BoundPool::leaving)
        .filter(from -> clear.filter(at -> !at.isBefore(from)).isPresent());
  }

  private Optional<Set<Address>> wanted() {
    return bound.flatMap(BoundPool::service).map(services::get).flatMap(wants -> wants);
  }

  /** What is in the pool after a write that may be made now. */
  private Map<String, Address> written() {
    boolean leaves = bound.flatMap(BoundPool::leaving).isPresent();
    boolean held = bound.flatMap(BoundPool::held).isPresent();
    Optional<Set<Address>> wanted = leaves ? Optional.of(Set.of()) : wanted();
    Map<String, Address> next = new TreeMap<>(entries);
    if (wanted.isPresent() && !held) {
      next.entrySet().removeIf(e -> MARK.on(e.getKey()) && !wanted.get().contains(e.getValue()));
      for (Address address : wanted.get()) {
        if (!next.containsValue(address)) {
          next.put(MARK.name(address.text()), address);
        }
      }
    }
    return next;
  }

  private void permit() {
    dirty = false;
    boolean clean = bound.flatMap(BoundPool::leaving).isPresent() && marked().isEmpty();
    clear = clean ? Optional.of(clock.get()) : clear;
    Put put = new Put(written(), new TreeMap<>(entries));
    putting = Optional.of(put).filter(any -> !put.next().equals(put.read()));
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
    if (!entries.values().containsAll(put.next().values())) {
      adds.run();
    }
    entries.clear();
    entries.putAll(put.next());
  }

  private void show() {
    boolean waits = dirty && !written().equals(entries);
    Optional<ServiceKey> service = bound.flatMap(BoundPool::service);
    Set<Address> desired = wanted().orElse(Set.of());
    shows.accept(
        BindingFixtures.status(
            service.filter(services::containsKey).map(of -> Map.of(of, desired)).orElse(Map.of()),
            putting.isPresent() ? "Writing" : waits ? "Gathering" : "Idle",
            Optional.empty(),
            addresses(),
            marked(),
            proved(),
            false));
  }
}
