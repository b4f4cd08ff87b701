package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The pod of the leader that the election's Lease names. An expired Lease counts, too, as this
 * machine's clock may be wrong.
 *
 * @param port on which it serves its API: that of its container which is named {@code http}, else
 *     8558
 */
public record LeaderPod(String namespace, String name, int port) implements LeaderPlace {
  /** The annotation of the Lease with the address of a holder that listens on loopback. */
  static final String URL = "poolkeeper.io/url";

  /** A Lease names no other host: else those who may write it could choose whom commands ask. */
  private static final Pattern LOOPBACK =
      Pattern.compile("http://(127\\.0\\.0\\.1|\\[::1\\]):\\d{1,5}");

  private static final int DEFAULT_PORT = 8558;
  private static final Duration CALL = Duration.ofSeconds(10);

  /**
   * Finds the leader by the first of these Leases whose holder is a pod, or on this machine.
   *
   * @throws NoLeaderException if there is none, or if nothing can be read
   */
  public static LeaderPlace find(KubernetesClient client, String namespace, List<String> leases) {
    try (KubernetesClient once = lookupClient(client)) {
      return search(once, namespace, leases);
    }
  }

  private static Optional<URI> loopback(Lease lease) {
    return Optional.ofNullable(lease.getMetadata().getAnnotations())
        .flatMap(annotations -> Optional.ofNullable(annotations.get(URL)))
        .filter(url -> LOOPBACK.matcher(url).matches())
        .map(URI::create);
  }

  /** A client for many calls of {@link #search}, which its owner closes. */
  public static KubernetesClient lookupClient(KubernetesClient client) {
    return KubeClients.once(client, CALL);
  }

  /** The same as {@link #find}, by a client of {@link #lookupClient}. */
  public static LeaderPlace search(KubernetesClient client, String namespace, List<String> leases) {
    List<String> problems = new ArrayList<>();
    for (String name : leases) {
      String title = "Lease %s/%s".formatted(namespace, name);
      Optional<Lease> lease = lease(client, namespace, name);
      Optional<String> holder = lease.flatMap(LeaderPod::holder);
      if (holder.isEmpty()) {
        problems.add(title + (lease.isPresent() ? " is held by nobody" : " does not exist"));
        continue;
      }
      String podName = podName(holder.get());
      Pod pod = pod(client, namespace, podName);
      if (pod != null) {
        return new LeaderPod(namespace, podName, port(pod));
      }
      Optional<URI> loopback = lease.flatMap(LeaderPod::loopback);
      if (loopback.isPresent()) {
        return new LeaderPlace.Here(loopback.get());
      }
      // The holder may be gone, and another installation's Lease be renewed.
      problems.add(
          "%s is held by %s, which is no pod of namespace %s"
              .formatted(title, holder.get().replaceAll("\\s+", " "), namespace));
    }
    throw new NoLeaderException(
        String.join(", and ", problems)
            + ": name the namespace with -n and the Lease with --lease, or an address with --url");
  }

  static Optional<Lease> lease(KubernetesClient client, String namespace, String name) {
    return Optional.ofNullable(
        read(
            "get Lease %s/%s".formatted(namespace, name),
            () -> client.leases().inNamespace(namespace).withName(name).get()));
  }

  /** The holder that a Lease names, expired or not. */
  static Optional<String> holder(Lease lease) {
    return Optional.ofNullable(lease.getSpec())
        .flatMap(spec -> Optional.ofNullable(spec.getHolderIdentity()))
        .filter(holder -> !holder.isBlank());
  }

  private static String podName(String holder) {
    int end = holder.lastIndexOf('_');
    return end < 1 ? holder : holder.substring(0, end);
  }

  private static @Nullable Pod pod(KubernetesClient client, String namespace, String name) {
    return read(
        "get Pod %s/%s".formatted(namespace, name),
        () -> client.pods().inNamespace(namespace).withName(name).get());
  }

  private static int port(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .flatMap(container -> container.getPorts().stream())
        .filter(port -> Objects.equals(port.getName(), "http"))
        .map(ContainerPort::getContainerPort)
        .findFirst()
        .orElse(DEFAULT_PORT);
  }

  private static <T extends @Nullable Object> T read(String what, Supplier<T> call) {
    try {
      return call.get();
    } catch (KubernetesClientException failed) {
      throw new NoLeaderException("cannot %s: %s".formatted(what, Causes.text(failed)));
    }
  }
}
