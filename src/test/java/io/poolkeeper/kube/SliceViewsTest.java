package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.poolkeeper.model.NodeKey;
import io.poolkeeper.model.ServiceKey;
import io.poolkeeper.model.SliceView;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SliceViewsTest {
  private static final SliceView.Key KEY = new SliceView.Key("default", "web-1");
  private static final ServiceKey WEB = new ServiceKey("default", "web");

  @Test
  void view_slice_namesTheNodesOfAllEndpointsWhateverTheirConditions() {
    EndpointSlice slice =
        new EndpointSliceBuilder(Samples.slice("web-1", "web", "node-1", "node-1", "node-2"))
            .addNewEndpoint()
            .withNodeName("node-3")
            .withNewConditions()
            .withReady(false)
            .withServing(false)
            .withTerminating(true)
            .endConditions()
            .endEndpoint()
            .build();

    assertThat(SliceViews.view(slice))
        .contains(
            new SliceView(
                KEY,
                WEB,
                Set.of(new NodeKey("node-1"), new NodeKey("node-2"), new NodeKey("node-3"))));
  }

  @Test
  void view_reported9_endpointsWithoutNodeName_areCounted() {
    EndpointSlice slice =
        new EndpointSliceBuilder(Samples.slice("web-1", "web"))
            .addNewEndpoint()
            .endEndpoint()
            .addNewEndpoint()
            .withNodeName("  ")
            .endEndpoint()
            .build();

    assertThat(SliceViews.view(slice)).contains(new SliceView(KEY, WEB, Set.of(), 2));
  }

  @Test
  void view_nullEndpoints_isAnEmptySlice() {
    EndpointSlice slice = Samples.slice("web-1", "web");
    slice.setEndpoints(null);

    assertThat(SliceViews.view(slice)).contains(new SliceView(KEY, WEB, Set.of()));
  }

  @Test
  void view_withoutServiceLabel_countsForNothing() {
    EndpointSlice noLabels = Samples.slice("web-1", "web");
    noLabels.getMetadata().setLabels(null);
    EndpointSlice otherLabel = Samples.slice("web-1", "web");
    otherLabel.getMetadata().setLabels(Map.of("app", "web"));

    assertThat(SliceViews.view(noLabels)).isEmpty();
    assertThat(SliceViews.view(otherLabel)).isEmpty();
    assertThat(SliceViews.view(Samples.slice("web-1", "  "))).isEmpty();
  }
}
