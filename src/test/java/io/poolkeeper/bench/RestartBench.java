package io.poolkeeper.bench;

import io.poolkeeper.armsim.ArmLogEntry;
import io.poolkeeper.armsim.LatencyProfile;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A controller starts beside 1,000 pools on 10 load balancers, of which 50 are wrong since nobody
 * ran: how long until the first of them is right and until all are, and what is read for that and
 * for a resync. The settings are the shipped ones, but for the resync.
 *
 * <pre>
 * mvn -q -B verify -Dquick
 * java --sun-misc-unsafe-memory-access=allow \
 *   -cp "target/test-classes:target/classes:target/lib/*:target/lab-lib/*" \
 *   io.poolkeeper.bench.RestartBench
 * </pre>
 */
public final class RestartBench {
  private static final int SERVICES = 1_000;
  private static final int NODES = 200;
  private static final int WRONG = 50;

  /** The shortest that is allowed. */
  private static final Duration RESYNC = Duration.ofMinutes(1);

  /** Looks that follow writes are over then. */
  private static final Duration LATER = Duration.ofMinutes(5);

  private RestartBench() {}

  /** Service i is on the 100 nodes from node i on. */
  private static IntStream nodes(int service, int moved) {
    int first = service + moved;
    return IntStream.range(first, first + 100).map(node -> node % NODES);
  }

  /** Measures once and prints. */
  public static void main(String[] options) throws Exception {
    Rig rig = Rig.start(LatencyProfile.FAST);
    LargeWorld world =
        new LargeWorld(rig.client(), rig.arm().endpoint(), SERVICES, NODES, RestartBench::nodes);
    world.seed();
    for (int i = 0; i < WRONG; i++) {
      // On another load balancer each time.
      world.move(i * (SERVICES / WRONG) + i % LargeWorld.LOAD_BALANCERS, 1);
    }
    Rig.say("load average before: " + Rig.loadAverage());
    long started = System.nanoTime();
    String resync = "}\nupdater { resync = %ds".formatted(RESYNC.toSeconds());
    try (ControllerProcess controller = rig.start(world, List.of(options), resync)) {
      Rig.await(() -> rig.puts().size() >= WRONG);
      List<ArmLogEntry> puts = rig.puts();
      Rig.say(
          "first correct write after %.2f s, all %d after %.2f s"
              .formatted(
                  seconds(started, puts.getFirst()),
                  puts.size(),
                  seconds(started, puts.getLast())));
      Rig.say("%d listings, %d pools read".formatted(listings(rig), rig.gets()));
      Rig.await(() -> controller.pools() == SERVICES);
      Rig.pause(LATER);
      long listed = listings(rig);
      long read = rig.gets();
      Rig.pause(RESYNC.multipliedBy(2));
      Rig.say(
          "in two resyncs at rest: %d requests for load balancers, %d pools read, %d written"
              .formatted(listings(rig) - listed, rig.gets() - read, rig.puts().size() - WRONG));
    }
    Runtime.getRuntime().halt(0);
  }

  private static long listings(Rig rig) {
    return rig.arm().log().stream()
        .filter(entry -> entry.method().equals("GET"))
        .filter(entry -> entry.path().contains("/loadBalancers"))
        .filter(entry -> !entry.path().contains("/backendAddressPools/"))
        .count();
  }

  private static double seconds(long since, ArmLogEntry put) {
    return (put.acceptedNanos().orElseThrow() - since) / 1e9;
  }
}
