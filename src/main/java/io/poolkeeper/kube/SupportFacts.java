package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.TailPrettyLoggable;
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

  private static final int MAX_EVENTS = 1_000;

  /** Evicted pods may be many. */
  private static final int MAX_PODS_WITH_LOGS = 10;

  private static final int MAX_LOG_LINES = 2_000;
  private static final int MAX_LOG_BYTES = 4 << 20;
  private static final Duration CALL = Duration.ofSeconds(20);

  private final KubernetesClient client;
  private final String namespace;

  /** The client stays open; the namespace is that of the replicas. */
  public SupportFacts(KubernetesClient other, String namespace) {
    client = KubeClients.once(other, CALL);
    this.namespace = namespace;
  }

  /**
   * Events and Leases by file name.
   *
   * @param leases as {@code namespace/name}
   */
  public Map<String, Supplier<String>> files(List<String> leases) {
    Map<String, Supplier<String>> files = new LinkedHashMap<>();
    files.put("events.yaml", this::ownEvents);
    files.put("namespace-events.yaml", this::namespaceEvents);
    for (String lease : leases) {
      String leaseNamespace = lease.substring(0, lease.indexOf('/'));
      String name = lease.substring(lease.indexOf('/') + 1);
      files.put("lease-%s.yaml".formatted(name), () -> lease(leaseNamespace, name));
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
      throw notFound(
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
        .limit(MAX_PODS_WITH_LOGS)
        .forEach(pod -> addLogs(pod, files));
    if (pods.size() > MAX_PODS_WITH_LOGS) {
      String rest = "logs of %d more pods".formatted(pods.size() - MAX_PODS_WITH_LOGS);
      files.put(rest, missing("not asked for: those of %d at most".formatted(MAX_PODS_WITH_LOGS)));
    }
    return files;
  }

  private void addLogs(Pod pod, Map<String, Supplier<String>> files) {
    String name = pod.getMetadata().getName();
    List<ContainerStatus> containers = pod.getStatus().getContainerStatuses();
    if (containers.isEmpty()) {
      String phase = pod.getStatus().getPhase();
      files.put("logs/%s.txt".formatted(name), missing("no container has begun: " + phase));
    }
    for (ContainerStatus container : containers) {
      String log = "logs/%s-%s".formatted(name, container.getName());
      files.put(log + ".txt", () -> log(container(name, container.getName())));
      if (Objects.requireNonNullElse(container.getRestartCount(), 0) > 0) {
        files.put(
            log + "-previous.txt", () -> log(container(name, container.getName()).terminated()));
      }
    }
  }

  /** A file that cannot be read. */
  private static Supplier<String> missing(String reason) {
    return () -> {
      throw notFound(reason);
    };
  }

  /** A failure in the form of an answer of the API server, so that the reason alone is shown. */
  private static KubernetesClientException notFound(String reason) {
    return new KubernetesClientException(reason, HttpURLConnection.HTTP_NOT_FOUND, null);
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

  private ContainerResource container(String pod, String name) {
    return client
        .pods()
        .inNamespace(namespace)
        .withName(pod)
        .inContainer(name)
        .withReadyWaitTimeout(0);
  }

  private static String log(TailPrettyLoggable container) {
    try (InputStream in = container.tailingLines(MAX_LOG_LINES).getLogInputStream()) {
      return lastBytes(in, MAX_LOG_BYTES);
    } catch (IOException ended) {
      throw new UncheckedIOException(ended);
    }
  }

  /**
   * The last bytes of a stream, with a line that says so if there are more. The API server's own
   * limit would keep the first ones.
   */
  static String lastBytes(InputStream in, int max) throws IOException {
    byte[] before = {};
    byte[] last = in.readNBytes(max);
    boolean cut = false;
    for (byte[] next = in.readNBytes(max); next.length > 0; next = in.readNBytes(max)) {
      before = last;
      last = next;
      cut = true;
    }
    int kept = Math.min(before.length, max - last.length);
    String text =
        new String(before, before.length - kept, kept, StandardCharsets.UTF_8)
            + new String(last, StandardCharsets.UTF_8);
    return cut ? "(cut: the last %,d bytes)\n%s".formatted(max, text) : text;
  }

  private String ownEvents() {
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

  /** The events of the namespace, such as why a pod does not start. */
  private String namespaceEvents() {
    return newest(client.v1().events().inNamespace(namespace).list().getItems());
  }

  static String newest(List<Event> events) {
    return Serialization.asYaml(
        events.stream()
            .sorted(Comparator.comparing(PreemptEvents::latestTime).reversed())
            .limit(MAX_EVENTS)
            .toList());
  }

  private String lease(String leaseNamespace, String name) {
    return Optional.ofNullable(client.leases().inNamespace(leaseNamespace).withName(name).get())
        .map(Serialization::asYaml)
        .orElse("# it does not exist\n");
  }

  @Override
  public void close() {
    client.close();
  }
}
