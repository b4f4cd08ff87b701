package io.poolkeeper.lab.judge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * Every version of every binding, as the API server had them. The embedded server says so before it
 * answers who wrote; a real one is watched, and says so a little later.
 */
public final class BindingHistory {
  /** The resource, without the controller's own classes. */
  public static final ResourceDefinitionContext BINDINGS =
      new ResourceDefinitionContext.Builder()
          .withGroup("poolkeeper.io")
          .withVersion("v1alpha1")
          .withKind("BackendPoolBinding")
          .withPlural("backendpoolbindings")
          .withNamespaced(true)
          .build();

  private static final String PATH = "/apis/poolkeeper.io/v1alpha1/";

  private final LongSupplier nanos;
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, List<Version>> versions = new ConcurrentHashMap<>();

  public BindingHistory(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A version of a binding; one that was removed is as it was before. */
  public record Version(long nanos, JsonNode object, boolean removed) {
    public String name() {
      return object.at("/metadata/name").asText();
    }

    boolean deleted() {
      return removed || object.at("/metadata").hasNonNull("deletionTimestamp");
    }
  }

  /** What the embedded server says of any object. */
  public void changed(String path, String object, boolean removed) {
    if (path.startsWith(PATH)) {
      add(object, removed);
    }
  }

  private void add(String object, boolean removed) {
    try {
      Version version = new Version(nanos.getAsLong(), json.readTree(object), removed);
      versions.computeIfAbsent(version.name(), any -> new CopyOnWriteArrayList<>()).add(version);
    } catch (JsonProcessingException malformed) {
      throw new IllegalArgumentException(malformed);
    }
  }

  public Watch watch(KubernetesClient client) {
    return client
        .genericKubernetesResources(BINDINGS)
        .inAnyNamespace()
        .watch(
            new Watcher<>() {
              @Override
              public void eventReceived(Action action, GenericKubernetesResource object) {
                add(client.getKubernetesSerialization().asJson(object), action == Action.DELETED);
              }

              @Override
              public void onClose(WatcherException cause) {}
            });
  }

  public List<Version> of(String name) {
    return List.copyOf(versions.getOrDefault(name, List.of()));
  }

  /** The version that is there now; empty if none is. */
  Optional<Version> latest(String name) {
    return of(name).stream().reduce((before, after) -> after).filter(version -> !version.removed());
  }
}
