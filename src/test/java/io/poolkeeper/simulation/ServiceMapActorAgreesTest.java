package io.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.core.Decision;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.service.ServiceMapEffect;
import io.poolkeeper.service.ServiceMapEvent;
import io.poolkeeper.service.ServiceMapState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator does what the actors do: fifty histories of the service map as the simulator went
 * through them, through the real actor, must tell everybody the same and make the same pools.
 */
class ServiceMapActorAgreesTest {
  private static final Duration LENGTH = Duration.ofMinutes(15);
  private static final Set<Class<?>> met = new HashSet<>();

  /**
   * One decision of the map in the simulator.
   *
   * @param pools that it has afterwards, by the names that their actors have
   */
  record Step(
      Instant at,
      ServiceMapEvent event,
      Decision<ServiceMapState, ServiceMapEffect> decision,
      Map<String, PoolId> pools) {}

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theActorTellsTheSameAsTheSimulatorsCell(long seed) {
    Histories<MapCell, Step> histories = new Histories<>();
    Witness witness =
        new Witness() {
          @Override
          public void decided(
              MapCell cell,
              ServiceMapEvent event,
              Decision<ServiceMapState, ServiceMapEffect> decision) {
            histories.add(cell, new Step(cell.life.time.now(), event, decision, pools(cell)));
          }
        };
    Run.of(seed, LENGTH, line -> {}, witness);
    MapCell longest = histories.longest();
    ServiceMapActorReplay actor = new ServiceMapActorReplay(longest.life.swarm, longest.life.begun);

    Map<String, PoolId> before = Map.of();
    for (Step step : histories.of(longest)) {
      assertThat(actor.lives(step.at(), step.event()))
          .as("%s at %s", step.event(), step.at())
          .isEqualTo(
              ServiceMapActorReplay.expected(
                  step.event(), step.decision().effects(), names(before, step.pools())));
      if (!(step.event() instanceof ServiceMapEvent.Stop)) {
        assertThat(actor.pools())
            .as("pools after %s at %s", step.event(), step.at())
            .isEqualTo(step.pools());
      }
      assertThat(actor.wakesAt())
          .as("the timer after %s at %s", step.event(), step.at())
          .isEqualTo(ReplayedTimer.expected(step.decision().state().wakeAt(), step.at()));
      met.add(step.event().getClass());
      step.decision().effects().forEach(effect -> met.add(effect.getClass()));
      before = step.pools();
    }
    assertThat(histories.of(longest)).hasSizeGreaterThan(10);
  }

  /** An actor is called by how many pools were made before it. */
  private static Map<String, PoolId> pools(MapCell cell) {
    return cell.cells().stream()
        .collect(Collectors.toMap(pool -> "pool-" + pool.visitor.incarnation(), pool -> pool.id));
  }

  /** Who is told about a pool: whoever has it now, or had it until it was forgotten. */
  private static Map<PoolId, String> names(Map<String, PoolId> before, Map<String, PoolId> after) {
    Map<PoolId, String> names = new HashMap<>();
    before.forEach((name, pool) -> names.put(pool, name));
    after.forEach((name, pool) -> names.put(pool, name));
    return names;
  }

  /** Or else the histories would show less than they seem to. */
  @AfterAll
  static void theHistoriesMeetEveryEventAndEveryEffect() {
    assertThat(met)
        .contains(
            Stream.of(ServiceMapEvent.class.getPermittedSubclasses())
                .filter(event -> event != ServiceMapEvent.Stop.class)
                .toArray(Class<?>[]::new))
        .contains(
            ServiceMapEffect.Send.class,
            ServiceMapEffect.Forget.class,
            ServiceMapEffect.RequestListing.class,
            ServiceMapEffect.StartListing.class);
  }
}
