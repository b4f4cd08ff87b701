package io.poolkeeper.kube;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.poolkeeper.kube.binding.BackendPoolBinding;
import io.poolkeeper.model.Loopback;
import io.poolkeeper.watch.WatchLiveness;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Clients of the API server: from a named kubeconfig, else {@code KUBECONFIG}, else {@code
 * ~/.kube/config}, else the Pod's service account. Every call has a timeout, and a watch that
 * cannot be opened is tried again after 250 ms, doubling to 8 s.
 */
public final class KubeClients {
  /**
   * The kinds that are watched. Without such a list the library looks for all kinds that exist, and
   * loads hundreds of classes. A kind that is read by its type needs no entry.
   */
  private static final KubernetesSerialization KINDS =
      new KubernetesSerialization(new ObjectMapper(), false);

  static {
    Stream.of(
            BackendPoolBinding.class,
            EndpointSlice.class,
            Event.class,
            Namespace.class,
            Node.class,
            Service.class,
            Status.class)
        .forEach(KINDS::registerKubernetesResource);
  }

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration REQUEST = Duration.ofSeconds(30);

  /** The whole body of an answer, a list of a large cluster over a slow connection among them. */
  private static final Duration WHOLE = Duration.ofMinutes(5);

  /** The body of an answer may take a fifth of the time of its call. */
  private static final int BODY_SHARE = 5;

  /** A tenth for one object, whose body comes with the headers. */
  private static final int OBJECT_BODY_SHARE = 10;

  private static final Duration RECONNECT = Duration.ofMillis(250);

  /** Retries of a call, after 100 ms and doubling; further ones are the caller's decision. */
  private static final int RETRIES = 2;

  /** For a cluster behind a tunnel of another kind. */
  private static final String PLAIN_HTTP = "POOLKEEPER_KUBE_PLAIN_HTTP";

  private static final Path SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token");

  private static final String NAMESPACE_OUTSIDE_POD = "kube-system";

  private KubeClients() {}

  /**
   * Creates a client for the current context; it connects on first use.
   *
   * @param kubeconfig a file to use instead of the places above
   * @param wall says when a token has expired
   * @throws KubeconfigException if none of them exists, or the file is unusable
   */
  public static KubernetesClient create(Optional<Path> kubeconfig, InstantSource wall) {
    return create(kubeconfig, Optional.empty(), wall);
  }

  /**
   * A client for another context of the kubeconfig than its current one.
   *
   * @throws KubeconfigException also if there is no such context
   */
  public static KubernetesClient create(
      Optional<Path> kubeconfig, Optional<String> context, InstantSource wall) {
    Map<String, String> environment = System.getenv();
    // HOME first, as kubectl: the JDK's user.home comes from the list of users, which may lack a
    // Pod's user.
    String home = environment.getOrDefault("HOME", System.getProperty("user.home", "/"));
    Config config =
        configuration(kubeconfig, context, environment, Path.of(home), SERVICE_ACCOUNT, wall);
    requireTls(config, environment);
    return client(config);
  }

  /** Refuses a server that is not checked: anybody on the way would read the token, or answer. */
  static void requireTls(Config config, Map<String, String> environment) {
    URI server = URI.create(config.getMasterUrl());
    boolean plain = "http".equalsIgnoreCase(server.getScheme());
    boolean unchecked = plain || config.isTrustCerts();
    boolean onThisMachine =
        Loopback.is(server)
            && Stream.of(config.getHttpProxy(), config.getHttpsProxy())
                .allMatch(proxy -> proxy == null || Loopback.is(URI.create(proxy)));
    if (unchecked && !onThisMachine && !"true".equals(environment.get(PLAIN_HTTP))) {
      throw new KubeconfigException(
          "kubeconfig: server: found %s%s, allowed is https%s, or a server on this machine; %s=true allows it all the same"
              .formatted(
                  config.getMasterUrl(),
                  plain ? "" : " with insecure-skip-tls-verify",
                  plain ? "" : " with its certificate-authority",
                  PLAIN_HTTP));
    }
  }

  /**
   * A client with the settings of another one, which stays open when this is closed. Each call is
   * tried once, and ends within a time, body included. The caller decides whether to try again.
   */
  static KubernetesClient once(KubernetesClient other, Duration call) {
    return once(other, call, call.dividedBy(BODY_SHARE));
  }

  /**
   * The same for calls about one Lease, which must end soon, and yet be answered by an API server 2
   * s away: a new connection costs two answers, that to the client's TLS among them.
   */
  static KubernetesClient onceForLease(KubernetesClient other, Duration call) {
    return once(other, call, call.dividedBy(OBJECT_BODY_SHARE));
  }

  private static KubernetesClient once(KubernetesClient other, Duration call, Duration body) {
    int headers = (int) call.minus(body).toMillis();
    Config config =
        new ConfigBuilder(other.getConfiguration())
            .withRequestTimeout(headers)
            .withConnectionTimeout(headers)
            .withRequestRetryBackoffLimit(0)
            .build();
    return build(config, new AnswerLimits(body, body, WatchLiveness.Limits.SHIPPED.silent()));
  }

  /** The limits of answers to calls whose time is not bounded otherwise. */
  static AnswerLimits answerLimits(Duration silent) {
    return new AnswerLimits(REQUEST.compareTo(silent) < 0 ? REQUEST : silent, WHOLE, silent);
  }

  static KubernetesClient build(Config config, Interceptor... interceptors) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(KINDS)
        .withHttpClientBuilderConsumer(
            http -> {
              ServerTrust.apply(config, http);
              for (Interceptor interceptor : interceptors) {
                http.addOrReplaceInterceptor(interceptor.getClass().getName(), interceptor);
              }
            })
        .build();
  }

  /** The namespace of this Pod; outside of a Pod, that of the cluster's own parts. */
  public static String podNamespace() {
    return podNamespace(SERVICE_ACCOUNT.resolveSibling("namespace"));
  }

  static String podNamespace(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file).strip() : NAMESPACE_OUTSIDE_POD;
    } catch (IOException unreadable) {
      throw new KubeconfigException(file + ": cannot be read");
    }
  }

  static Config configuration(
      Optional<Path> named,
      Optional<String> context,
      Map<String, String> environment,
      Path home,
      Path serviceAccount,
      InstantSource wall) {
    Path usual = home.resolve(".kube").resolve("config");
    List<Path> files =
        named.map(List::of).orElseGet(() -> paths(environment.getOrDefault("KUBECONFIG", "")));
    if (files.isEmpty() && Files.exists(usual)) {
      files = List.of(usual);
    }
    if (!files.isEmpty()) {
      return Kubeconfig.config(files, context, environment, KINDS, wall);
    }
    if (environment.containsKey("KUBERNETES_SERVICE_HOST") && Files.exists(serviceAccount)) {
      return PodAccount.config(serviceAccount, environment, wall);
    }
    throw new KubeconfigException(
        "no kubeconfig: KUBECONFIG is not set, %s does not exist, and this is no Pod with a service"
                .formatted(usual)
            + " account; set KUBECONFIG to the file of the cluster");
  }

  private static List<Path> paths(String list) {
    return Arrays.stream(list.split(File.pathSeparator))
        .filter(text -> !text.isBlank())
        .map(Path::of)
        .toList();
  }

  static KubernetesClient client(Config kubeconfig) {
    boolean plain = kubeconfig.getMasterUrl().startsWith("http://");
    Config config =
        new ConfigBuilder(kubeconfig)
            .withConnectionTimeout((int) CONNECT.toMillis())
            .withRequestTimeout((int) REQUEST.toMillis())
            .withRequestRetryBackoffLimit(RETRIES)
            .withWatchReconnectInterval((int) RECONNECT.toMillis())
            .withWatchReconnectLimit(-1)
            .withUserAgent("poolkeeper")
            // Over TLS the JDK's WebSocket may miss that its connection has ended while events
            // arrive, and the watch would be dead for minutes. The lab's server supports only
            // WebSocket watches.
            .withOnlyHttpWatches(!plain)
            // All calls over HTTP/2 share a connection, and none leaves it when it is dead. A call
            // over HTTP/1.1 that gets no answer closes its own.
            .withHttp2Disable(true)
            .build();
    return build(config, answerLimits(WatchLiveness.Limits.SHIPPED.silent()));
  }
}
