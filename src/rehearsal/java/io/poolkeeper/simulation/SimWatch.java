package io.poolkeeper.simulation;

import io.poolkeeper.core.Core;
import io.poolkeeper.core.Decision;
import io.poolkeeper.judge.Disturbance;
import io.poolkeeper.simulation.SimCluster.Kind;
import io.poolkeeper.watch.Delivery;
import io.poolkeeper.watch.KeyStream;
import io.poolkeeper.watch.Receiver;
import io.poolkeeper.watch.WatchLiveness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.pekko.stream.Materializer;

/**
 * The watch of one kind of object: events arrive in their order and a little late, change the store
 * of the process, and then go into the program's own stream. Its connection may be lost, or seem to
 * be there and be dead; the program's own core says when the watch is lost.
 */
final class SimWatch<K, V> {
  private static final Duration SHORTEST_DELAY = Duration.ofMillis(1);
  private static final Duration LONGEST_DELAY = Duration.ofMillis(200);
  private static final WatchLiveness.Limits LIMITS = WatchLiveness.Limits.SHIPPED;

  private enum Connection {
    NONE,
    OPEN,
    /** It looks open, and nothing comes any more. */
    DEAD
  }

  private final SimProcess process;
  private final SimWorld sim;
  private final Kind kind;
  private final KeyStream<K, V> stream;
  private final Core<WatchLiveness.State, WatchLiveness.Seen, WatchLiveness.Effect> liveness;
  private final BiConsumer<Kind, String> watcher = this::changed;
  private final Queue<Runnable> arriving = new ArrayDeque<>();
  private WatchLiveness.State state = WatchLiveness.initial();
  private Connection connection = Connection.NONE;
  private Instant lastArrival = VirtualTime.START;

  /** Since when there is no connection, or a dead one. */
  private Instant downAt = VirtualTime.START;

  /** When the process has last taken the watch for lost. */
  private Instant lastLost = VirtualTime.START.minus(LIMITS.silent());

  private boolean reachable = true;
  private int connections;
  private int listWanted = 1;
  private int listOffered;
  private int offered;
  private boolean synced;
  private boolean closed;

  /**
   * Lists what exists, and watches.
   *
   * @param key of the model, from a name
   * @param known what the process knows of the cluster, by name
   * @param view of such an object
   */
  <E, T> SimWatch(
      SimProcess process,
      Kind kind,
      Materializer materializer,
      Receiver<K, V, E> receiver,
      Function<String, K> key,
      Map<String, T> known,
      Function<T, V> view) {
    this.process = process;
    this.sim = process.sim;
    this.liveness = sim.system.parts.core(new WatchLiveness(LIMITS));
    this.kind = kind;
    Receiver<K, V, E> noted =
        new Receiver<>(
            receiver.actor(),
            delivery -> {
              synced |= delivery instanceof Delivery.Synced;
              return receiver.event().apply(delivery);
            });
    this.stream =
        new KeyStream<>(
            materializer,
            noted,
            names ->
                names.stream()
                    .collect(
                        Collectors.toMap(
                            key, name -> Optional.ofNullable(known.get(name)).map(view))));
    sim.cluster.watch(watcher);
    connect();
    repeat(LIMITS.check(), this::check);
  }

  /** Whether the process was given all that existed at the start. */
  boolean synced() {
    return synced;
  }

  /** Whether all that happens arrives, and the process believes it. */
  boolean live() {
    return synced && connection == Connection.OPEN && !state.lost();
  }

  /**
   * Since when the process must know that the watch is lost, however its connection looks; empty if
   * it is live, or may still seem so. After a standstill it first sees that there is a connection.
   */
  Optional<Instant> lostSince() {
    if (connection == Connection.OPEN) {
      return Optional.empty();
    }
    Duration silence = connection == Connection.DEAD ? LIMITS.silent() : Duration.ZERO;
    Instant moved = sim.time.frozenUntil();
    Instant since = moved.isAfter(downAt) ? moved : downAt;
    return Optional.of(
        since.plus(silence).plus(LIMITS.disconnected()).plus(LIMITS.check().multipliedBy(2)));
  }

  /** Whether the process took the watch for lost since then. */
  boolean unsureSince(Instant then) {
    return !lastLost.plus(LONGEST_DELAY).isBefore(then);
  }

  CompletionStage<?> completion() {
    return stream.completion();
  }

  void close() {
    closed = true;
    sim.cluster.unwatch(watcher);
    stream.complete();
  }

  /**
   * Nothing comes for a while.
   *
   * @param halfOpen whether the connection seems to be there; then it stays dead even after that
   */
  void lose(Duration length, boolean halfOpen) {
    if (closed || connection != Connection.OPEN) {
      return;
    }
    sim.trace.say("watch of %s is %s for %s".formatted(kind, halfOpen ? "silent" : "cut", length));
    connection = halfOpen ? Connection.DEAD : Connection.NONE;
    downAt = sim.time.now();
    reachable = false;
    process.ledger.waits.lasts(Disturbance.WATCH_LOST, kind, true);
    sim.time.after(
        length,
        () -> {
          reachable = true;
          if (connection == Connection.NONE) {
            connect();
          }
        });
    int dead = connections;
    sim.time.after(
        LIMITS.silent(),
        () -> {
          if (connection == Connection.DEAD && connections == dead) {
            reopen();
          }
        });
  }

  /** Ends the connection, if there is one, and makes another as soon as that can be. */
  private void reopen() {
    downAt = connection == Connection.NONE ? downAt : sim.time.now();
    connection = Connection.NONE;
    if (reachable) {
      connect();
    }
  }

  /** All that has changed since the last connection comes now. */
  private void connect() {
    if (closed) {
      return;
    }
    connection = Connection.OPEN;
    process.ledger.waits.lasts(Disturbance.WATCH_LOST, kind, false);
    connections++;
    list();
    if (listOffered < listWanted) {
      int number = listWanted;
      arrives(
          () -> {
            listOffered = number;
            offer(() -> stream.listed(Set.of(), number));
          });
    }
  }

  private void list() {
    Set<String> names = new TreeSet<>(process.watches.store.names(kind));
    names.addAll(sim.cluster.names(kind));
    names.forEach(name -> changed(kind, name));
  }

  private void changed(Kind changed, String name) {
    if (changed == kind && connection == Connection.OPEN && !closed) {
      Runnable copy = sim.cluster.copy(kind, name, process.watches.store);
      arrives(
          () -> {
            copy.run();
            offer(() -> stream.changed(name));
          });
    }
  }

  private void check() {
    WatchLiveness.Seen seen =
        new WatchLiveness.Seen(stream.delivered(), connection != Connection.NONE);
    Decision<WatchLiveness.State, WatchLiveness.Effect> decision =
        liveness.decide(state, seen, sim.time.now(), () -> 0);
    state = decision.state();
    for (WatchLiveness.Effect effect : decision.effects()) {
      sim.trace.say("watch of %s: %s".formatted(kind, effect));
      if (effect == WatchLiveness.Effect.LOSE) {
        listWanted++;
        offer(stream::lost);
      }
      reopen();
    }
    lastLost = state.lost() ? sim.time.now() : lastLost;
    process.ledger.rules.looks(process.watches.mustKnowOfLoss());
    process.ledger.waits.check();
  }

  /** Something arrives over this connection, unless that ends before. */
  private void arrives(Runnable what) {
    int over = connections;
    later(
        () -> {
          if (connection == Connection.OPEN && connections == over) {
            what.run();
          }
        });
  }

  /** In the order of the events, also if the process stands still when some of them are due. */
  private void later(Runnable what) {
    arriving.add(what);
    Instant at = sim.time.now().plus(sim.chance.between(SHORTEST_DELAY, LONGEST_DELAY));
    lastArrival = at.isAfter(lastArrival) ? at : lastArrival;
    sim.time.at(lastArrival, process.guarded(() -> arriving.remove().run()));
  }

  private void repeat(Duration period, Runnable what) {
    sim.time.after(
        period,
        process.guarded(
            () -> {
              if (!closed) {
                what.run();
                repeat(period, what);
              }
            }));
  }

  /** A task that is put back while too many offers are pending: nothing may block here. */
  private void offer(Supplier<CompletionStage<?>> offer) {
    if (closed) {
      return;
    }
    if (offered >= KeyStream.MAX_OFFERS) {
      sim.time.after(SHORTEST_DELAY, process.guarded(() -> offer(offer)));
      return;
    }
    offered++;
    // Scala's own stage would run this on another thread.
    CompletionStage<?> taken = CompletableFuture.allOf(offer.get().toCompletableFuture());
    taken.whenComplete((done, failure) -> offered--);
  }
}
