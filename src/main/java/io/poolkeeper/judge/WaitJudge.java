package io.poolkeeper.judge;

import io.poolkeeper.judge.Waiting.By;
import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.model.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The bound for waiting: what is wrong, and was shown, is put right within its bound, and what does
 * not count is listed in docs/simulation.md. Facts come in the order of their times; {@link
 * #violations} is asked at {@link #next} at the latest.
 */
public final class WaitJudge {
  /** When looks come, after the first one. */
  private static final List<Duration> LOOKS =
      List.of(Duration.ZERO, Duration.ofSeconds(85), Duration.ofSeconds(265));

  /** One look serves those due within half a minute, and comes half a minute after another. */
  private static final Duration CONFLATED = Duration.ofSeconds(60);

  /** After an event, a listing begins so much later at most, as far as nothing delays it. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  /** A Lease of which the watch says nothing is read so often, and that takes a moment. */
  private static final Duration LEASE_READ = Duration.ofSeconds(6);

  /** A pool that a look found Updating is looked at again, for the last time after so long. */
  private static final Duration LAST_AGAIN = Duration.ofSeconds(16);

  private static final int FORGET_EACH = 256;

  private final Documented documented;
  private final Excuses everywhere = new Excuses();
  private final Excuses lease = new Excuses();
  private final Excuses leaseIsOld = new Excuses();
  private final Excuses unreachable = new Excuses();
  private final Complaints complaints;
  private final Pools pools;
  private final Fights fights;
  private final WireFacts wire;
  private final Clocks clocks;
  private final Map<PoolId, Set<Subject>> wrong = new HashMap<>();
  private final Map<PoolId, Instant> damagedAt = new HashMap<>();
  private final PriorityQueue<Look> looks =
      new PriorityQueue<>(Comparator.comparing(Look::at).thenComparing(one -> one.pool().path()));
  private int facts;

  private record Look(Instant at, PoolId pool) {}

  /**
   * Begins when the process does: it knows nothing yet.
   *
   * @param tolerance how much longer than its bound something may wait, 0 or more
   */
  public WaitJudge(Documented documented, Duration tolerance, Instant now) {
    this.clocks = new Clocks(this::allowance, tolerance);
    this.documented = documented;
    this.complaints = new Complaints(documented.maxTail());
    this.pools = new Pools(documented.minActive());
    this.fights = new Fights(documented);
    this.wire = new WireFacts(documented, everywhere, this::wrote, now);
  }

  /** Excuses of everything: a watch is lost, nobody leads, an actor has failed. */
  public Excuses everywhere() {
    return everywhere;
  }

  /** While another client holds the shared Lease, as far as the process can know. */
  public Excuses lease() {
    return lease;
  }

  /** While calls about the Lease fail, and until the next one is due. */
  public Excuses unreachable() {
    return unreachable;
  }

  /** While what the process has heard of the Lease is old; then it reads it in a moment. */
  public Excuses leaseIsOld() {
    return leaseIsOld;
  }

  /** Excuses at one load balancer: somebody's operation runs. */
  public Excuses at(LoadBalancerId balancer) {
    return wire.at(balancer).excuses;
  }

  /** Excuses of one pool: a check holds it. */
  public Excuses at(PoolId pool) {
    return wire.at(pool).excuses;
  }

  /** The cloud provider has said that it waits for the Lease, and when it ceases to. */
  public Complaints complaints() {
    return complaints;
  }

  public void sent(Call call, Instant now) {
    tidy(now);
    wire.sent(call, now);
  }

  public void answered(Call call, Call.Answer answer, Instant now) {
    wire.answered(call, answer, now);
  }

  public void unanswered(Call call, Instant now) {
    wire.unanswered(call, now);
  }

  private void wrote(Call call, Instant now) {
    PoolId pool = call.pool().orElseThrow();
    shown(pool, call.body(), now, now);
    if (!documented.verifyAfter().isZero()) {
      LOOKS.forEach(
          later -> looks.add(new Look(now.plus(documented.verifyAfter()).plus(later), pool)));
    }
  }

  /** Of each pool that is watched over: what it holds in truth; empty if there is no such pool. */
  public void holds(
      PoolId pool, Optional<Map<String, Boolean>> entries, boolean byOthers, Instant now) {
    Map<String, Boolean> before = pools.holds(pool).orElse(Map.of());
    pools.holds(pool, entries, now);
    if (byOthers && entries.isPresent() && !before.equals(entries.get())) {
      damagedAt.put(pool, now);
      pools.wanted(pool).ifPresent(wanted -> count(pool, wanted, before, entries.get(), now));
    }
    judge(pool, By.VIEW, now);
  }

  private void count(
      PoolId pool,
      Pools.Wanted wanted,
      Map<String, Boolean> before,
      Map<String, Boolean> after,
      Instant now) {
    before.keySet().stream()
        .filter(one -> !after.containsKey(one) && wanted.exactly().contains(one))
        .forEach(one -> fights.damaged(new Subject(pool, one, Subject.How.MISSING), now));
    after.keySet().stream()
        .filter(one -> !before.containsKey(one) && !wanted.exactly().contains(one))
        .forEach(one -> fights.damaged(new Subject(pool, one, Subject.How.SURPLUS), now));
  }

  /** What a pool ought to hold, as far as that was delivered; empty if nobody owns it. */
  public void wants(PoolId pool, Optional<Set<String>> exactly, boolean vague, Instant now) {
    Optional<Pools.Wanted> wanted = exactly.map(all -> new Pools.Wanted(Set.copyOf(all), vague));
    if (!wanted.equals(pools.wanted(pool))) {
      pools.wants(pool, wanted);
      wire.at(pool).wanted(!pools.asWanted(pool), now);
      judge(pool, By.CHANGE, now);
    }
  }

  /** Of every address of a node, as far as that was delivered: whether it is out of service. */
  public void nodes(Map<String, Boolean> outOfService, Instant now) {
    pools.nodes(outOfService, now);
    List.copyOf(pools.ids()).forEach(pool -> judge(pool, By.CHANGE, now));
  }

  /**
   * A GET shows a pool.
   *
   * @param asOf when that call was sent
   */
  public void shown(PoolId pool, Map<String, Boolean> entries, Instant asOf, Instant now) {
    pools.shown(pool, entries, asOf, now);
    shown(pool, now);
  }

  private void shown(PoolId pool, Instant now) {
    if (pools.asWanted(pool)) {
      wire.at(pool).satisfied();
    }
    if (pools.drained(pool)) {
      wire.at(pool).drained();
    }
    judge(pool, By.VIEW, now);
  }

  /**
   * A listing shows a pool, and by its rules whose it is.
   *
   * @param asOf when that listing began
   */
  public void listed(PoolId pool, Map<String, Boolean> entries, Instant asOf, Instant now) {
    pools.listed(pool, entries, asOf, now);
    shown(pool, now);
  }

  /** A call has shown that there is no such pool; a listing may show it anew. */
  public void notFound(PoolId pool, Instant now) {
    pools.holds(pool).ifPresent(any -> pools.gone(pool, now));
    judge(pool, By.VIEW, now);
  }

  /** The cloud provider's event arrives, that it has written the pool; its operation has ended. */
  public void announced(PoolId pool, Instant now) {
    // Of pools that no Service owns it says nothing.
    if (pools.wanted(pool).isPresent()) {
      lookedAt(pool, now);
    }
  }

  private void lookedAt(PoolId pool, Instant now) {
    if (pools.everShown(pool)) {
      pools.holds(pool).ifPresent(entries -> pools.shown(pool, entries, now, now));
      judge(pool, By.WORD, now);
    }
  }

  private void judge(PoolId pool, By by, Instant now) {
    Set<Subject> before = wrong.getOrDefault(pool, Set.of());
    Set<Subject> after = pools.wrong(pool);
    for (Subject one : before) {
      if (!after.contains(one)) {
        clocks.stop(one, now);
      }
    }
    for (Subject one : after) {
      if (!before.contains(one)) {
        clocks.start(new Waiting(one, now, by, wire.at(pool).spacing(), fights.wait(one)));
      }
    }
    if (after.isEmpty()) {
      wrong.remove(pool);
    } else {
      wrong.put(pool, new HashSet<>(after));
    }
  }

  /** When something may have waited for too long; empty if nothing waits. */
  public Optional<Instant> next() {
    Optional<Instant> look = Optional.ofNullable(looks.peek()).map(one -> one.at().plus(CONFLATED));
    return Stream.of(clocks.next(), look).flatMap(Optional::stream).min(Comparator.naturalOrder());
  }

  /** What has waited for too long since this was asked last. */
  public List<Violation> violations(Instant now) {
    while (!looks.isEmpty() && !looks.peek().at().plus(CONFLATED).isAfter(now)) {
      Look look = looks.remove();
      boolean damaged = damagedAt.getOrDefault(look.pool(), Instant.MAX).isBefore(look.at());
      // What a view since then does not show is damage of after the look.
      if (damaged && !pools.shownSince(look.pool(), look.at())) {
        lookedAt(look.pool(), now);
      }
    }
    wire.giveUp(now);
    clocks.read(now);
    return clocks.violations();
  }

  private void tidy(Instant now) {
    if (++facts % FORGET_EACH == 0) {
      Instant oldest = clocks.oldest(now);
      everywhere.forget(oldest);
      lease.forget(oldest);
      leaseIsOld.forget(oldest);
      unreachable.forget(oldest);
      complaints.forget(oldest);
      wire.forget(oldest);
    }
  }

  private Clocks.Allowance allowance(Waiting waiting, Instant now) {
    PoolId id = waiting.subject().pool();
    BalancerWire balancer = wire.at(id.loadBalancer());
    Duration bound =
        waiting.members()
            ? Documented.MEMBERS.plus(longer(waiting.spacing(), wire.at(id).spacing()))
            : Documented.STATES;
    return new Clocks.Allowance(
        bound.plus(balancer.allowed(waiting.since())), Excuses.cover(excused(waiting, now)));
  }

  private List<Excuses.Span> excused(Waiting waiting, Instant now) {
    Instant since = waiting.since();
    PoolWire pool = wire.at(waiting.subject().pool());
    BalancerWire balancer = wire.at(waiting.subject().pool().loadBalancer());
    List<Excuses.Span> all = new ArrayList<>();
    Stream.of(everywhere, balancer.excuses, pool.excuses)
        .flatMap(scope -> scope.during(since, now))
        .forEach(all::add);
    leaseIsOld.during(since, now).map(span -> begin(span, since, LEASE_READ)).forEach(all::add);
    if (waiting.members()) {
      complaints.during(since, now).forEach(all::add);
      Stream.of(wire.notEarly(), balancer.notEarly)
          .flatMap(scope -> scope.during(since, now))
          .flatMap(pool::early)
          .forEach(all::add);
      if (waiting.by() != By.CHANGE || pool.retries(since)) {
        wire.retries().during(since, now).forEach(all::add);
      }
    }
    if (waiting.by() == By.WORD) {
      all.add(new Excuses.Span(since, since.plus(LOOK), "a look comes", any -> true));
      // A look that finds it Updating comes again, after pauses that double.
      balancer
          .excuses
          .during(since, now)
          .map(span -> span.within(since, now))
          .map(span -> again(span))
          .forEach(all::add);
      wire.listing().during(since, now).forEach(all::add);
    }
    if (waiting.fight().isPositive()) {
      all.add(
          new Excuses.Span(
              since, since.plus(waiting.fight()), "others undo it again", any -> true));
    }
    List<Excuses.Span> others = in(all.stream(), waiting, now);
    Stream<Excuses.Span> ofLease =
        in(ofLease(waiting, others, now).stream(), waiting, now).stream();
    return Stream.concat(others.stream(), ofLease).toList();
  }

  private static List<Excuses.Span> in(Stream<Excuses.Span> all, Waiting waiting, Instant now) {
    return all.filter(span -> span.applies().test(waiting))
        .map(span -> span.within(waiting.since(), now))
        .filter(span -> !span.isEmpty())
        .toList();
  }

  private static Excuses.Span again(Excuses.Span span) {
    Duration pause = Documented.shorter(span.length(), LAST_AGAIN);
    return new Excuses.Span(span.to(), span.to().plus(pause), "a look comes again", any -> true);
  }

  /** Who could not have the Lease for long enough goes without it, no matter why. */
  private List<Excuses.Span> ofLease(Waiting waiting, List<Excuses.Span> others, Instant now) {
    List<Excuses.Span> held = in(lease.during(waiting.since(), now), waiting, now);
    List<Excuses.Span> away = in(unreachable.during(waiting.since(), now), waiting, now);
    Stream<Excuses.Span> both = Stream.concat(held.stream(), away.stream());
    if (!waiting.members()) {
      return Excuses.most(documented.drainWait(), both, others);
    }
    List<Excuses.Span> some = Excuses.most(documented.unreachableAfter(), away.stream(), others);
    Optional<Duration> most = Optional.of(documented.leaseTail());
    List<Excuses.Span> kept = in(wire.silent().during(waiting.since(), now), waiting, now);
    return Stream.of(held, some, Excuses.most(most, kept.stream(), others))
        .flatMap(List::stream)
        .toList();
  }

  private static Excuses.Span begin(Excuses.Span span, Instant since, Duration most) {
    Instant from = span.from().isAfter(since) ? span.from() : since;
    return span.within(from, from.plus(most));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
