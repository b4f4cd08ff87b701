package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingFixtures.LATE;
import static io.poolkeeper.admission.BindingFixtures.addresses;
import static io.poolkeeper.admission.BindingFixtures.service;
import static io.poolkeeper.admission.BindingFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to bindings, Services and slices in whatever order, restarts included: {@link
 * BindingsWorld} sees that nothing is put in that nobody will take out, and once all bindings are
 * deleted, exactly what is not ours is left in the pool.
 */
class BindingsHistoriesTest {
  private static final List<String> NAMES = List.of("a", "b");
  private static final List<String> SERVICES = List.of("web", "api");
  private static final List<String> NODES = List.of("10.0.0.4", "10.0.0.5", "10.0.0.6");

  /** The last two are of nodes, too. */
  private static final List<String> FOREIGN = List.of("10.9.0.1", "10.0.0.5", "10.0.0.6");

  private enum End {
    BINDING,
    SERVICE,
    SLICES,
    RESTART
  }

  @Test
  void everythingThatWasAdded_isGone_andNothingElse() {
    int filled = 0;
    for (long seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      BindingsWorld world = new BindingsWorld();
      Set<String> foreign = new TreeSet<>();
      try {
        world.begin();
        for (int step = 0; step < 80; step++) {
          happen(world, random, foreign);
        }
        filled += world.pool().marked().isEmpty() ? 0 : 1;
        List.copyOf(world.bindings()).forEach(view -> world.delete(view.key().name()));
        end(world, random, foreign);
      } catch (AssertionError violation) {
        throw new AssertionError("seed " + seed, violation);
      }
    }
    assertThat(filled).as("runs with something in the pool").isGreaterThan(500);
  }

  /** What ends goes on for a while before the next one does, or for none. */
  @Test
  void bindingServiceAndSlices_endInEveryOrder_withARestartBetween() {
    List<List<End>> orders = orders(List.of(End.values()));
    assertThat(orders).hasSize(24);
    for (List<End> order : orders) {
      for (long seed = 0; seed < 50; seed++) {
        SplittableRandom random = new SplittableRandom(seed);
        BindingsWorld world = new BindingsWorld();
        try {
          world.endpoints("web", "10.0.0.4", "10.0.0.5");
          world.foreign("10.0.0.5", true);
          world.store(view("a", "web"));
          world.begin();
          world.settle(random);
          assertThat(world.pool().marked()).isEqualTo(addresses("10.0.0.4"));
          // So that a write may be under way.
          world.endpoints("web", "10.0.0.4", "10.0.0.5", "10.0.0.6");
          for (End next : order) {
            for (int step = random.nextInt(8); step > 0; step--) {
              world.goOn(random);
            }
            end(world, next);
          }
          end(world, random, Set.of("10.0.0.5"));
        } catch (AssertionError violation) {
          throw new AssertionError(order + ", seed " + seed, violation);
        }
      }
    }
  }

  private static List<List<End>> orders(List<End> of) {
    if (of.isEmpty()) {
      return List.of(List.of());
    }
    List<List<End>> all = new ArrayList<>();
    for (End first : of) {
      List<End> rest = new ArrayList<>(of);
      rest.remove(first);
      for (List<End> order : orders(rest)) {
        List<End> next = new ArrayList<>(order);
        next.addFirst(first);
        all.add(next);
      }
    }
    return all;
  }

  private static void end(BindingsWorld world, End next) {
    switch (next) {
      case BINDING -> world.delete("a");
      case SERVICE -> world.pool().gone(service("web"));
      case SLICES -> world.pool().wants(service("web"), Optional.empty());
      case RESTART -> world.crash();
    }
  }

  private static void end(BindingsWorld world, SplittableRandom random, Set<String> foreign) {
    world.settle(random);
    assertThat(world.bindings()).isEmpty();
    assertThat(world.pool().addresses()).isEqualTo(addresses(foreign.toArray(String[]::new)));
    assertThat(world.pool().marked()).isEmpty();
  }

  private static void happen(BindingsWorld world, SplittableRandom random, Set<String> foreign) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    String service = SERVICES.get(random.nextInt(SERVICES.size()));
    Optional<BindingView> binding =
        world.bindings().stream().filter(view -> view.key().name().equals(name)).findFirst();
    boolean deleted = binding.flatMap(BindingView::deleted).isPresent();
    switch (random.nextInt(24)) {
      case 0, 1 -> {
        if (binding.isEmpty()) {
          world.store(view(name, service));
        }
      }
      case 2 -> {
        if (binding.isPresent() && !deleted) {
          world.delete(name);
        }
      }
      case 3 -> {
        if (binding.isPresent() && !deleted) {
          world.change(name, random.nextInt(3) > 0);
        }
      }
      case 4, 5, 6 ->
          world.endpoints(
              service, NODES.stream().filter(node -> random.nextBoolean()).toArray(String[]::new));
      case 7 -> {
        if (random.nextBoolean()) {
          world.pool().wants(service(service), Optional.empty());
        } else {
          world.pool().gone(service(service));
        }
      }
      case 8 -> {
        String address = FOREIGN.get(random.nextInt(FOREIGN.size()));
        boolean there = random.nextBoolean();
        world.foreign(address, there);
        boolean ignored = there ? foreign.add(address) : foreign.remove(address);
      }
      case 9 -> {
        if (random.nextInt(4) == 0) {
          world.crash();
        }
      }
      case 10 -> world.pass(LATE.dividedBy(1 + random.nextInt(60)));
      default -> world.goOn(random);
    }
  }
}
