package io.poolkeeper.ops;

import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Report;
import io.poolkeeper.status.Snapshot;
import io.poolkeeper.status.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractMatchingBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends every listener the whole state first, then numbered changes, at most twice a second, and a
 * sign of life each second. A line is rendered once for all listeners, and only when the line
 * before was sent, so that no old state waits. A listener that does not read in time is dropped.
 * Nothing runs without listeners.
 */
final class EventStream extends AbstractMatchingBehavior<EventStream.Command> {
  private static final Logger log = LoggerFactory.getLogger(EventStream.class);

  /** The maximum of listeners. */
  static final int LISTENERS = 50;

  /** The maximum of lines that wait for a listener. */
  static final int LINES = 16;

  /** The maximum of pools in a line, some hundred bytes each; the others come in the next. */
  static final int ROWS = 2_000;

  /** The pause after a line. */
  private static final Duration PERIOD = Duration.ofMillis(500);

  /** The time after which a state is asked for again that did not come. */
  private static final Duration LATE = Duration.ofSeconds(5);

  /** The period in which a calm state is computed again, as it changes with time alone. */
  private static final Duration CALM = Duration.ofSeconds(2);

  /** The number of periods after which a line is sent in any case. */
  private static final int QUIET_PERIODS = 2;

  /** The member of a status that differs each time. */
  private static final String NOW = "now";

  sealed interface Command {}

  /** Adds a listener; if there are too many, its queue is completed at once. */
  record Listen(BoundedSourceQueue<ByteString> queue) implements Command {}

  /** The process ends, and so do all streams. */
  record End(CompletableFuture<Done> ended) implements Command {}

  private record Seen(Snapshot snapshot) implements Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  private final TimerScheduler<Command> timers;
  private final ActorRef<StatusActor.Command> status;
  private final ActorRef<Snapshot> snapshots;
  private final Moment.Source source;
  private final List<BoundedSourceQueue<ByteString>> listeners = new ArrayList<>();
  private final List<BoundedSourceQueue<ByteString>> fresh = new ArrayList<>();

  /** The lines of the last statuses; a changed status is a new object. */
  private IdentityHashMap<PoolStatus, PoolLine> lines = new IdentityHashMap<>();

  private final Map<PoolId, JsonObject> rows = new HashMap<>();
  private Optional<JsonObject> last = Optional.empty();

  /** Whether the last report had no cause. */
  private boolean calm;

  private long number;
  private int quiet;

  /** The version of the last snapshot. */
  private long version;

  private Instant computed = Instant.EPOCH;

  /** The index of the pool that is looked at first. */
  private int start;

  private boolean ended;

  static Behavior<Command> create(ActorRef<StatusActor.Command> status, Moment.Source source) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> new EventStream(context, timers, status, source)));
  }

  private EventStream(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      ActorRef<StatusActor.Command> status,
      Moment.Source source) {
    super(context);
    this.timers = timers;
    this.status = status;
    this.source = source;
    snapshots = context.messageAdapter(Snapshot.class, Seen::new);
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case Listen listen -> listen(listen.queue());
      case Tick tick -> ask();
      case End end -> end(end.ended());
      case Seen seen -> show(seen.snapshot());
    }
    return this;
  }

  private void end(CompletableFuture<Done> done) {
    Stream.concat(listeners.stream(), fresh.stream()).forEach(EventStream::complete);
    listeners.clear();
    fresh.clear();
    timers.cancelAll();
    ended = true;
    done.complete(Done.getInstance());
  }

  private void listen(BoundedSourceQueue<ByteString> queue) {
    if (ended || listeners.size() + fresh.size() >= LISTENERS) {
      complete(queue);
      return;
    }
    fresh.add(queue);
    if (!timers.isTimerActive(Tick.INSTANCE)) {
      ask();
    }
  }

  private void ask() {
    status.tell(new StatusActor.GetSnapshot(snapshots));
    timers.startSingleTimer(Tick.INSTANCE, LATE);
  }

  private void show(Snapshot snapshot) {
    render(snapshot);
    if (!listeners.isEmpty()) {
      timers.startSingleTimer(Tick.INSTANCE, PERIOD);
      return;
    }
    timers.cancel(Tick.INSTANCE);
    lines.clear();
    rows.clear();
    last = Optional.empty();
  }

  private void render(Snapshot snapshot) {
    Moment moment = source.at(snapshot);
    Instant now = moment.now();
    boolean same = snapshot.version() == version && now.isBefore(computed.plus(CALM));
    if (calm && same && last.isPresent() && fresh.isEmpty()) {
      send(last.get().copy().and(NOW, now), now, List.of(), List.of());
      return;
    }
    version = snapshot.version();
    computed = now;
    List<JsonObject> changed = new ArrayList<>();
    Report report = report(moment, changed);
    List<String> gone = gone(report.pools());
    JsonObject next = StatusJson.of(moment, report);
    send(next, now, changed, gone);
    last = Optional.of(next);
    calm = report.causes().isEmpty() && lines.size() == report.pools().size();
  }

  /** Sends the changed members only. */
  private void send(JsonObject next, Instant now, List<JsonObject> changed, List<String> gone) {
    boolean same = last.filter(before -> before.copy().and(NOW, now).equals(next)).isPresent();
    quiet = same && changed.isEmpty() && gone.isEmpty() ? quiet + 1 : 0;
    if (quiet == 0 || quiet % QUIET_PERIODS == 0) {
      number++;
      offer(
          listeners,
          JsonObject.of("n", number)
              .andIf(quiet > 0, NOW, now)
              .andIf(!same, "status", next)
              .andIf(!changed.isEmpty(), "pools", changed)
              .andIf(!gone.isEmpty(), "gone", gone));
    }
    if (!fresh.isEmpty()) {
      offer(
          fresh,
          JsonObject.of("n", number)
              .and("whole", true)
              .and("status", next)
              .and("pools", List.copyOf(rows.values())));
      listeners.addAll(fresh);
      fresh.clear();
    }
  }

  /** Sends a line; drops listeners that have gone, or do not read. */
  private void offer(List<BoundedSourceQueue<ByteString>> to, JsonObject line) {
    if (to.isEmpty()) {
      return;
    }
    ByteString bytes =
        ByteString.fromArray(ApiJson.bytes(line)).concat(ByteString.fromString("\n"));
    to.removeIf(
        queue -> {
          boolean taken = queue.offer(bytes).isEnqueued();
          if (!taken) {
            complete(queue);
          }
          return !taken;
        });
  }

  /** Completes a queue, also one that its listener has ended. */
  private static void complete(BoundedSourceQueue<ByteString> queue) {
    try {
      queue.complete();
    } catch (IllegalStateException gone) {
      log.debug("reader=gone");
    }
  }

  /** Makes a report, with new lines for pools that changed or may have moved in line. */
  private Report report(Moment moment, List<JsonObject> changed) {
    Snapshot snapshot = moment.snapshot();
    List<PoolStatus> pools = snapshot.allPools();
    Surroundings around = moment.around();
    IdentityHashMap<PoolStatus, PoolLine> next = new IdentityHashMap<>(pools.size());
    List<PoolStatus> postponed = new ArrayList<>();
    for (int i = 0; i < pools.size(); i++) {
      PoolStatus pool = pools.get((start + i) % pools.size());
      @Nullable PoolLine line = lines.get(pool);
      if (line == null || line.cause().isPresent() || !around.lost().isEmpty()) {
        line = PoolLine.of(pool, around);
        if (changed.size() >= ROWS) {
          postponed.add(pool);
        } else {
          JsonObject row = PoolJson.row(line, snapshot, moment.now());
          if (!row.equals(rows.put(pool.id(), row))) {
            changed.add(row);
          }
        }
      }
      next.put(pool, line);
    }
    List<PoolLine> ordered =
        pools.stream().map(pool -> Objects.requireNonNull(next.get(pool))).toList();
    postponed.forEach(next::remove);
    lines = next;
    // The next line begins with them, as those before may change each time.
    start = postponed.isEmpty() ? 0 : pools.indexOf(postponed.getFirst());
    return Report.of(snapshot, moment.leaderPod(), ordered, moment.self(), moment.now());
  }

  /** Forgets the lines of pools that do not exist any more. */
  private List<String> gone(List<PoolLine> followed) {
    if (rows.size() == followed.size() && lines.size() == followed.size()) {
      return List.of();
    }
    Set<PoolId> gone = new HashSet<>(rows.keySet());
    followed.forEach(line -> gone.remove(line.status().id()));
    rows.keySet().removeAll(gone);
    return gone.stream().map(PoolId::inFull).sorted().toList();
  }
}
