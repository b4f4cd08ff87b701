package io.poolkeeper.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.pekko.dispatch.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * The virtual time of one seed and all that happens in it, on one thread. What is ready runs in an
 * order that is drawn; time moves on only when nothing is ready. A task of an actor is its mailbox,
 * the same object each time, and handles one message.
 */
final class VirtualTime {
  /** When it begins. */
  static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  /** The longest time until a failed actor has a successor. */
  static final Duration LONGEST_RESPAWN = Duration.ofSeconds(30);

  /** A run with more entries would never end. */
  private static final int MAX_ENTRIES = 1_000_000;

  /** By length first, as names end in numbers that grow. */
  private static final Comparator<Runnable> BY_NAME =
      Comparator.comparing(
          VirtualTime::name,
          Comparator.comparingInt(String::length).thenComparing(String::compareTo));

  private final Chance chance;
  private final double lateness;
  private final List<Runnable> ready = new ArrayList<>();
  private final List<Runnable> woken = new ArrayList<>();
  private final PriorityQueue<Entry> later = new PriorityQueue<>(Entry.ORDER);
  private final Map<Runnable, Entry> delayed = new LinkedHashMap<>();
  private final Set<Runnable> released = new HashSet<>();
  private final Map<Runnable, Duration> slow = new HashMap<>();
  private final Set<Runnable> clockReaders = new LinkedHashSet<>();
  private @Nullable Runnable running;
  private @Nullable Runnable victim;
  private boolean relapse;
  private Instant now = START;
  private Instant frozenUntil = START;
  private long entered;
  private long steps;
  private Consumer<Duration> onDisturbance = length -> {};

  /** A task that is due at a time, unless it is cancelled before. */
  static final class Entry {
    private static final Comparator<Entry> ORDER =
        Comparator.comparing((Entry entry) -> entry.at).thenComparingLong(entry -> entry.order);
    private final Instant at;
    private final long order;
    private final Runnable what;
    private boolean cancelled;

    private Entry(Instant at, long order, Runnable what) {
      this.at = at;
      this.order = order;
      this.what = what;
    }

    /** Whether this was the first cancellation. */
    boolean cancel() {
      boolean first = !cancelled;
      cancelled = true;
      return first;
    }

    boolean cancelled() {
      return cancelled;
    }
  }

  /** An actor was made to fail. */
  static final class InjectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * A world that begins at {@link #START}.
   *
   * @param lateness the part of all messages that arrive a little late
   */
  VirtualTime(Chance chance, double lateness) {
    this.chance = chance;
    this.lateness = lateness;
  }

  Instant now() {
    return now;
  }

  /** Hears for how long actors are disturbed from now on; those that fail are gone for a while. */
  void onDisturbance(Consumer<Duration> hears) {
    onDisturbance = hears;
  }

  Duration elapsed() {
    return Duration.between(START, now);
  }

  /** How many tasks have run. */
  long steps() {
    return steps;
  }

  /** An actor has a message. */
  void ready(Runnable mailbox) {
    (running == null ? ready : woken).add(mailbox);
  }

  /**
   * The actors that one message has woken, in the order of their names: Pekko notifies those who
   * watch an actor in an order that depends on random numbers of its own.
   */
  private void wake() {
    if (woken.size() > 1) {
      woken.sort(BY_NAME);
    }
    ready.addAll(woken);
    woken.clear();
  }

  private static String name(Runnable task) {
    return task instanceof Mailbox mailbox && mailbox.actor() != null
        ? mailbox.actor().self().path().toStringWithoutAddress()
        : "";
  }

  Entry after(Duration delay, Runnable what) {
    return at(now.plus(delay.isNegative() ? Duration.ZERO : delay), what);
  }

  Entry at(Instant when, Runnable what) {
    if (later.size() >= MAX_ENTRIES) {
      throw new IllegalStateException("more than " + MAX_ENTRIES + " things wait to happen");
    }
    Entry entry = new Entry(when, entered++, what);
    later.add(entry);
    return entry;
  }

  /** Runs everything up to a time, and what is due then. */
  void runUntil(Instant end, Runnable afterEachStep) {
    while (step(end)) {
      afterEachStep.run();
    }
    now = end.isAfter(now) ? end : now;
  }

  /** Runs all that actors have to do, without moving time, in the order in which it came. */
  void drain() {
    delayed.forEach(
        (task, entry) -> {
          entry.cancel();
          ready.add(task);
        });
    delayed.clear();
    while (!ready.isEmpty()) {
      run(ready.removeFirst());
    }
  }

  /** Whether no actor has anything to do before time moves on. */
  boolean settled() {
    return ready.isEmpty() && delayed.isEmpty() && !frozen();
  }

  private boolean step(Instant end) {
    if (!ready.isEmpty() && !frozen()) {
      Runnable task = ready.set(chance.nextInt(ready.size()), ready.getLast());
      // The last task has taken its place, unless it was the last one itself.
      ready.removeLast();
      deliver(task);
      return true;
    }
    Entry next = later.peek();
    while (next != null && next.cancelled) {
      later.remove();
      next = later.peek();
    }
    Instant thaw = ready.isEmpty() ? Instant.MAX : frozenUntil;
    Instant at = next == null || thaw.isBefore(next.at) ? thaw : next.at;
    if (at.isAfter(end)) {
      return false;
    }
    now = at.isAfter(now) ? at : now;
    if (next != null && at.equals(next.at)) {
      later.remove();
      steps++;
      next.what.run();
    }
    return true;
  }

  private void deliver(Runnable task) {
    Duration delay = released.remove(task) ? Duration.ZERO : delay(task);
    if (delay.isZero()) {
      run(task);
    } else {
      delayed.put(task, after(delay, () -> release(task)));
    }
  }

  private void release(Runnable task) {
    delayed.remove(task);
    released.add(task);
    ready.add(task);
  }

  private Duration delay(Runnable task) {
    Duration each = slow.get(task);
    if (each != null) {
      return each;
    }
    return chance.happens(lateness)
        ? chance.between(Duration.ofNanos(10_000), Duration.ofMillis(20))
        : Duration.ZERO;
  }

  private void run(Runnable task) {
    steps++;
    running = task;
    try {
      task.run();
    } finally {
      running = null;
      wake();
    }
  }

  /** No actor does anything before then. */
  void freeze(Duration length) {
    // What waits for the end of an earlier freeze waits until then.
    Instant until = now.plus(length);
    frozenUntil = until.isAfter(frozenUntil) ? until : frozenUntil;
    onDisturbance.accept(length);
  }

  boolean frozen() {
    return now.isBefore(frozenUntil);
  }

  Instant frozenUntil() {
    return frozenUntil;
  }

  /** One of the actors that have read the clock takes longer for each message, for a while. */
  void slowOne(Duration each, Duration length) {
    if (!clockReaders.isEmpty()) {
      Runnable mailbox = chance.pick(List.copyOf(clockReaders));
      slow.put(mailbox, each);
      onDisturbance.accept(length);
      after(
          length,
          () -> {
            slow.remove(mailbox);
            onDisturbance.accept(each);
          });
    }
  }

  /**
   * One of the actors that have read the clock fails when it reads it next. The Guardian, the rate
   * limiter, the node watcher and the service map are the first four, as they read it when they
   * start, and the Guardian never again; most of the time a pool fails, and half of the time the
   * actor that takes its place fails, too.
   */
  void failOne() {
    List<Runnable> all = List.copyOf(clockReaders);
    int first = all.size() > 4 && !chance.happens(0.1) ? 4 : 1;
    if (all.size() > first) {
      victim = chance.pick(all.subList(first, all.size()));
    }
  }

  /** The process has ended: none of its actors is slow or fails any more. */
  void forgetActors() {
    clockReaders.clear();
    slow.clear();
    victim = null;
    relapse = false;
    frozenUntil = now;
  }

  /** The clock of the process, monotonic, from {@link #START}. */
  long nanos() {
    Runnable reader = running;
    if (reader != null) {
      boolean successor = clockReaders.add(reader) && relapse;
      if (successor || reader.equals(victim)) {
        victim = null;
        relapse = chance.happens(0.5);
        onDisturbance.accept(LONGEST_RESPAWN);
        throw new InjectedFailure();
      }
    }
    return elapsed().toNanos();
  }
}
