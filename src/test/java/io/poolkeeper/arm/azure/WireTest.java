package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.config.Settings;
import io.poolkeeper.model.LoadBalancerView;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The adapter over a wire whose time passes only when it is told to. */
class WireTest {
  private static final Settings.Azure AZURE =
      new Settings.Azure(
          "sub-1",
          "rg-1",
          "rg-1",
          Optional.empty(),
          List.of("lb-1"),
          Settings.Cloud.PUBLIC,
          Optional.of(URI.create("http://127.0.0.1:1")),
          Optional.empty(),
          Optional.empty(),
          new Settings.Credential.None(),
          "2025-05-01");
  private static final Wire.Answer POOL =
      new Wire.Answer(
          200, Map.of("Content-Type", "application/json", "ETag", "e1"), ScriptedArm.POOL_BODY);

  private final Virtual wire = new Virtual();
  private final AzureArm arm =
      AzureArm.over(
          wire,
          AZURE,
          ScriptedArm.turnstile(Duration.ofSeconds(60)),
          ArmObserver.NONE,
          new Clocks(wire::nanos, wire::now, wire::now, () -> new SplittableRandom(1)));

  /** Who waits for an answer, and what is due when. */
  private static final class Virtual implements Wire {
    private final List<Reply> replies = new ArrayList<>();
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private long nanos;
    private long entered;

    private record Due(long at, long order, Runnable what) implements Comparable<Due> {
      @Override
      public int compareTo(Due other) {
        return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
      }
    }

    long nanos() {
      return nanos;
    }

    Instant now() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public void send(Request request, Reply reply) {
      replies.add(reply);
    }

    @Override
    public Runnable later(Duration delay, Runnable what) {
      Due one = new Due(nanos + delay.toNanos(), entered++, what);
      due.add(one);
      return () -> due.remove(one);
    }

    void pass(Duration time) {
      long end = nanos + time.toNanos();
      while (!due.isEmpty() && due.peek().at() <= end) {
        Due next = due.remove();
        nanos = next.at();
        next.what().run();
      }
      nanos = end;
    }
  }

  @Test
  void anAnswerThatArrivesIsRead() {
    CompletableFuture<PoolDocument> read =
        arm.get(ScriptedArm.POOL, Instant.MAX).toCompletableFuture();
    wire.pass(Duration.ofMillis(10));

    wire.replies.getFirst().answered(POOL);
    wire.pass(Duration.ofMillis(10));

    assertThat(read).isCompletedWithValueMatching(found -> found.view().addresses().size() == 1);
    assertThat(wire.replies.getFirst().awaited()).isFalse();
  }

  @Test
  void aListingIsReadOnTheThreadOfTheWire() {
    CompletableFuture<List<LoadBalancerView>> read = arm.list().toCompletableFuture();
    wire.pass(Duration.ofMillis(10));

    String next = ",\"nextLink\":\"http://127.0.0.1:1/next\"";
    for (String more : List.of(next, "")) {
      wire.replies.getLast().answered(new Wire.Answer(200, Map.of(), "{\"value\":[]" + more + "}"));
      wire.pass(Duration.ofMillis(10));
    }

    assertThat(read).isCompletedWithValue(List.of());
  }

  @Test
  void anAnswerIsAwaitedUntilTheCallIsGivenUp() {
    CompletableFuture<PoolDocument> read =
        arm.get(ScriptedArm.POOL, Instant.MAX).toCompletableFuture();
    wire.pass(Limits.DEFAULT.call().minusMillis(1));
    Wire.Reply last = wire.replies.getLast();
    assertThat(last.awaited()).isTrue();

    wire.pass(Duration.ofMillis(2));

    assertThat(last.awaited()).isFalse();
    assertThat(read).isCompletedExceptionally();
  }

  @Test
  void aCallThatIsCancelledIsGivenUp() {
    CompletableFuture<PoolDocument> read =
        arm.get(ScriptedArm.POOL, Instant.MAX).toCompletableFuture();
    wire.pass(Duration.ofMillis(10));

    read.cancel(true);

    assertThat(wire.replies.getLast().awaited()).isFalse();
  }
}
