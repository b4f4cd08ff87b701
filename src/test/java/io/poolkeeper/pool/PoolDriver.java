package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.POOL;
import static io.poolkeeper.pool.PoolFixtures.T0;
import static io.poolkeeper.pool.PoolFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.ratelimit.PermitAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Drives one pool's core, event by event, on a clock that only the test moves, and shows what comes
 * out. Times are seconds; effects are texts as {@link PoolText} says.
 */
public final class PoolDriver {
  private final PoolCore core;
  private Decision<PoolState, PoolEffect> last = Decision.of(PoolState.initial());
  private Instant now = T0;
  private RandomGenerator random = new PoolFixtures.Drawing(0.5);
  private long permit;
  private long version;
  private PoolEvent.ReadDone lastRead = PoolFixtures.read(pool(""));
  private ArmFailure lastFailure = PoolFixtures.RESET;

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
    copy.permit = permit;
    copy.version = version;
    copy.lastRead = lastRead;
    copy.lastFailure = lastFailure;
    return copy;
  }

  /** A pool that a listing has shown, and a Service that wants it as it is. */
  public static PoolDriver settled(String entries) {
    return settled(LIMITS, entries);
  }

  public static PoolDriver settled(PoolLimits limits, String entries) {
    return new PoolDriver(limits).shows(entries).web(entries);
  }

  /** Its only Service wants n5 where n4 is. */
  static PoolDriver changed() {
    return settled("n4").web("n5");
  }

  /** As {@link #changed}, and ARM has refused the GET a second ago. */
  static PoolDriver refused() {
    return changed().reading().failed(403).after(1);
  }

  PoolState state() {
    return last.state();
  }

  PoolStatus status() {
    return PoolStatus.of(POOL, state());
  }

  /** The same of a pool of that name. */
  public PoolStatus status(PoolId pool) {
    return PoolStatus.of(pool, state());
  }

  public Instant now() {
    return now;
  }

  /** The effects of the last event. */
  List<PoolEffect> effects() {
    return last.effects();
  }

  /** What the last GET showed. */
  PoolView lastRead() {
    return lastRead.view();
  }

  PoolDriver drawing(double number) {
    random = new PoolFixtures.Drawing(number);
    return this;
  }

  public PoolDriver after(double seconds) {
    return at(now.plus(duration(seconds)));
  }

  PoolDriver at(Instant time) {
    now = time;
    return this;
  }

  PoolDriver send(PoolEvent event) {
    if (event instanceof PoolEvent.ReadDone read) {
      lastRead = read;
    }
    if (event instanceof PoolEvent.AttemptFailed failed) {
      lastFailure = failed.failure();
    }
    if (event instanceof PoolEvent.PermitAnswered answered
        && answered.answer() instanceof PermitAnswer.Granted granted) {
      permit = granted.permit();
    }
    last = core.decide(state(), event, now, random);
    boolean told = false;
    for (PoolEffect effect : effects()) {
      if (told && effect instanceof PoolEffect.ReturnPermit) {
        throw new AssertionError("others get the turn before people are told");
      }
      told |= effect instanceof PoolEffect.Emit;
    }
    return this;
  }

  /** What the core would decide about an event now, by all rules. */
  Decision<PoolState, PoolEffect> inFull(PoolState before, PoolEvent event) {
    return core.inFull(before, event, now, random);
  }

  public PoolDriver web(String members) {
    return send(PoolFixtures.desire(PoolFixtures.WEB_1, members));
  }

  /** Its Service wants these, and entries of others stay. */
  public PoolDriver keeps(String members, String others) {
    Level.Exactly of = (Level.Exactly) PoolFixtures.exactly(members);
    Set<Address> kept = PoolFixtures.exactly(others).addresses();
    return send(
        PoolFixtures.desire(
            PoolFixtures.WEB_1,
            new Level.Exactly(of.members(), kept, of.keepUnknown(), of.ignored())));
  }

  PoolDriver api(String members) {
    return send(PoolFixtures.desire(PoolFixtures.API_2, members));
  }

  PoolDriver release(ServiceKey service) {
    return send(new PoolEvent.Release(service));
  }

  /** A listing that began now shows the pool. */
  public PoolDriver shows(String entries) {
    return shows(pool(entries), now);
  }

  PoolDriver shows(PoolView view, Instant startedAt) {
    return send(new PoolEvent.Observed(view, startedAt));
  }

  /** These nodes are out of service from now on, and no others. */
  public PoolDriver leave(String nodes) {
    return send(new PoolEvent.NodesOutOfService(PoolFixtures.leaving(++version, nodes), now));
  }

  /** The timer fires now, be it due or not. */
  public PoolDriver tick() {
    return send(new PoolEvent.TimerDue());
  }

  /** The clock moves to when the core wants to be woken, and it is. */
  public PoolDriver timer() {
    return at(state().wakeAt().orElseThrow()).tick();
  }

  public PoolDriver granted() {
    return send(PoolFixtures.granted(permit + 1));
  }

  public PoolDriver read(String entries) {
    return read(pool(entries));
  }

  PoolDriver read(PoolView view) {
    return send(PoolFixtures.read(view));
  }

  /** The PUT ends, and if a GET follows, it shows what the PUT has written. */
  public PoolDriver written() {
    List<PoolEffect> first = wrote().effects();
    if (state().phase() instanceof Phase.Confirming) {
      send(PoolFixtures.read(state().observed().orElseThrow()));
      last = new Decision<>(state(), Stream.concat(first.stream(), effects().stream()).toList());
    }
    return this;
  }

  /** The PUT ends. */
  PoolDriver wrote() {
    return send(new PoolEvent.WriteDone());
  }

  public PoolDriver failed(ArmFailure failure) {
    return send(new PoolEvent.AttemptFailed(failure));
  }

  PoolDriver failed(int status) {
    return failed(PoolFixtures.failure(status, "Code" + status));
  }

  /** A 429 that asks to wait so long. */
  PoolDriver throttled(double seconds) {
    return failed(PoolFixtures.throttled(now.plus(duration(seconds))));
  }

  /** The timer fires and the permit is granted at once. */
  public PoolDriver reading() {
    return timer().granted();
  }

  /** As {@link #reading}, and the GET shows these entries. */
  public PoolDriver writing(String entries) {
    return reading().read(entries);
  }

  /** All that the last event has made it do, in any order. */
  PoolDriver out(String expected) {
    assertThat(texts())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(expected.split("; ", -1)).filter(Predicate.not(String::isEmpty)).toList());
    return this;
  }

  /** Some of it. */
  PoolDriver has(String... expected) {
    assertThat(texts()).contains(expected);
    return this;
  }

  /** Nothing of it begins so. */
  PoolDriver lacks(String... beginnings) {
    for (String beginning : beginnings) {
      assertThat(texts()).noneMatch(text -> text.startsWith(beginning));
    }
    return this;
  }

  List<String> texts() {
    return effects().stream().map(new PoolText(permit, lastRead, lastFailure)::of).toList();
  }

  /** It wants to be woken in so many seconds. */
  PoolDriver wakes(double seconds) {
    assertThat(state().wakeAt()).contains(now.plus(duration(seconds)));
    return this;
  }

  /** It does not want to be woken. */
  PoolDriver rests() {
    assertThat(state().wakeAt()).isEmpty();
    return this;
  }

  /** What its status calls it, and what its queued changes have consumed, the first one first. */
  PoolDriver is(String state, Integer... retries) {
    assertThat(status().state()).hasToString(state);
    assertThat(status().activity().retries()).containsExactly(retries);
    return this;
  }

  static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
