package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
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
 * Leases, and the replicas' pods with their logs. Pods are without specification, which may hold
 * secrets. Each file is read when it is asked for, and throws if it cannot be read.
 */
public final class SupportFacts implements AutoCloseable {
  private static final String COMPONENT = "poolkeeper";

  /** The newest of them. */
  private static final int MOST_EVENTS = 1_000;

  /** Whose logs are read: evicted ones may be many. */
  private static final int MOST_PODS = 10;

  private static final int LOG_LINES = 2_000;
  private static final int LOG_BYTES = 4 << 20;
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

  /**
   * Pods and their logs by file name; also those of a container's run before. Those that run come
   * first, then the newest.
   *
   * @throws KubernetesClientException if there is none
   */
  public Map<String, Supplier<String>> pods() {
    List<Pod> pods =
        client
            .pods()
            .inNamespace(namespace)
            .withLabel("app.kubernetes.io/name", COMPONENT)
            .list()
            .getItems();
    if (pods.isEmpty()) {
      throw lacking(
          "no pod in namespace %s has the label app.kubernetes.io/name=%s: -n names another one"
              .formatted(namespace, COMPONENT));
    }
    Map<String, Supplier<String>> files = new LinkedHashMap<>();
    String states = Serialization.asYaml(pods.stream().map(SupportFacts::state).toList());
    files.put("pods.yaml", () -> states);
    pods.stream()
        .sorted(
            Comparator.comparing((Pod pod) -> Objects.equals(pod.getStatus().getPhase(), "Running"))
                .thenComparing(pod -> pod.getMetadata().getCreationTimestamp())
                .reversed())
        .limit(MOST_PODS)
        .forEach(pod -> logs(pod, files));
    if (pods.size() > MOST_PODS) {
      String rest = "logs of %d more pods".formatted(pods.size() - MOST_PODS);
      files.put(rest, without("not asked for: those of %d at most".formatted(MOST_PODS)));
    }
    return files;
  }

  private void logs(Pod pod, Map<String, Supplier<String>> files) {
    String name = pod.getMetadata().getName();
    List<ContainerStatus> containers = pod.getStatus().getContainerStatuses();
    if (containers.isEmpty()) {
      String phase = pod.getStatus().getPhase();
      files.put("logs/%s.txt".formatted(name), without("no container has begun: " + phase));
    }
    for (ContainerStatus container : containers) {
      String log = "logs/%s-%s".formatted(name, container.getName());
      files.put(log + ".txt", () -> log(name, container.getName(), false));
      if (Objects.requireNonNullElse(container.getRestartCount(), 0) > 0) {
        files.put(log + "-previous.txt", () -> log(name, container.getName(), true));
      }
    }
  }

  /** A file that cannot be had. */
  private static Supplier<String> without(String why) {
    return () -> {
      throw lacking(why);
    };
  }

  /** As an answer of the API server, so that the reason alone is shown. */
  private static KubernetesClientException lacking(String why) {
    return new KubernetesClientException(why, HttpURLConnection.HTTP_NOT_FOUND, null);
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
    try (InputStream in =
        (previous ? of.terminated() : of).tailingLines(LOG_LINES).getLogInputStream()) {
      return tail(in, LOG_BYTES);
    } catch (IOException ended) {
      throw new UncheckedIOException(ended);
    }
  }

  /** The last bytes alone, as the API server's own limit keeps the first; then a line says so. */
  static String tail(InputStream in, int most) throws IOException {
    byte[] before = {};
    byte[] last = in.readNBytes(most);
    boolean cut = false;
    for (byte[] next = in.readNBytes(most); next.length > 0; next = in.readNBytes(most)) {
      before = last;
      last = next;
      cut = true;
    }
    int kept = Math.min(before.length, most - last.length);
    String text =
        new String(before, before.length - kept, kept, StandardCharsets.UTF_8)
            + new String(last, StandardCharsets.UTF_8);
    return cut ? "(cut: the last %,d bytes)\n%s".formatted(most, text) : text;
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
