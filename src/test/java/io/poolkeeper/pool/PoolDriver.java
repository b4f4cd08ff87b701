package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.RULES;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.desire;
import static io.poolkeeper.pool.PoolFixtures.pool;

import io.poolkeeper.arm.PoolDocument;
import io.poolkeeper.core.Decision;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/** Drives one pool's core, event by event, on a clock that only the test moves. */
final class PoolDriver {
  private final PoolCore core;
  private Decision<PoolState, PoolEffect> last = Decision.of(PoolState.initial());
  private Instant now = T0;
  private RandomGenerator random = new PoolFixtures.Drawing(0.5);
  private long turn;
  private PoolEvent.ReadDone lastRead = PoolFixtures.read(pool());

  PoolDriver(PoolLimits limits) {
    this(new PoolCore(limits));
  }

  private PoolDriver(PoolCore core) {
    this.core = core;
  }

  /** Another one with the same past. */
  PoolDriver copy() {
    PoolDriver copy = new PoolDriver(core).at(now);
    copy.last = last;
    copy.random = random;
    copy.turn = turn;
    copy.lastRead = lastRead;
    return copy;
  }

  /** A pool that a listing has shown, and a Service that wants it as it is. */
  static PoolDriver settled(Assignment assignment, String... members) {
    return settled(LIMITS, assignment, members);
  }

  static PoolDriver settled(PoolLimits limits, Assignment assignment, String... members) {
    PoolDriver driver = new PoolDriver(limits);
    driver.send(new PoolEvent.Observed(pool(members), T0));
    driver.send(desire(assignment, members));
    return driver;
  }

  PoolState state() {
    return last.state();
  }

  Phase phase() {
    return state().phase();
  }

  Instant now() {
    return now;
  }

  /** What the queued changes have consumed. */
  List<Integer> retries() {
    return state().queue().operations().stream().map(UpdateQueue.Operation::retryCount).toList();
  }

  /** The effects of the last event. */
  List<PoolEffect> effects() {
    return last.effects();
  }

  /** The number of the last turn. */
  long turn() {
    return turn;
  }

  PoolDriver drawing(double number) {
    random = new PoolFixtures.Drawing(number);
    return this;
  }

  PoolDriver after(Duration duration) {
    return at(now.plus(duration));
  }

  PoolDriver at(Instant time) {
    now = time;
    return this;
  }

  List<PoolEffect> send(PoolEvent event) {
    if (event instanceof PoolEvent.ReadDone read) {
      lastRead = read;
    }
    last = core.decide(state(), event, now, random);
    return effects();
  }

  /** Moves the clock to the due instant of what is being gathered and fires the timer. */
  List<PoolEffect> fire() {
    now = state().wakeAt().orElseThrow();
    return send(new PoolEvent.TimerDue());
  }

  /** The timer fires and the turn is granted at once: the attempt reads. */
  PoolDriver toReading() {
    fire();
    send(PoolFixtures.granted(++turn));
    return this;
  }

  /** As {@link #toReading}, and the GET shows these entries. */
  PoolDriver toWriting(String... entries) {
    toReading();
    send(PoolFixtures.read(pool(entries)));
    return this;
  }

  List<PoolEffect> read(String... entries) {
    return send(PoolFixtures.read(pool(entries)));
  }

  /** The PUT of what was read last, with an edit as {@link PoolFixtures#edit} writes it. */
  PoolEffect write(String... changes) {
    return new PoolEffect.Write(lastRead.document(), PoolFixtures.edit(changes), Instant.MAX);
  }

  PoolDocument readLast() {
    return lastRead.document();
  }

  /** What the last GET showed. */
  PoolView lastRead() {
    return lastRead.view();
  }

  List<PoolEffect> written() {
    return send(new PoolEvent.WriteDone());
  }

  List<PoolEffect> failed(ArmFailure failure) {
    return send(new PoolEvent.AttemptFailed(failure));
  }

  List<PoolEffect> observed(Instant startedAt, String... entries) {
    return send(
        new PoolEvent.Observed(
            new PoolView(POOL, "etag", false, pool(entries).entries(), RULES, true), startedAt));
  }
}
