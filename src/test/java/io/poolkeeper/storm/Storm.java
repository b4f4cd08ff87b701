package io.poolkeeper.storm;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.TurnResult;
import io.poolkeeper.pool.Assignment;
import io.poolkeeper.pool.Level;
import io.poolkeeper.pool.PoolEvent;
import io.poolkeeper.pool.PoolReport;
import io.poolkeeper.pool.PoolUnderTest;
import io.poolkeeper.simulation.Timeline;
import io.poolkeeper.storm.Weather.Call;
import io.poolkeeper.turnstile.Lane;
import io.poolkeeper.turnstile.TurnstileUnderTest;
import io.poolkeeper.turnstile.TurnstileUnderTest.Granted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Many pools, all unlike their wish at the beginning, and one turnstile between them and ARM: the
 * real cores of pools and turnstile, wired as their actors wire them, in virtual time and of one
 * seed. An onlooker throws if a turn is granted to anybody while a drain could have had one.
 */
final class Storm {
  private static final Duration DRAIN_HOLDS = Duration.ofSeconds(5);
  private static final NodeKey NODE = new NodeKey("node-1");

  /** A pool, and the timer that it has set last. */
  private final class Member implements PoolUnderTest.World {
    private final int number;
    private final PoolId id;
    private final PoolUnderTest core;
    private Optional<Instant> timer = Optional.empty();
    private boolean dirty;

    Member(int number, PoolId id) {
      this.number = number;
      this.id = id;
      this.core = new PoolUnderTest(plan.limits(), random, this);
    }

    void send(PoolEvent event) {
      core.send(event, time.now());
      Optional<Instant> wakeAt = core.wakeAt();
      if (!wakeAt.equals(timer) || event instanceof PoolEvent.TimerDue) {
        timer = wakeAt;
        wakeAt.ifPresent(at -> time.at(at, () -> fire(at)));
      }
    }

    private void fire(Instant at) {
      if (timer.equals(Optional.of(at))) {
        timer = Optional.empty();
        send(new PoolEvent.TimerDue());
      }
    }

    @Override
    public void requestTurn(Lane lane) {
      post(() -> turnstile.request(id, number, lane, time.now()));
    }

    @Override
    public void cancelTurn() {
      post(() -> turnstile.cancel(id, number, time.now()));
    }

    @Override
    public void returnTurn(long turn, TurnResult result) {
      post(() -> giveBack(id, number, turn, result));
    }

    @Override
    public void read() {
      arm.read(
          id,
          (view, failure) ->
              send(
                  view.<PoolEvent>map(now -> new PoolEvent.ReadDone(() -> now))
                      .orElseGet(() -> failed(failure))));
    }

    @Override
    public void write(PoolEdit edit) {
      arm.write(
          id,
          edit,
          failure -> send(failure.isEmpty() ? new PoolEvent.WriteDone() : failed(failure)));
    }

    @Override
    public void report(PoolReport report) {
      switch (report) {
        case FAILING -> dirty = true;
        case RECOVERED -> {
          dirty = false;
          tellOfRecovery();
        }
        case LISTING_WANTED -> {}
      }
    }

    private static PoolEvent failed(Optional<ArmFailure> failure) {
      return new PoolEvent.AttemptFailed(failure.orElseThrow());
    }
  }

  private final StormPlan plan;
  private final Timeline time = new Timeline();
  private final RandomGenerator random;
  private final StormArm arm;
  private final TurnstileUnderTest turnstile;
  private final StormBooks books;
  private final List<Member> members = new ArrayList<>();
  private final Set<LoadBalancerId> held = new HashSet<>();
  private final Map<Long, PoolId> drains = new LinkedHashMap<>();
  private Optional<Instant> turnstileTimer = Optional.empty();

  Storm(StormPlan plan, long seed) {
    this.plan = plan;
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    this.books = new StormBooks(plan.pools());
    this.arm =
        new StormArm(
            time,
            plan,
            random,
            new StormCalls(time, plan, random, new Onlooker()),
            this::onWritten);
    this.turnstile = new TurnstileUnderTest(plan.turnstile(), time.now(), this::onGrant);
    for (int number = 0; number < plan.pools(); number++) {
      PoolId id = balancer(number % plan.balancers()).pool("pool-" + number);
      Member member = new Member(number, id);
      members.add(member);
      time.at(time.now(), () -> begin(member));
    }
  }

  /** A drain asks for a turn of a load balancer then, writes once and holds the turn for 5 s. */
  void drainAt(Duration at, long number) {
    PoolId id = balancer((int) (number % plan.balancers())).pool("drain-" + number);
    long visitor = plan.pools() + number;
    time.at(
        Timeline.START.plus(at),
        () -> {
          drains.put(visitor, id);
          turnstile.request(id, visitor, Lane.DRAIN, time.now());
          setTurnstileTimer();
        });
  }

  StormBooks run(Duration length) {
    Instant end = Timeline.START.plus(length);
    while (time.next().filter(next -> !next.isAfter(end)).isPresent()) {
      time.step();
    }
    time.pass(end);
    return books;
  }

  /** Writes that were sent while another one ran on the load balancer. */
  int overlaps() {
    return arm.overlaps();
  }

  /** Turns that were not given back in time. */
  long lostTurns() {
    return turnstile.lost();
  }

  /** Pools that still have something to do. */
  long restless() {
    return members.stream().filter(member -> !member.core.idle()).count();
  }

  private static LoadBalancerId balancer(int number) {
    return new LoadBalancerId("sub", "rg", "lb-" + number);
  }

  private void begin(Member member) {
    ServiceKey service = new ServiceKey("default", "service-" + member.number);
    PoolView empty = new PoolView(member.id, "etag", false, List.of(), Set.of("a-TCP-80"));
    arm.create(empty);
    TreeMap<Address, NodeKey> wanted = new TreeMap<>(Map.of(Address.of("10.0.0.4"), NODE));
    member.send(new PoolEvent.Observed(empty, time.now()));
    member.send(
        new PoolEvent.Desire(
            new Assignment(service, "uid", 1, "a"), new Level.Exactly(wanted, Optional.empty())));
  }

  /** What an actor tells another arrives after what it is doing. */
  private void post(Runnable message) {
    time.at(
        time.now(),
        () -> {
          message.run();
          setTurnstileTimer();
        });
  }

  private void setTurnstileTimer() {
    Optional<Instant> wakeAt = turnstile.wakeAt();
    if (!wakeAt.equals(turnstileTimer)) {
      turnstileTimer = wakeAt;
      wakeAt.ifPresent(at -> time.at(at, () -> fireTurnstile(at)));
    }
  }

  private void fireTurnstile(Instant at) {
    if (turnstileTimer.equals(Optional.of(at))) {
      turnstileTimer = Optional.empty();
      turnstile.timerDue(time.now());
      setTurnstileTimer();
    }
  }

  private void giveBack(PoolId id, long visitor, long turn, TurnResult result) {
    held.remove(id.loadBalancer());
    turnstile.giveBack(id, visitor, turn, result, time.now());
  }

  private void onGrant(Granted grant) {
    checkDrainsFirst(grant);
    held.add(grant.pool().loadBalancer());
    if (grant.lane() == Lane.DRAIN) {
      onDrainGranted(grant);
      return;
    }
    int number = (int) grant.requester();
    books.attempted(number, time.elapsed());
    PoolEvent event =
        new PoolEvent.TurnGranted(grant.turn(), grant.deadline(), grant.evenIfUpdating());
    time.at(time.now(), () -> members.get(number).send(event));
  }

  /** Whoever else may go shows that gates are open and tokens are there. */
  private void checkDrainsFirst(Granted grant) {
    if (grant.lane() == Lane.DRAIN) {
      return;
    }
    drains.forEach(
        (visitor, id) -> {
          LoadBalancerId balancer = id.loadBalancer();
          boolean resting = turnstile.restsUntil(balancer).isAfter(time.now());
          if (!resting && !held.contains(balancer)) {
            throw new AssertionError(grant + " although " + id + " could go at " + time.elapsed());
          }
        });
  }

  private void onDrainGranted(Granted grant) {
    drains.remove(grant.requester());
    books.drained(time.elapsed(), grant.waited());
    post(() -> turnstile.sent(false, time.now()));
    post(() -> turnstile.sent(true, time.now()));
    time.after(
        DRAIN_HOLDS,
        () ->
            post(
                () ->
                    giveBack(grant.pool(), grant.requester(), grant.turn(), TurnResult.SUCCEEDED)));
  }

  private void onWritten(PoolId id) {
    int number = Integer.parseInt(id.name().substring("pool-".length()));
    books.written(number, time.elapsed());
  }

  /** As the map of Services does. */
  private void tellOfRecovery() {
    members.stream()
        .filter(member -> member.dirty)
        .forEach(member -> time.at(time.now(), () -> member.send(new PoolEvent.OtherRecovered())));
  }

  /** Keeps the books, and tells the turnstile of every call, as the way to ARM does. */
  private final class Onlooker implements StormCalls.Listener {
    @Override
    public void sent(Call call) {
      books.sent(call, time.elapsed());
    }

    @Override
    public void answered(Call call) {
      post(() -> turnstile.sent(call.write(), time.now()));
    }

    @Override
    public void throttled(Optional<LoadBalancerId> balancer, boolean write, Instant until) {
      post(() -> turnstile.throttled(balancer, write, until, time.now()));
    }
  }
}
