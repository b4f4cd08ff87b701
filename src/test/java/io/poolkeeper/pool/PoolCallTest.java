package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.AS;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.WEB_1;
import static io.poolkeeper.pool.PoolFixtures.WINDOW;
import static io.poolkeeper.pool.PoolFixtures.exactly;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.actor.CoreActor;
import io.poolkeeper.arm.ArmException;
import io.poolkeeper.arm.BackendPools;
import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PermitResult;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.ratelimit.PermitAnswer;
import io.poolkeeper.ratelimit.RateLimiterActor;
import io.poolkeeper.ratelimit.RateLimiterEvent;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.PostStop;
import org.junit.jupiter.api.Test;

/** The two calls of an attempt: until when they may last, who ends them, what is kept of them. */
class PoolCallTest {
  private static final Instant DEADLINE = T0.plus(Duration.ofMinutes(5));

  private final TestInbox<CoreActor.Command<RateLimiterEvent>> rateLimiter = TestInbox.create();
  private final Calls arm = new Calls();
  private Instant now = T0;
  private final BehaviorTestKit<CoreActor.Command<PoolEvent>> pool =
      BehaviorTestKit.create(PoolFixtures.actor(arm, rateLimiter.getRef(), () -> now));

  /** Calls that end when the test says so. */
  private static final class Calls implements BackendPools {
    private final List<Instant> deadlines = new ArrayList<>();
    private CompletableFuture<PoolDocument> get = new CompletableFuture<>();
    private CompletableFuture<Void> put = new CompletableFuture<>();

    private record Document(PoolView view) implements PoolDocument {}

    @Override
    public CompletionStage<PoolDocument> get(PoolId pool, Instant deadline) {
      deadlines.add(deadline);
      get = new CompletableFuture<>();
      return get;
    }

    @Override
    public CompletionStage<PoolView> look(PoolId pool, Instant deadline) {
      throw new AssertionError("a verification of a pool's own");
    }

    @Override
    public CompletionStage<Void> put(PoolDocument document, PoolEdit edit, Instant deadline) {
      deadlines.add(deadline);
      put = new CompletableFuture<>();
      return put;
    }

    /** Ends the GET and forgets its answer, but for a reference that keeps nothing. */
    private WeakReference<PoolDocument> shows(PoolView view) {
      PoolDocument document = new Document(view);
      get.complete(document);
      get = new CompletableFuture<>();
      return new WeakReference<>(document);
    }
  }

  /** A change whose attempt has begun. */
  private void reading() {
    pool.run(new CoreActor.Event<>(PoolFixtures.desire(WEB_1, exactly("n5"))));
    now = now.plus(WINDOW);
    pool.run(new CoreActor.Event<>(new PoolEvent.TimerDue()));
    pool.run(
        new CoreActor.Event<>(
            new PoolEvent.PermitAnswered(new PermitAnswer.Granted(7, DEADLINE, false))));
  }

  /** The same, and its PUT is out. */
  private WeakReference<PoolDocument> writing() {
    reading();
    WeakReference<PoolDocument> read = arm.shows(pool("n4"));
    pool.runOne();
    return read;
  }

  private CoreActor.Command<RateLimiterEvent> lastCommand() {
    return rateLimiter.getAllReceived().getLast();
  }

  private CoreActor.Command<RateLimiterEvent> returned(PermitResult result) {
    return new CoreActor.Event<>(new RateLimiterEvent.Returned(AS, 7, result));
  }

  @Test
  void attempt_nothingToWrite_keepsNoDocument() {
    reading();

    WeakReference<PoolDocument> read = arm.shows(pool("n5"));
    pool.runOne();

    assertThat(lastCommand()).isEqualTo(returned(PermitResult.UNCHANGED));
    System.gc();
    assertThat(read.get()).isNull();
  }

  @Test
  void attempt_written_keepsNoDocument() {
    WeakReference<PoolDocument> read = writing();

    arm.put.complete(null);
    pool.runOne();

    assertThat(lastCommand()).isEqualTo(returned(PermitResult.SUCCEEDED));
    System.gc();
    assertThat(read.get()).isNull();
  }

  @Test
  void calls_ofAPermit_endWithIt() {
    writing();

    assertThat(arm.deadlines).containsExactly(DEADLINE, DEADLINE);
  }

  @Test
  void permitIsOver_putIsOut_waitsForWhatBecomesOfIt() {
    writing();
    now = DEADLINE.plusSeconds(1);
    pool.run(new CoreActor.Event<>(new PoolEvent.TimerDue()));
    assertThat(arm.put).isNotCancelled();
    assertThat(lastCommand())
        .isInstanceOfSatisfying(
            CoreActor.Event.class,
            last -> assertThat(last.event()).isInstanceOf(RateLimiterEvent.Requested.class));

    arm.put.completeExceptionally(
        new ArmException(new ArmFailure(ArmFailure.Kind.UNRESOLVED, 0, "", "not ended")));
    pool.runOne();

    assertThat(lastCommand()).isEqualTo(returned(PermitResult.UNRESOLVED));
  }

  @Test
  void actorEnds_putIsOut_cancelsIt() {
    writing();

    pool.signal(PostStop.instance());

    assertThat(arm.put).isCancelled();
  }

  @Test
  void actorEnds_getIsOut_cancelsIt() {
    reading();

    pool.signal(PostStop.instance());

    assertThat(arm.get).isCancelled();
  }

  /** The one timer is set to what the state says, whatever the clock says. */
  @Test
  void timer_aheadOfTheClock_isSetAgain() {
    pool.run(new CoreActor.Event<>(PoolFixtures.desire(WEB_1, exactly("n5"))));
    Effect.TimerScheduled<?> timer = timer();
    assertThat(timer.duration()).isEqualTo(WINDOW);
    now = now.plus(WINDOW.dividedBy(2));

    timer.send().apply();
    pool.runOne();

    assertThat(rateLimiter.getAllReceived())
        .singleElement()
        .isInstanceOf(RateLimiterActor.Register.class);
    assertThat(timer().duration()).isEqualTo(WINDOW.dividedBy(2));
  }

  private Effect.TimerScheduled<?> timer() {
    return pool.getAllEffects().stream()
        .filter(Effect.TimerScheduled.class::isInstance)
        .map(Effect.TimerScheduled.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
