package io.poolkeeper.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.model.IpFamily;
import io.poolkeeper.model.PoolReference;
import io.poolkeeper.model.ServiceKey;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BindingViewTest {
  private static final String ID =
      "/subscriptions/s-1/resourceGroups/rg-1/providers/Microsoft.Network/loadBalancers/lb-1"
          + "/backendAddressPools/web";

  private static BindingView view(Optional<BindingTarget> target, List<String> problems) {
    AdmissionSubject subject = new AdmissionSubject(List.of(), List.of(), true, false, false);
    return new BindingView(
        new BindingKey("default", "web"), "u", "1", 1, false, target, problems, Set.of(), subject);
  }

  @Test
  void view_hasATargetOrProblems() {
    BindingTarget target =
        new BindingTarget(
            new ServiceKey("default", "web"),
            PoolReference.parse(ID).orElseThrow(),
            IpFamily.IPV4,
            Ownership.SHARED,
            Optional.empty(),
            Optional.empty());

    assertThat(view(Optional.of(target), List.of()).target()).contains(target);
    assertThat(view(Optional.empty(), List.of("p")).problems()).containsExactly("p");
    assertThatThrownBy(() -> view(Optional.of(target), List.of("p")))
        .hasMessage("default/web: a target, or problems");
    assertThatThrownBy(() -> view(Optional.empty(), List.of()))
        .hasMessage("default/web: a target, or problems");
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
