package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The part of the cluster that a support case needs, most of all if no replica leads: Events,
 * Leases, and the replicas' pods with their logs. Of a pod only what it is, as its specification
 * may hold secrets. Each file is read when it is asked for, and throws if it cannot be read.
 */
public final class SupportFacts implements AutoCloseable {
  private static final String COMPONENT = "poolkeeper";

  /** The newest of them. */
  private static final int MOST_EVENTS = 1_000;

  private static final int LOG_LINES = 2_000;
  private static final Duration CALL = Duration.ofSeconds(20);

  private final KubernetesClient client;
  private final String namespace;

  /** The client stays open; the namespace is that of the replicas. */
  public SupportFacts(KubernetesClient of, String namespace) {
    client = KubeClients.once(of, CALL);
    this.namespace = namespace;
  }

  /**
   * Events and Leases by file name.
   *
   * @param leases as {@code namespace/name}
   */
  public Map<String, Supplier<String>> files(List<String> leases) {
    Map<String, Supplier<String>> files = new LinkedHashMap<>();
    files.put("events.yaml", this::own);
    files.put("namespace-events.yaml", this::namespaceEvents);
    for (String lease : leases) {
      String where = lease.substring(0, lease.indexOf('/'));
      String name = lease.substring(lease.indexOf('/') + 1);
      files.put("lease-%s.yaml".formatted(name), () -> lease(where, name));
    }
    return files;
  }

  /** Pods and their logs by file name; also those of a container's run before. */
  public Map<String, Supplier<String>> pods() {
    List<Pod> pods =
        client
            .pods()
            .inNamespace(namespace)
            .withLabel("app.kubernetes.io/name", COMPONENT)
            .list()
            .getItems();
    Map<String, Supplier<String>> files = new LinkedHashMap<>();
    String states = Serialization.asYaml(pods.stream().map(SupportFacts::state).toList());
    files.put("pods.yaml", () -> states);
    for (Pod pod : pods) {
      String name = pod.getMetadata().getName();
      for (ContainerStatus container : pod.getStatus().getContainerStatuses()) {
        String log = "logs/%s-%s".formatted(name, container.getName());
        files.put(log + ".txt", () -> log(name, container.getName(), false));
        if (Objects.requireNonNullElse(container.getRestartCount(), 0) > 0) {
          files.put(log + "-previous.txt", () -> log(name, container.getName(), true));
        }
      }
    }
    return files;
  }

  private static Pod state(Pod pod) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(pod.getMetadata().getNamespace())
        .withName(pod.getMetadata().getName())
        .withLabels(pod.getMetadata().getLabels())
        .withCreationTimestamp(pod.getMetadata().getCreationTimestamp())
        .withDeletionTimestamp(pod.getMetadata().getDeletionTimestamp())
        .endMetadata()
        .withStatus(pod.getStatus())
        .build();
  }

  private String log(String pod, String container, boolean previous) {
    ContainerResource of =
        client
            .pods()
            .inNamespace(namespace)
            .withName(pod)
            .inContainer(container)
            .withReadyWaitTimeout(0);
    return (previous ? of.terminated() : of).tailingLines(LOG_LINES).getLog();
  }

  private String own() {
    return newest(
        client
            .v1()
            .events()
            .inAnyNamespace()
            .withField("source", COMPONENT)
            .list()
            .getItems()
            .stream()
            .filter(event -> Objects.equals(EventWatch.component(event), COMPONENT))
            .toList());
  }

  /** Such as why a pod does not start. */
  private String namespaceEvents() {
    return newest(client.v1().events().inNamespace(namespace).list().getItems());
  }

  /** The newest events; new clients and old ones say in different places when one was. */
  static String newest(List<Event> all) {
    return Serialization.asYaml(
        all.stream()
            .sorted(Comparator.comparing(PreemptEvents::last).reversed())
            .limit(MOST_EVENTS)
            .toList());
  }

  private String lease(String where, String name) {
    return Optional.ofNullable(client.leases().inNamespace(where).withName(name).get())
        .map(Serialization::asYaml)
        .orElse("# it does not exist\n");
  }

  @Override
  public void close() {
    client.close();
  }
}
