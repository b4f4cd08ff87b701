package io.poolkeeper.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The service account of the Pod that this program runs in, as files that Kubernetes replaces at
 * any time.
 */
final class PodAccount {
  /** How long a token that was read is used without a look at its file, as in client-go. */
  static final Duration READ_AGAIN = Duration.ofMinutes(1);

  private PodAccount() {}

  /**
   * The configuration of a client with this account.
   *
   * @param token the file of the token; those of the authority and the namespace are beside it
   * @throws KubeconfigException if a file cannot be used
   */
  static Config config(Path token, Map<String, String> environment, InstantSource wall) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(
                "https://%s:%s".formatted(host.contains(":") ? "[" + host + "]" : host, port))
            .withCaCertFile(token.resolveSibling("ca.crt").toString())
            .withNamespace(KubeClients.podNamespace(token.resolveSibling("namespace")))
            .withOauthTokenProvider(new RenewedToken(tokenIn(token, wall), wall))
            .build();
    try {
      ServerTrust.trust(config);
    } catch (IllegalArgumentException unusable) {
      throw new KubeconfigException(String.valueOf(unusable.getMessage()));
    }
    KubeconfigCluster.environmentProxy(URI.create(config.getMasterUrl()), environment)
        .ifPresent(config::setHttpsProxy);
    return config;
  }

  /** Reads the token in a file. */
  static Supplier<RenewedToken.Token> tokenIn(Path token, InstantSource wall) {
    return () -> {
      try {
        String text = Files.readString(token).strip();
        if (!RenewedToken.isToken(text)) {
          throw new KubeconfigException(token + ": holds no usable token");
        }
        return new RenewedToken.Token(text, wall.instant().plus(READ_AGAIN));
      } catch (IOException unreadable) {
        throw new KubeconfigException(token + ": cannot be read as a token");
      }
    };
  }
}
