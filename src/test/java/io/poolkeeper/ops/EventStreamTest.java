package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.arm.CallsLeft;
import io.poolkeeper.pool.PoolStatus;
import io.poolkeeper.pool.PoolStatus.State;
import io.poolkeeper.ratelimit.RateLimiterDriver;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.QueueOfferResult;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The whole state first, then what has changed; who does not read is dropped. */
class EventStreamTest {
  private static final Instant T0 = RateLimiterDriver.T0;

  private static final Moment.Source SOURCE =
      new Moment.Source(Scene.SELF, Optional::empty, LinkedHashMap::new, () -> T0);

  private final ActorTestKit kit = ActorTestKit.create();
  private final ObjectMapper json = new ObjectMapper();
  private final ActorRef<StatusActor.Command> status =
      kit.spawn(
          StatusActor.create(false, () -> T0, (effective, took) -> {}, () -> CallsLeft.UNKNOWN));
  private final ActorRef<EventStream.Command> events =
      kit.spawn(EventStream.create(status, SOURCE));

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private <M> Pair<BoundedSourceQueue<ByteString>, M> reader(Sink<ByteString, M> sink) {
    return Source.<ByteString>queue(EventStream.LINES).toMat(sink, Keep.both()).run(kit.system());
  }

  private SinkQueueWithCancel<ByteString> listen() {
    var reader = reader(Sink.<ByteString>queue());
    events.tell(new EventStream.Listen(reader.first()));
    return reader.second();
  }

  private JsonNode next(SinkQueueWithCancel<ByteString> lines) throws Exception {
    CompletableFuture<Optional<ByteString>> line = lines.pull().toCompletableFuture();
    return read(line.get(5, TimeUnit.SECONDS).orElseThrow());
  }

  private JsonNode read(ByteString line) throws IOException {
    return json.readTree(line.toArrayUnsafe());
  }

  @Test
  void reader_getsTheWholeStateFirst_thenChangedPools_thenThoseThatAreGone() throws Exception {
    var web = Statuses.of("lb-1", State.IDLE, Optional.empty());
    status.tell(new StatusActor.PoolChanged(web));
    status.tell(new StatusActor.PoolChanged(Statuses.of("lb-2", State.IDLE, Optional.empty())));

    SinkQueueWithCancel<ByteString> lines = listen();
    JsonNode whole = next(lines);
    status.tell(new StatusActor.PoolChanged(Statuses.of("lb-1", State.PARKED, Optional.of(T0))));
    JsonNode changed = next(lines);
    status.tell(new StatusActor.PoolForgotten(web.id()));
    JsonNode gone = next(lines);

    assertThat(whole.get("whole").asBoolean()).isTrue();
    assertThat(whole.get("pools")).hasSize(2);
    assertThat(whole.at("/status/cluster").asText()).isEqualTo("prod");
    assertThat(changed.has("whole")).isFalse();
    assertThat(changed.get("pools")).hasSize(1);

    assertThat(changed.at("/pools/0/id").asText()).isEqualTo("rg/lb-1/p");
    assertThat(changed.at("/pools/0/label").asText()).isEqualTo("Throttled");
    assertThat(changed.at("/status/pools/all").asInt()).isEqualTo(2);
    assertThat(gone.at("/gone/0").asText()).isEqualTo("rg/lb-1/p");
    assertThat(gone.get("n").asLong()).isGreaterThan(changed.get("n").asLong());
  }

  @Test
  void reader_whileNothingChanges_hearsThatAllIsWell() throws Exception {
    SinkQueueWithCancel<ByteString> lines = listen();
    next(lines);

    JsonNode quiet = next(lines);

    assertThat(quiet.has("status") || quiet.has("pools")).isFalse();
    assertThat(quiet.get("now").asText()).isEqualTo("2026-11-21T10:00:00Z");
  }

  @Test
  void reader_thatDoesNotRead_isDropped() throws Exception {
    Full full = new Full();
    events.tell(new EventStream.Listen(full));
    SinkQueueWithCancel<ByteString> other = listen();

    next(other);

    assertThat(full.isCompleted()).isTrue();
  }

  @Test
  void reader_thatGoesAsTheProcessEnds_keepsNoOtherStreamOpen() throws Exception {
    Full gone = new Full();
    events.tell(new EventStream.Listen(gone));
    SinkQueueWithCancel<ByteString> other = listen();
    next(other);
    CompletableFuture<Done> ended = new CompletableFuture<>();

    events.tell(new EventStream.Listen(gone));
    events.tell(new EventStream.End(ended));

    assertThat(ended).succeedsWithin(Duration.ofSeconds(5));
    assertThat(other.pull().toCompletableFuture().get(5, TimeUnit.SECONDS)).isEmpty();
  }

  /** The queue of a reader who reads nothing; as Pekko's, it is not completed twice. */
  private static final class Full implements BoundedSourceQueue<ByteString> {
    private volatile boolean completed;

    @Override
    public QueueOfferResult offer(ByteString line) {
      return QueueOfferResult.dropped();
    }

    @Override
    public void complete() {
      if (completed) {
        throw new IllegalStateException("completed already");
      }
      completed = true;
    }

    @Override
    public void fail(Throwable why) {
      completed = true;
    }

    @Override
    public int size() {
      return EventStream.LINES;
    }

    @Override
    public boolean isCompleted() {
      return completed;
    }
  }

  @Test
  void reader_beyondTheBound_isRefused() throws Exception {
    for (int i = 0; i < EventStream.LISTENERS; i++) {
      events.tell(new EventStream.Listen(reader(Sink.<ByteString>ignore()).first()));
    }

    CompletableFuture<Optional<ByteString>> line = listen().pull().toCompletableFuture();

    assertThat(line.get(5, TimeUnit.SECONDS)).isEmpty();
  }

  @Test
  void nextState_isAskedForOnlyAfterTheLastOneWasSent() throws Exception {
    TestProbe<StatusActor.Command> slow = kit.createTestProbe();
    var stream = kit.spawn(EventStream.create(slow.getRef(), SOURCE));
    var reader = reader(Sink.<ByteString>queue());
    stream.tell(new EventStream.Listen(reader.first()));
    var first = slow.expectMessageClass(StatusActor.GetSnapshot.class);

    slow.expectNoMessage(Duration.ofMillis(1_200));
    first.replyTo().tell(Scene.empty());

    assertThat(next(reader.second()).get("whole").asBoolean()).isTrue();
    slow.expectMessageClass(StatusActor.GetSnapshot.class);
  }

  @Test
  void manyPools_comeInSeveralLines() throws Exception {
    List<PoolStatus> pools = new ArrayList<>();
    for (int i = 0; i < EventStream.ROWS + 5; i++) {
      pools.add(Statuses.of("lb-%05d".formatted(i), State.IDLE, Optional.empty()));
    }
    pools.forEach(pool -> status.tell(new StatusActor.PoolChanged(pool)));

    SinkQueueWithCancel<ByteString> lines = listen();

    assertThat(next(lines).get("pools")).hasSize(EventStream.ROWS);
    assertThat(next(lines).get("pools")).hasSize(5);
  }

  /** As estimates of a long queue do, the first pools change each time. */
  @Test
  void poolsThatDidNotFit_areFirstInTheNextLine_andThoseThatAreGoneAreNamed() throws Exception {
    for (int i = 0; i < EventStream.ROWS + 5; i++) {
      status.tell(new StatusActor.PoolChanged(pool(i, 0)));
    }
    SinkQueueWithCancel<ByteString> lines = listen();
    next(lines);
    status.tell(new StatusActor.PoolForgotten(pool(0, 0).id()));
    status.tell(new StatusActor.PoolChanged(pool(99_999, 0)));
    List<String> shown = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    for (int round = 1; round <= 3; round++) {
      for (int i = 1; i < EventStream.ROWS + 4; i++) {
        status.tell(new StatusActor.PoolChanged(pool(i, round)));
      }

      JsonNode line = next(lines);

      line.path("pools").forEach(row -> shown.add(row.path("id").asText()));
      line.path("gone").forEach(id -> gone.add(id.asText()));
    }
    assertThat(shown).contains("rg/lb-02004/p", "rg/lb-99999/p");
    assertThat(gone).containsExactly("rg/lb-00000/p");
  }

  private static PoolStatus pool(int number, int round) {
    return Statuses.of(
        "lb-%05d".formatted(number), State.PARKED, Optional.of(T0.plusSeconds(round)));
  }
}
