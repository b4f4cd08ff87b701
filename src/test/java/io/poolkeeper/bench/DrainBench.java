package io.poolkeeper.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.armsim.fault.FaultRule;
import io.poolkeeper.armsim.model.PoolMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How long it takes from the request that taints nodes to the PUTs that ARM accepts: 200 pools on
 * 10 load balancers, all of which hold 100 nodes; one node more is in one pool, one in ten (of ten
 * load balancers). Prints the first and the last PUT, and how many there were for each pool.
 * Arguments: a latency profile; which buckets the controller has ({@code plenty}, {@code full}, the
 * shipped ones but full, or {@code shipped}); how often one node leaves; {@code busy} if meanwhile
 * every Service flaps and one call in ten fails.
 *
 * <pre>
 * mvn -q -B verify -Dquick
 * java --sun-misc-unsafe-memory-access=allow \
 *   -cp "target/test-classes:target/classes:target/lib/*:target/lab-lib/*" \
 *   io.poolkeeper.bench.DrainBench fast plenty 20
 * </pre>
 */
public final class DrainBench {
  private static final int SERVICES = 200;
  private static final int COMMON = 100;

  /** A node in one pool, and one in a pool of each load balancer. */
  private static final int IN_ONE = COMMON;

  private static final int IN_TEN = COMMON + 1;
  private static final int IN_ALL = 0;
  private static final Duration REST = Duration.ofSeconds(2);

  /** Two rules apply one after the other to what is left: one call in ten fails. */
  private static final double HALF = 0.0513;

  private final Rig rig;
  private final LargeWorld world;
  private final ControllerProcess controller;
  private final Set<Integer> away = new HashSet<>();
  private volatile boolean over;

  private DrainBench(Rig rig, LargeWorld world, ControllerProcess controller) {
    this.rig = rig;
    this.world = world;
    this.controller = controller;
  }

  /** Measures once and prints. */
  public static void main(String[] args) throws Exception {
    LatencyProfile latency = LatencyProfile.valueOf(args[0].toUpperCase(Locale.ROOT));
    Rig rig = Rig.start(latency);
    LargeWorld world =
        new LargeWorld(rig.client(), rig.arm().endpoint(), SERVICES, COMMON + 3, DrainBench::nodes);
    world.seed();
    Rig.say("%s, load average before: %s".formatted(List.of(args), Rig.loadAverage()));
    String rateLimiter =
        switch (args[1]) {
          case "plenty" ->
              "reads { rate = 1000, burst = 1000 }, writes { rate = 1000, burst = 1000, initial ="
                  + " 1000 }";
          case "full" -> "writes { initial = 150, drain-reserve.initial = 200 }";
          case "shipped" -> "";
          default -> throw new IllegalArgumentException("plenty, full or shipped, not " + args[1]);
        };
    try (ControllerProcess controller = rig.start(world, List.of(), rateLimiter)) {
      Rig.await(controller::ready);
      Rig.await(() -> controller.pools() == SERVICES);
      Rig.pause(REST);
      DrainBench bench = new DrainBench(rig, world, controller);
      if (List.of(args).contains("busy")) {
        bench.busy();
      } else {
        bench.rounds(Integer.parseInt(args[2]));
      }
    }
    Runtime.getRuntime().halt(0);
  }

  /** The last node comes and goes where Services flap. */
  private static IntStream nodes(int service, int moved) {
    IntStream common = IntStream.range(0, COMMON);
    IntStream some =
        IntStream.of(
                service == 0 ? IN_ONE : -1,
                service < LargeWorld.LOAD_BALANCERS ? IN_TEN : -1,
                moved % 2 == 1 ? COMMON + 2 : -1)
            .filter(node -> node >= 0);
    return IntStream.concat(common, some);
  }

  private void rounds(int rounds) throws Exception {
    for (int node : new int[] {IN_ONE, IN_TEN, IN_ALL}) {
      int pools = poolsOf(node);
      List<Round> down = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        down.add(round(true, pools, node));
        round(false, pools, node);
      }
      Rig.say("one node in %d pools, Down: %s".formatted(pools, summary(down)));
    }
    int[] all = IntStream.range(0, COMMON).toArray();
    Rig.say("100 nodes in 200 pools, Down: " + summary(List.of(round(true, SERVICES, all))));
    Rig.say("100 nodes in 200 pools, None: " + summary(List.of(round(false, SERVICES, all))));
  }

  private void busy() throws Exception {
    for (String fault :
        List.of(
            "{\"method\":\"PUT\",\"status\":409",
            "{\"method\":\"PUT\",\"status\":503",
            "{\"method\":\"GET\",\"status\":503",
            "{\"method\":\"GET\",\"status\":500")) {
      String rule =
          fault + ",\"path\":\"/backendAddressPools/\",\"probability\":" + HALF + ",\"seed\":7}";
      rig.arm().addFault(FaultRule.parse(new ObjectMapper().readTree(rule)));
    }
    Thread flapping = Thread.ofPlatform().start(this::flap);
    Rig.pause(Duration.ofSeconds(20));
    Rig.say("writes before: " + rig.puts().size());
    int[] all = IntStream.range(0, COMMON).toArray();
    Rig.say("one node in 10 pools: " + summary(List.of(round(true, 10, IN_TEN))));
    Rig.say("100 nodes in 200 pools: " + summary(List.of(round(true, SERVICES, all))));
    over = true;
    flapping.join();
  }

  private void flap() {
    for (int moved = 1; !over; moved++) {
      for (int service = 0; service < SERVICES && !over; service++) {
        world.move(service, moved);
      }
    }
  }

  /**
   * What one change of nodes did.
   *
   * @param first milliseconds to the first PUT that sets a state
   * @param last to the last of them
   * @param puts of any kind
   * @param changes those that set a state
   * @param perPool of those, at most for one pool
   * @param elsewhere pools that none was expected for
   */
  private record Round(
      long first, long last, long puts, long changes, long perPool, long elsewhere) {}

  private Round round(boolean out, int pools, int... nodes) throws Exception {
    int before = rig.puts().size();
    long asked = System.nanoTime();
    List<Integer> which = Arrays.stream(nodes).boxed().toList();
    world.taint(which, out);
    away.removeAll(which);
    away.addAll(out ? which : List.of());
    int wanted = away.stream().mapToInt(DrainBench::poolsOf).sum();
    Rig.await(() -> states().values().stream().mapToInt(Set::size).sum() == wanted);
    Rig.await(controller::nodesDone);
    Rig.pause(REST);
    List<ArmLogEntry> changes = new ArrayList<>();
    Map<String, Set<String>> states = new HashMap<>();
    List<ArmLogEntry> puts = rig.puts();
    for (int i = 0; i < puts.size(); i++) {
      Set<String> was = states.put(pool(puts.get(i)), down(puts.get(i)));
      boolean changed = !down(puts.get(i)).equals(was == null ? Set.of() : was);
      if (i >= before && changed) {
        changes.add(puts.get(i));
      }
    }
    Map<String, Long> perPool =
        changes.stream().collect(Collectors.groupingBy(DrainBench::pool, Collectors.counting()));
    return new Round(
        millis(asked, changes.getFirst()),
        millis(asked, changes.getLast()),
        puts.size() - before,
        changes.size(),
        Collections.max(perPool.values()),
        perPool.size() - pools);
  }

  private static int poolsOf(int node) {
    return node == IN_ONE ? 1 : node == IN_TEN ? LargeWorld.LOAD_BALANCERS : SERVICES;
  }

  /** The entries that are Down, by pool, as they were written last. */
  private Map<String, Set<String>> states() {
    Map<String, Set<String>> states = new HashMap<>();
    rig.puts().forEach(put -> states.put(pool(put), down(put)));
    return states;
  }

  private static Set<String> down(ArmLogEntry put) {
    return put.write().orElseThrow().members().stream()
        .filter(member -> member.adminState().equals(Optional.of("Down")))
        .map(PoolMember::name)
        .collect(Collectors.toSet());
  }

  private static String pool(ArmLogEntry put) {
    return put.write().orElseThrow().pool().name();
  }

  private static long millis(long asked, ArmLogEntry put) {
    return (put.acceptedNanos().orElseThrow() - asked) / 1_000_000;
  }

  private static String summary(List<Round> rounds) {
    return "first PUT %s; last %s; %s writes, of which %s of states, at most %s for a pool, %s pools too many"
        .formatted(
            spread(rounds, Round::first),
            spread(rounds, Round::last),
            most(rounds, Round::puts),
            most(rounds, Round::changes),
            most(rounds, Round::perPool),
            most(rounds, Round::elsewhere));
  }

  private static long most(List<Round> rounds, ToLongFunction<Round> what) {
    return rounds.stream().mapToLong(what).max().orElseThrow();
  }

  private static String spread(List<Round> rounds, ToLongFunction<Round> what) {
    List<Long> sorted = rounds.stream().mapToLong(what).sorted().boxed().toList();
    int size = sorted.size();
    return "p50 %d ms, p99 %d ms"
        .formatted(sorted.get((size + 1) / 2 - 1), sorted.get((int) Math.ceil(size * 0.99) - 1));
  }
}
