package io.poolkeeper.armsim.model;

import static io.poolkeeper.armsim.model.Calls.GROUP;
import static io.poolkeeper.armsim.model.Calls.LB;
import static io.poolkeeper.armsim.model.Calls.POOL;
import static io.poolkeeper.armsim.model.Calls.get;
import static io.poolkeeper.armsim.model.Calls.pool;
import static io.poolkeeper.armsim.model.Calls.text;
import static io.poolkeeper.armsim.model.Calls.written;
import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.model.LoadBalancerId;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The getters of a running simulator. */
class BalancersTest {
  private final ArmModel model = new ArmModel(Calls.counting(), 100, 1);

  @BeforeEach
  void threeLoadBalancers() {
    written(model, GROUP, "{\"location\":\"eastus\"}");
    Stream.of(LB, LB + "2", LB + "3").forEach(id -> written(model, id, "{\"location\":\"x\"}"));
  }

  @Test
  void aPicture_staysAsItWasWhileTheModelChanges() {
    ResourceMap before = model.resources();
    written(model, POOL, pool("a=10.0.0.1"));
    model.handle(Calls.delete(LB + "2"));
    assertThat(before.balancers())
        .hasSize(3)
        .allSatisfy(lb -> assertThat(lb.poolNames()).isEmpty());
    LoadBalancerId changed = new LoadBalancerId("S", "RG", "LB");
    assertThat(model.resources().balancers()).hasSize(2);
    assertThat(model.resources().balancer(changed).orElseThrow().poolNames()).containsExactly("p");
  }

  @Test
  void pools_keepTheOrderOfTheirCreationWhenOneIsWrittenOrGoes() {
    for (String name : new String[] {"z", "a", "m"}) {
      written(model, LB + "/backendAddressPools/" + name, pool());
    }
    written(model, LB + "/backendAddressPools/A", pool("x=10.0.0.1"));
    LoadBalancerId id = new LoadBalancerId("s", "rg", "lb");
    assertThat(model.resources().balancer(id).orElseThrow().poolNames())
        .containsExactly("z", "a", "m");
    model.handle(Calls.delete(LB + "/backendAddressPools/a"));
    assertThat(model.resources().balancer(id).orElseThrow().poolNames()).containsExactly("z", "m");
    assertThat(text(model.handle(get(LB)))).doesNotContain("10.0.0.1");
  }
}
