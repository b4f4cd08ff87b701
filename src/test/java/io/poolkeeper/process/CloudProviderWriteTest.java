package io.poolkeeper.process;

import static io.poolkeeper.process.AdminStateWorld.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.Address;
import io.poolkeeper.model.PoolId;
import io.poolkeeper.pool.InMemoryArm;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The way from the cloud provider's word to what it has written, through the real actors. */
class CloudProviderWriteTest {
  private static final Set<Address> WANTED = Set.of(Address.of("10.0.0.4"));

  private final AdminStateWorld world = new AdminStateWorld("lb-1", "lb-2");
  private final PoolId pool = world.show("lb-1", "default-web", "10.0.0.4");
  private int listings;

  @BeforeEach
  void damaged() {
    world.start(Set.of(pool), Set.of("n4"), node("n4"));
    world.show("lb-1", "default-web");
    listings = world.arm.listings();
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aDamagedPoolIsReadAndRepairedWithoutAListing() {
    world.cloudProviderWrote();
    world.pass(Duration.ofSeconds(2));

    assertThat(world.arm.calls())
        .containsExactly("GET default-web", "GET default-web", "PUT default-web");
    assertThat(world.arm.addresses(pool)).isEqualTo(WANTED);
    assertThat(world.arm.listings()).isEqualTo(listings);
  }

  @Test
  void aLookThatFailsIsLeftToAListing() {
    world.arm.refuseGet(InMemoryArm.refusal(500, "InternalServerError"));

    world.cloudProviderWrote();
    world.pass(Duration.ofSeconds(4));

    assertThat(world.arm.addresses(pool)).isEqualTo(WANTED);
    assertThat(world.arm.listings()).isEqualTo(listings + 1);
  }
}
