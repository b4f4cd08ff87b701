package io.poolkeeper.turnstile;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import io.poolkeeper.turnstile.TurnstileCore.Decision;
import io.poolkeeper.turnstile.TurnstileCore.Event;
import io.poolkeeper.turnstile.TurnstileState.Visitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens in whatever order: never two turns for one load balancer, no number twice, and a
 * visitor that waits is served first come first served. The book that tells is kept here, apart
 * from the turnstile's own.
 */
class TurnstileHistoriesTest {
  private static final LoadBalancerId LB1 = new LoadBalancerId("sub", "rg", "lb-1");
  private static final LoadBalancerId LB2 = new LoadBalancerId("sub", "rg", "lb-2");
  private static final List<Visitor> VISITORS =
      List.of(
          new Visitor(LB1.pool("a"), 1), new Visitor(LB1.pool("b"), 2),
          new Visitor(LB1.pool("c"), 3), new Visitor(LB2.pool("a"), 4));

  /** What an onlooker knows of one load balancer: who holds which turn, and who waits. */
  private record Book(Map<LoadBalancerId, Visitor> holders, List<Visitor> line, long turn) {
    static final Book EMPTY = new Book(Map.of(), List.of(), 0);
  }

  private record World(TurnstileState state, Book book, Map<Visitor, Long> turns) {
    static final World EMPTY = new World(TurnstileState.EMPTY, Book.EMPTY, Map.of());
  }

  @Test
  void everyShortHistory_keepsTheInvariants() {
    assertThat(explore(World.EMPTY, 6)).isGreaterThan(10_000);
  }

  @Test
  void longRandomHistories_keepTheInvariantsAndServeEverybody() {
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      World world = World.EMPTY;
      for (int step = 0; step < 200; step++) {
        List<Event> events = enabled(world, VISITORS.size());
        world = after(world, events.get(random.nextInt(events.size())));
      }
      assertEverybodyIsServed(world, seed);
    }
  }

  private static int explore(World world, int depth) {
    if (depth == 0) {
      return 1;
    }
    int count = 0;
    for (Event event : enabled(world, 3)) {
      count += explore(after(world, event), depth - 1);
    }
    return count;
  }

  /** Also a second return of a turn that was given back, under its old number. */
  private static List<Event> enabled(World world, int visitors) {
    List<Event> events = new ArrayList<>();
    for (Visitor visitor : VISITORS.subList(0, visitors)) {
      events.add(new Event.Requested(visitor));
      Long turn = world.turns().get(visitor);
      if (turn != null) {
        events.add(new Event.Returned(visitor, turn));
      }
      if (world.book().line().contains(visitor)) {
        events.add(new Event.Cancelled(visitor));
      }
      if (holds(world, visitor) || world.book().line().contains(visitor)) {
        events.add(new Event.HolderGone(visitor));
      }
    }
    return events;
  }

  private static boolean holds(World world, Visitor visitor) {
    return visitor.equals(world.book().holders().get(visitor.loadBalancer()));
  }

  private static World after(World world, Event event) {
    Map<LoadBalancerId, Visitor> holders = new HashMap<>(world.book().holders());
    List<Visitor> line = new ArrayList<>(world.book().line());
    Map<Visitor, Long> turns = new HashMap<>(world.turns());
    switch (event) {
      case Event.Requested requested -> {
        if (!line.contains(requested.visitor())) {
          line.add(requested.visitor());
        }
      }
      case Event.Cancelled cancelled -> line.remove(cancelled.visitor());
      case Event.Returned returned ->
          holders.remove(returned.visitor().loadBalancer(), returned.visitor());
      case Event.HolderGone gone -> {
        line.remove(gone.visitor());
        turns.remove(gone.visitor());
        holders.remove(gone.visitor().loadBalancer(), gone.visitor());
      }
    }
    Decision decision = TurnstileCore.decide(world.state(), event);
    long last = world.book().turn();
    if (decision.grant().isPresent()) {
      Visitor granted = decision.grant().get().visitor();
      check(!holders.containsKey(granted.loadBalancer()), "two turns", world, event);
      check(decision.grant().get().turn() > last, "a number twice", world, event);
      check(granted.equals(first(line, granted.loadBalancer())), "out of order", world, event);
      line.remove(granted);
      holders.put(granted.loadBalancer(), granted);
      last = decision.grant().get().turn();
      turns.put(granted, last);
    }
    for (Visitor waiter : line) {
      check(holders.containsKey(waiter.loadBalancer()), "waits for nothing", world, event);
    }
    Book book = new Book(Map.copyOf(holders), List.copyOf(line), last);
    return new World(decision.state(), book, Map.copyOf(turns));
  }

  /** Cheaper than an assertion, for it is made millions of times. */
  private static void check(boolean holds, String violation, World world, Event event) {
    if (!holds) {
      throw new AssertionError(violation + ": " + world + " after " + event);
    }
  }

  private static Visitor first(List<Visitor> line, LoadBalancerId loadBalancer) {
    return line.stream()
        .filter(visitor -> visitor.loadBalancer().equals(loadBalancer))
        .findFirst()
        .orElseThrow();
  }

  private static void assertEverybodyIsServed(World world, long seed) {
    World now = world;
    while (!now.book().holders().isEmpty()) {
      Visitor holder = now.book().holders().values().iterator().next();
      Long turn = now.turns().get(holder);
      now = after(now, new Event.Returned(holder, turn));
    }
    assertThat(now.book().line()).as("seed %d", seed).isEmpty();
    assertThat(now.state().lines()).as("seed %d", seed).isEmpty();
  }
}
