package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.poolkeeper.model.Manage;
import io.poolkeeper.model.NamespaceView;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NamespaceViewsTest {
  @Test
  void view_withTheLabel_hasItsValue() {
    Manage no = new Manage(Optional.of("false"));

    assertThat(NamespaceViews.view(labelled("false")))
        .contains(new NamespaceView("shop", "u-1", no));
    assertThat(no.says()).contains(false);
  }

  @Test
  void view_withoutTheLabel_isNone() {
    Namespace bare =
        new NamespaceBuilder().withNewMetadata().withName("shop").endMetadata().build();

    assertThat(NamespaceViews.view(bare)).isEmpty();
  }

  private static Namespace labelled(String value) {
    return new NamespaceBuilder()
        .withNewMetadata()
        .withName("shop")
        .withUid("u-1")
        .addToLabels(Manage.KEY, value)
        .addToLabels("team", "a")
        .endMetadata()
        .build();
  }
}
