package io.poolkeeper.simulation;

import io.poolkeeper.arm.ArmObserver;
import io.poolkeeper.arm.Throttle;
import io.poolkeeper.arm.azure.AzureArm;
import io.poolkeeper.arm.azure.Clocks;
import io.poolkeeper.arm.azure.Wire;
import io.poolkeeper.armsim.protocol.ArmCall;
import io.poolkeeper.model.PoolId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One life of the controller's process: its actors as cells with mailboxes, its timers and its way
 * to ARM. Messages between one pair of cells keep their order, as Pekko promises; nothing else
 * does. What is under way when the life ends is never heard of again, except at ARM.
 */
final class Life implements Wire, ArmObserver {
  private static final Duration FASTEST = Duration.ofNanos(10_000);
  private static final Duration SLOWEST = Duration.ofMillis(2);

  final int number;
  final Instant begun;
  final Timeline time;
  final Chance chance;
  final Swarm swarm;
  final Checker checker;
  final Trace trace;
  final Witness witness;
  final AzureArm arm;
  final TurnstileCell turnstile;
  final MapCell map;
  private final SimAzure azure;
  private final List<Feed> feeds = new ArrayList<>();
  private final Map<String, Instant> links = new HashMap<>();
  private final Map<String, Duration> slowness = new HashMap<>();
  private Instant frozenUntil = Instant.MIN;
  private boolean alive = true;
  private boolean stopping;

  Life(
      int number,
      Timeline time,
      Chance chance,
      Swarm swarm,
      SimAzure azure,
      SimCluster cluster,
      Checker checker,
      Trace trace,
      Witness witness) {
    this.number = number;
    this.begun = time.now();
    this.time = time;
    this.chance = chance;
    this.swarm = swarm;
    this.azure = azure;
    this.checker = checker;
    this.trace = trace;
    this.witness = witness;
    Clocks clocks =
        new Clocks(
            time::nanos,
            time::now,
            azure.troubles()::wall,
            () -> new SplittableRandom(chance.nextLong()));
    this.arm = AzureArm.over(this, swarm.azure(), swarm.turnstile(), this, clocks);
    this.turnstile = new TurnstileCell(this);
    this.map = new MapCell(this);
    trace.say("life %d begins".formatted(number));
    for (SimCluster.Kind kind : SimCluster.Kind.values()) {
      feeds.add(new Feed(this, cluster, kind));
    }
  }

  boolean alive() {
    return alive;
  }

  boolean stopping() {
    return stopping;
  }

  List<Feed> feeds() {
    return feeds;
  }

  /** It is gone from one moment to the next. */
  void die() {
    alive = false;
    feeds.forEach(Feed::close);
    checker.ended(this);
    trace.say("life %d ends".formatted(number));
  }

  /** It is asked to end: caches first, then the pools; what is in flight gets some grace. */
  void stop(Duration grace) {
    stopping = true;
    trace.say("life %d is asked to end".formatted(number));
    feeds.forEach(Feed::close);
    post("root", MapCell.NAME, map::stop);
    time.after(
        grace,
        () -> {
          if (alive) {
            die();
          }
        });
  }

  /** Nothing of it runs before then. */
  void freeze(Duration length) {
    frozenUntil = time.now().plus(length);
    trace.say("life %d stands still for %s".formatted(number, length));
  }

  /** An actor takes longer for each message, for a while. */
  void slow(String cell, Duration each, Duration length) {
    slowness.put(cell, each);
    time.after(length, () -> slowness.remove(cell));
  }

  /** Tells a cell something: later, in the order of the sender's messages to it. */
  void post(String from, String to, Runnable what) {
    Duration delay =
        chance.between(FASTEST, SLOWEST).plus(slowness.getOrDefault(to, Duration.ZERO));
    String link = from + " " + to;
    Instant at = time.now().plus(delay);
    Instant last = links.get(link);
    if (last != null && last.isAfter(at)) {
      at = last;
    }
    links.put(link, at);
    time.at(at, guarded(what));
  }

  /** Runs only while the process lives and is not standing still. */
  Runnable guarded(Runnable what) {
    return new Runnable() {
      @Override
      public void run() {
        if (!alive) {
          return;
        }
        if (time.now().isBefore(frozenUntil)) {
          time.at(frozenUntil, this);
        } else {
          what.run();
        }
      }
    };
  }

  @Override
  public void send(Request request, Reply reply) {
    ArmCall call =
        SimAzure.call(request.method(), request.url(), request.headers(), request.body());
    checker.traffic().sending(this, call).ifPresent(checker::violated);
    SimAzure.Sender sender = checker.traffic().sender(this, call);
    azure.request(
        call,
        new Reply() {
          @Override
          public boolean awaited() {
            return alive && reply.awaited();
          }

          @Override
          public void answered(Answer answer) {
            guarded(
                    () -> {
                      checker.traffic().arrived(Life.this, call, answer.status());
                      reply.answered(answer);
                    })
                .run();
          }

          @Override
          public void failed(IOException why) {
            guarded(() -> reply.failed(why)).run();
          }
        },
        sender);
  }

  @Override
  public Runnable later(Duration delay, Runnable what) {
    return time.after(delay, guarded(what))::cancel;
  }

  @Override
  public void answered(String call, int status, Duration took) {
    checker.traffic().counted(this, call, status);
    post("http", TurnstileCell.NAME, () -> turnstile.sent(call.equals("put")));
  }

  @Override
  public void throttled(Throttle throttle) {
    post("http", TurnstileCell.NAME, () -> turnstile.throttled(throttle));
  }

  /** The cell of a pool; empty if there is none. */
  Optional<PoolCell> pool(PoolId id) {
    return map.pool(id);
  }
}
