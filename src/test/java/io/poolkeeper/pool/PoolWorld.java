package io.poolkeeper.pool;

import static io.poolkeeper.pool.PoolFixtures.LIMITS;
import static io.poolkeeper.pool.PoolFixtures.POOL;

import io.poolkeeper.model.ArmFailure;
import io.poolkeeper.model.OutOfService;
import io.poolkeeper.model.Pause;
import io.poolkeeper.model.PoolEdit;
import io.poolkeeper.model.PoolView;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.ratelimit.Priority;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One pool's core among a tiny ARM and a tiny rate limiter, and what is on its way between them;
 * {@link PoolBooks} looks on. Copies are cheap, so that every short history can be tried.
 */
final class PoolWorld {
  private final PoolBooks books;
  private final PoolDriver pool;
  private PoolView arm;
  private final Set<Long> permitsOut = new TreeSet<>();
  private Optional<Priority> inLine = Optional.empty();
  private boolean othersPermit;
  private Optional<Long> grantOnItsWay = Optional.empty();
  private boolean halted;
  private long nextPermit = 1;
  private long version;
  private boolean getPending;
  private Optional<PoolEdit> putPending = Optional.empty();
  private Optional<PoolEvent.Observed> listing = Optional.empty();
  private final List<PoolEffect> effects = new ArrayList<>();

  PoolWorld(PoolView arm) {
    this(arm, new PoolBooks(), new PoolDriver(LIMITS));
  }

  private PoolWorld(PoolView arm, PoolBooks books, PoolDriver pool) {
    this.arm = arm;
    this.books = books;
    this.pool = pool;
  }

  PoolWorld copy() {
    PoolWorld copy = new PoolWorld(arm, books.copy(), pool.copy());
    copy.permitsOut.addAll(permitsOut);
    copy.inLine = inLine;
    copy.othersPermit = othersPermit;
    copy.grantOnItsWay = grantOnItsWay;
    copy.halted = halted;
    copy.nextPermit = nextPermit;
    copy.version = version;
    copy.getPending = getPending;
    copy.putPending = putPending;
    copy.listing = listing;
    return copy;
  }

  boolean timerRuns() {
    return !halted && state().wakeAt().isPresent();
  }

  boolean grantIsOnItsWay() {
    return !halted && grantOnItsWay.isPresent();
  }

  boolean getIsPending() {
    return !halted && getPending;
  }

  boolean putIsPending() {
    return !halted && putPending.isPresent();
  }

  boolean halted() {
    return halted;
  }

  /** What the pool has done so far, in the life of this copy. */
  List<PoolEffect> effects() {
    return Collections.unmodifiableList(effects);
  }

  int puts() {
    return books.puts();
  }

  int emitted() {
    return books.emitted();
  }

  void pass(long millis) {
    pool.after(millis / 1000.0);
  }

  /** Somebody else changes the pool or its rules. */
  void armBecomes(PoolView view) {
    arm = view;
  }

  PoolView arm() {
    return arm;
  }

  PoolState state() {
    return pool.state();
  }

  Instant now() {
    return pool.now();
  }

  Optional<Priority> inLine() {
    return inLine;
  }

  Set<Long> permitsOut() {
    return Collections.unmodifiableSet(permitsOut);
  }

  boolean callIsPending() {
    return getPending || putPending.isPresent();
  }

  void desire(Ownership ownership, Level level) {
    PoolEvent.Desire desire = PoolFixtures.desire(ownership, level);
    books.desired(desire);
    send(desire);
  }

  void release(ServiceKey service) {
    books.released(service);
    send(new PoolEvent.Release(service));
  }

  /** These nodes are out of service from now on. */
  void leaving(String nodes) {
    OutOfService set = PoolFixtures.leaving(++version, nodes);
    books.leaving(set);
    send(new PoolEvent.NodesOutOfService(set, now()));
  }

  /** Whether every state is as it should be. */
  boolean statesRight() {
    return books.statesRight(arm);
  }

  /** A watch of the cluster is lost; assignments that are new from now on have larger numbers. */
  void watchLost(long firstUnseen) {
    books.watch(false);
    send(new PoolEvent.WatchLost(firstUnseen));
  }

  void watchesLive() {
    books.watch(true);
    send(new PoolEvent.WatchesLive());
  }

  /** The checks of the pool's binding say this. */
  void hold(boolean held) {
    books.held(held);
    send(held ? PoolFixtures.HELD : PoolFixtures.ADMITTED);
  }

  /** All is paused, drains as well, or goes on. */
  void pause(boolean paused) {
    books.paused(paused);
    Pause all = new Pause(Instant.MAX, Instant.MAX, "", true);
    send(new PoolEvent.Paused(paused ? Optional.of(all) : Optional.empty()));
  }

  /** Another pool that had failed is as desired. */
  void otherRecovers() {
    send(new PoolEvent.OtherRecovered());
  }

  void stop() {
    books.stopped();
    send(new PoolEvent.Stop());
  }

  void fireTimer() {
    Instant due = state().wakeAt().orElseThrow();
    pool.at(due.isAfter(now()) ? due : now());
    send(new PoolEvent.TimerDue());
  }

  void deliverGrant() {
    long permit = grantOnItsWay.orElseThrow();
    grantOnItsWay = Optional.empty();
    send(PoolFixtures.granted(permit));
  }

  /** Another pool takes the load balancer's permit, or gives it back. */
  void othersPermit(boolean taken) {
    othersPermit = taken && permitsOut.isEmpty();
    grantIfFree();
  }

  private void grantIfFree() {
    if (inLine.isPresent() && !othersPermit && permitsOut.isEmpty()) {
      inLine = Optional.empty();
      permitsOut.add(nextPermit);
      grantOnItsWay = Optional.of(nextPermit++);
    }
  }

  /** A listing is asked for and shows what is now; how late it arrives is another matter. */
  void startListing() {
    listing = Optional.of(new PoolEvent.Observed(arm, now()));
  }

  boolean listingIsUnderWay() {
    return listing.isPresent();
  }

  void finishListing() {
    PoolEvent.Observed shown = listing.orElseThrow();
    listing = Optional.empty();
    send(shown);
  }

  void finishGet() {
    getPending = false;
    books.read(arm);
    send(PoolFixtures.read(arm));
  }

  void finishPut() {
    arm = replaced(putPending.orElseThrow());
    putPending = Optional.empty();
    send(new PoolEvent.WriteDone());
  }

  /** A PUT replaces all entries. */
  private PoolView replaced(PoolEdit edit) {
    return new PoolView(
        POOL, "", false, pool.lastRead().with(edit).entries(), arm.rules(), arm.networked());
  }

  void fail(ArmFailure failure) {
    getPending = false;
    putPending = Optional.empty();
    send(new PoolEvent.AttemptFailed(failure));
  }

  /** ARM asks to wait so long, or not if it is not positive. */
  void throttle(long millis) {
    fail(PoolFixtures.throttled(now().plusMillis(millis)));
  }

  /** ARM did what it was asked, but the answer says otherwise. */
  void failThoughWritten(ArmFailure failure) {
    arm = putPending.map(this::replaced).orElse(arm);
    fail(failure);
  }

  /** Lets everything that is under way end well, and time pass until nothing is left to do. */
  void settle() {
    othersPermit(false);
    for (int step = 0; step < 100; step++) {
      if (getIsPending()) {
        finishGet();
      } else if (putIsPending()) {
        finishPut();
      } else if (grantIsOnItsWay()) {
        deliverGrant();
      } else if (timerRuns()) {
        fireTimer();
      } else {
        return;
      }
    }
    throw violation("no rest after 100 steps");
  }

  /** A listing that starts now and shows what is. */
  void listNow() {
    pass(1);
    startListing();
    finishListing();
  }

  /** Whether the pool holds exactly what is wanted; trivially so while that is not known. */
  boolean asWanted() {
    return books.asWanted(arm);
  }

  /** Fails unless a listing and what follows from it leave everything right. */
  void assertListingHeals(String history) {
    listNow();
    settle();
    if (!halted() && !(asWanted() && statesRight())) {
      throw new AssertionError("not as wanted after a listing, after " + history + ": " + this);
    }
  }

  private void send(PoolEvent event) {
    if (halted) {
      return;
    }
    try {
      PoolState before = state();
      pool.send(event);
      ShownPool.check(before, event, pool);
      books.check(before, event, pool);
      for (PoolEffect effect : pool.effects()) {
        books.check(effect, this);
        effects.add(effect);
        run(effect);
      }
      halted = state().phase() instanceof Phase.Stopped;
      books.check(this);
    } catch (AssertionError broken) {
      throw violation(broken.getMessage() + " at " + event);
    }
  }

  private void run(PoolEffect effect) {
    switch (effect) {
      case PoolEffect.RequestPermit request -> {
        inLine = Optional.of(request.priority());
        grantIfFree();
      }
      case PoolEffect.CancelRequest c -> inLine = Optional.empty();
      case PoolEffect.ReturnPermit back -> {
        permitsOut.remove(back.permit());
        grantIfFree();
      }
      case PoolEffect.Read r -> getPending = true;
      case PoolEffect.Write write -> putPending = Optional.of(write.edit());
      default -> {}
    }
  }

  private AssertionError violation(String rule) {
    return new AssertionError(rule + " in " + this + " of " + POOL);
  }

  @Override
  public String toString() {
    return "%s, %s, ARM %s".formatted(state(), books, arm);
  }
}
