package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The part of the cluster that a support case needs: Events of Poolkeeper, and Leases. */
public final class SupportFacts {
  private static final String COMPONENT = "poolkeeper";

  /** The newest of them. */
  private static final int MOST_EVENTS = 1_000;

  private SupportFacts() {}

  /**
   * YAML texts by file name; what cannot be read has the reason instead.
   *
   * @param leases as {@code namespace/name}
   */
  public static Map<String, String> read(KubernetesClient client, List<String> leases) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("events.yaml", text(() -> Serialization.asYaml(events(client))));
    for (String lease : leases) {
      String namespace = lease.substring(0, lease.indexOf('/'));
      String name = lease.substring(lease.indexOf('/') + 1);
      files.put(
          "lease-%s.yaml".formatted(name),
          text(() -> yaml(client.leases().inNamespace(namespace).withName(name).get())));
    }
    return files;
  }

  private static List<Event> events(KubernetesClient client) {
    List<Event> all =
        client.v1().events().inAnyNamespace().withField("source", COMPONENT).list().getItems();
    return all.stream()
        .filter(event -> Objects.equals(EventWatch.component(event), COMPONENT))
        .sorted(Comparator.comparing(SupportFacts::at).reversed())
        .limit(MOST_EVENTS)
        .toList();
  }

  private static String at(Event event) {
    return Objects.requireNonNullElse(event.getLastTimestamp(), "");
  }

  private static String yaml(@Nullable Object found) {
    return found == null ? "# it does not exist\n" : Serialization.asYaml(found);
  }

  private static String text(Supplier<String> read) {
    try {
      return read.get();
    } catch (KubernetesClientException failed) {
      return "# cannot be read: %s%n".formatted(Causes.text(failed));
    }
  }
}
