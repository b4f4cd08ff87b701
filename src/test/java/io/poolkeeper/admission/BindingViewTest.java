package io.poolkeeper.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.model.PoolReference;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BindingViewTest {
  private static final String ID =
      "/subscriptions/s-1/resourceGroups/rg-1/providers/Microsoft.Network/loadBalancers/lb-1"
          + "/backendAddressPools/web";

  @Test
  void view_hasATargetOrProblems() {
    BindingView valid = BindingFixtures.view("web", "web");

    assertThat(BindingFixtures.wrong(valid).problems()).containsExactly("spec.ipFamily: IPv5");
    assertThatThrownBy(() -> BindingFixtures.with(valid, valid.target(), List.of("p")))
        .hasMessage("shop/web: a target, or problems");
    assertThatThrownBy(() -> BindingFixtures.with(valid, Optional.empty(), List.of()))
        .hasMessage("shop/web: a target, or problems");
  }

  @Test
  void reference_fullId_needsNoConfiguration() {
    assertThat(PoolReference.parse(ID).map(pool -> pool.in("other", "other").path())).contains(ID);
    assertThat(PoolReference.parse(ID.toUpperCase(Locale.ROOT))).isPresent();
  }

  @Test
  void reference_noIdOfAPool_isNone() {
    assertThat(PoolReference.parse(ID + "/x")).isEmpty();
    assertThat(PoolReference.parse("x" + ID)).isEmpty();
    assertThat(PoolReference.parse(ID.replace(".", "x"))).isEmpty();
    assertThat(PoolReference.parse(ID.replace("rg-1", ""))).isEmpty();
  }

  @Test
  void reference_byName_isCompletedFromTheConfiguration() {
    PoolReference byName = new PoolReference(Optional.empty(), Optional.empty(), "lb-1", "web");

    assertThat(byName.in("s-1", "rg-1").path()).isEqualTo(ID);
    assertThat(
            new PoolReference(Optional.empty(), Optional.of("rg-1"), "lb-1", "web")
                .in("s-1", "other")
                .path())
        .isEqualTo(ID);
  }
}
