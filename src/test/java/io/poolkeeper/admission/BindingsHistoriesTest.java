package io.poolkeeper.admission;

import static io.poolkeeper.admission.BindingsWorld.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to bindings in whatever order, crashes included: {@link BindingsWorld} sees that
 * nothing is put in that is not recorded, and once all bindings are deleted, exactly what is not
 * ours is left in the pool.
 */
class BindingsHistoriesTest {
  private static final List<String> NAMES = List.of("a", "b");
  private static final List<String> SERVICES = List.of("web", "api");
  private static final List<String> NODES = List.of("10.0.0.4", "10.0.0.5", "10.0.0.6");

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
        filled += world.pool().isEmpty() ? 0 : 1;
        end(world, random, foreign, seed);
      } catch (AssertionError violation) {
        throw new AssertionError("seed " + seed, violation);
      }
    }
    assertThat(filled).as("runs with something in the pool").isGreaterThan(1_000);
  }

  private static void end(
      BindingsWorld world, SplittableRandom random, Set<String> foreign, long seed) {
    List.copyOf(world.bindings()).forEach(view -> world.delete(view.key().name()));
    world.settle(random);
    assertThat(world.bindings()).as("seed %d", seed).isEmpty();
    assertThat(world.pool().stream().map(Address::text))
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(foreign);
  }

  /** Bindings are shared: an exclusive one may take out what is not ours. */
  private static void happen(BindingsWorld world, SplittableRandom random, Set<String> foreign) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Optional<BindingView> binding =
        world.bindings().stream().filter(view -> view.key().name().equals(name)).findFirst();
    boolean deleted = binding.map(view -> view.admission().deleted()).orElse(false);
    switch (random.nextInt(24)) {
      case 0, 1 -> {
        if (binding.isEmpty()) {
          world.create(view(name, SERVICES.get(random.nextInt(2)), false));
        }
      }
      case 2 -> {
        if (binding.isPresent() && !deleted) {
          world.delete(name);
        }
      }
      case 3 -> {
        if (binding.isPresent() && !deleted) {
          world.change(name, random.nextBoolean(), false, List.of());
        }
      }
      case 4, 5, 9, 10 ->
          world.endpoints(
              SERVICES.get(random.nextInt(2)),
              NODES.stream().filter(node -> random.nextBoolean()).toArray(String[]::new));
      case 6 -> {
        String address = "10.9.0." + (1 + random.nextInt(3));
        boolean there = random.nextBoolean();
        world.foreign(address, there);
        if (there) {
          foreign.add(address);
        } else {
          foreign.remove(address);
        }
      }
      case 7 -> {
        if (random.nextInt(4) == 0) {
          world.crash();
        }
      }
      case 8 -> world.pass(BindingsWorld.LATE.dividedBy(1 + random.nextInt(60)));
      default -> world.goOn(random);
    }
  }
}
