package io.poolkeeper.ops;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.lock.LeaderView;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.ops.StatusActor.Snapshot;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.status.Installation;
import io.poolkeeper.status.PoolLine;
import io.poolkeeper.status.Report;
import io.poolkeeper.status.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
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
 * Sends everybody who listens the whole state first, then what has changed, numbered, at most twice
 * a second; a sign of life each second. It is rendered once for all. Who does not read in time is
 * dropped. While nobody listens nothing runs.
 */
final class EventStream extends AbstractMatchingBehavior<EventStream.Command> {
  private static final Logger log = LoggerFactory.getLogger(EventStream.class);

  /** So many may listen. */
  static final int LISTENERS = 50;

  /** So many lines may wait for a reader. */
  static final int LINES = 16;

  private static final Duration PERIOD = Duration.ofMillis(500);

  /** While nothing has changed, only what follows from the time is computed, so often. */
  private static final Duration CALM = Duration.ofSeconds(2);

  /** Each of so many periods a line is sent. */
  private static final int QUIET_PERIODS = 2;

  sealed interface Command {}

  /** Somebody listens from now on, unless too many do: then the queue is completed at once. */
  record Listen(BoundedSourceQueue<ByteString> queue) implements Command {}

  /** The process ends: so do all answers. */
  record End(CompletableFuture<Done> ended) implements Command {}

  private record Seen(Snapshot snapshot) implements Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  /** One line; what has not changed is left out. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Line(
      long n,
      @Nullable Boolean whole,
      @Nullable String now,
      @Nullable StatusJson status,
      @Nullable List<RowJson> pools,
      @Nullable List<String> gone) {}

  private final TimerScheduler<Command> timers;
  private final ActorRef<StatusActor.Command> status;
  private final ActorRef<Snapshot> seen;
  private final Installation self;
  private final Supplier<Optional<LeaderView>> leader;
  private final Supplier<List<String>> watchProblems;
  private final InstantSource clock;
  private final ObjectMapper json = new ObjectMapper();
  private final List<BoundedSourceQueue<ByteString>> listeners = new ArrayList<>();
  private final List<BoundedSourceQueue<ByteString>> fresh = new ArrayList<>();

  /** Of the statuses that were seen last; one that is another one is a new object. */
  private IdentityHashMap<PoolStatus, PoolLine> lines = new IdentityHashMap<>();

  private final Map<PoolId, RowJson> rows = new HashMap<>();
  private Optional<StatusJson> last = Optional.empty();
  private long number;
  private int quiet;

  /** Of the snapshot that was seen last. */
  private long version;

  private Instant computed = Instant.EPOCH;

  private boolean ended;

  static Behavior<Command> create(
      ActorRef<StatusActor.Command> status,
      Installation self,
      Supplier<Optional<LeaderView>> leader,
      Supplier<List<String>> watchProblems,
      InstantSource clock) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new EventStream(context, timers, status, self, leader, watchProblems, clock)));
  }

  private EventStream(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      ActorRef<StatusActor.Command> status,
      Installation self,
      Supplier<Optional<LeaderView>> leader,
      Supplier<List<String>> watchProblems,
      InstantSource clock) {
    super(context);
    this.timers = timers;
    this.status = status;
    this.self = self;
    this.leader = leader;
    this.watchProblems = watchProblems;
    this.clock = clock;
    seen = context.messageAdapter(Snapshot.class, Seen::new);
  }

  @Override
  public Behavior<Command> onMessage(Command command) {
    switch (command) {
      case Listen listen -> listen(listen.queue());
      case Tick tick -> status.tell(new StatusActor.GetSnapshot(seen));
      case End end -> end(end.ended());
      case Seen of -> show(of.snapshot());
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
      status.tell(new StatusActor.GetSnapshot(seen));
      timers.startTimerWithFixedDelay(Tick.INSTANCE, Tick.INSTANCE, PERIOD);
    }
  }

  private void show(Snapshot snapshot) {
    Instant now = clock.instant();
    boolean calm =
        last.filter(of -> of.causes().isEmpty()).isPresent()
            && snapshot.version() == version
            && now.isBefore(computed.plus(CALM));
    if (calm && fresh.isEmpty()) {
      send(last.get().at(Times.iso(now)), List.of(), List.of());
      return;
    }
    version = snapshot.version();
    computed = now;
    List<RowJson> changed = new ArrayList<>();
    Report report = report(snapshot, changed, now);
    List<String> gone = gone(report.pools());
    StatusJson next = StatusJson.of(snapshot, report, self, leader.get(), watchProblems.get(), now);
    send(next, changed, gone);
    last = Optional.of(next);
    if (listeners.isEmpty()) {
      timers.cancel(Tick.INSTANCE);
      lines.clear();
      rows.clear();
      last = Optional.empty();
    }
  }

  private void send(StatusJson next, List<RowJson> changed, List<String> gone) {
    boolean same = last.filter(next::sameAs).isPresent();
    quiet = same && changed.isEmpty() && gone.isEmpty() ? quiet + 1 : 0;
    if (quiet == 0 || quiet % QUIET_PERIODS == 0) {
      number++;
      offer(
          listeners,
          new Line(
              number,
              null,
              quiet == 0 ? null : next.now(),
              same ? null : next,
              changed.isEmpty() ? null : changed,
              gone.isEmpty() ? null : gone));
    }
    if (!fresh.isEmpty()) {
      List<RowJson> all = List.copyOf(rows.values());
      offer(fresh, new Line(number, true, null, next, all, null));
      listeners.addAll(fresh);
      fresh.clear();
    }
  }

  /** Drops those who have gone, or do not read. */
  private void offer(List<BoundedSourceQueue<ByteString>> to, Line line) {
    if (to.isEmpty()) {
      return;
    }
    ByteString bytes = bytes(line);
    to.removeIf(
        queue -> {
          boolean taken = queue.offer(bytes).isEnqueued();
          if (!taken) {
            complete(queue);
          }
          return !taken;
        });
  }

  /** A reader may go at any time, and what it has ended is not ended again. */
  private static void complete(BoundedSourceQueue<ByteString> queue) {
    try {
      queue.complete();
    } catch (IllegalStateException gone) {
      log.debug("reader=gone");
    }
  }

  private ByteString bytes(Line line) {
    try {
      return ByteString.fromArray(json.writeValueAsBytes(line)).concat(ByteString.fromString("\n"));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a record that is no JSON", impossible);
    }
  }

  /** Makes the lines of those pools anew that have changed, or may have another place in line. */
  private Report report(Snapshot snapshot, List<RowJson> changed, Instant now) {
    Report.Input input = StatusJson.input(snapshot, leader.get());
    Surroundings around = input.surroundings(now);
    IdentityHashMap<PoolStatus, PoolLine> next = new IdentityHashMap<>(input.pools().size());
    List<PoolLine> all = new ArrayList<>(input.pools().size());
    for (PoolStatus pool : input.pools()) {
      @Nullable PoolLine was = lines.get(pool);
      if (was == null || was.cause().isPresent() || !around.lost().isEmpty()) {
        was = Report.line(pool, around);
        RowJson row = RowJson.of(was, snapshot.recent().log(pool.id()).last().orElse(null));
        if (!row.equals(rows.put(pool.id(), row))) {
          changed.add(row);
        }
      }
      next.put(pool, was);
      all.add(was);
    }
    lines = next;
    return Report.of(input, all, self);
  }

  /** Forgets the rows of pools that there are no more. */
  private List<String> gone(List<PoolLine> all) {
    if (rows.size() == all.size()) {
      return List.of();
    }
    Set<PoolId> left = new HashSet<>(rows.keySet());
    all.forEach(line -> left.remove(line.status().id()));
    rows.keySet().removeAll(left);
    return left.stream().map(RowJson::id).sorted().toList();
  }
}
