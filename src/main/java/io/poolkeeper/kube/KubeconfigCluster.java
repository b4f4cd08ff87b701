package io.poolkeeper.kube;

import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.client.Config;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The server of a kubeconfig: its address, how it is trusted, and the proxy to it. A proxy of the
 * file comes before one of the environment, and has no exceptions.
 */
final class KubeconfigCluster {
  private static final int HTTP = 80;

  private final Kubeconfig.Entry<Cluster> entry;
  private final Map<String, String> environment;
  private final List<String> problems = new ArrayList<>();

  KubeconfigCluster(Kubeconfig.Entry<Cluster> entry, Map<String, String> environment) {
    this.entry = entry;
    this.environment = environment;
  }

  /** Sets it, and returns what is wrong. */
  List<String> into(Config config) {
    Cluster cluster = entry.body();
    Optional<URI> server =
        Kubeconfig.address(cluster.getServer())
            .filter(url -> url.getScheme().matches("(?i)https?"));
    if (server.isEmpty()) {
      problem("server", "found %s, allowed is https://HOST:PORT".formatted(cluster.getServer()));
      return problems;
    }
    config.setMasterUrl(server.get().toString());
    config.setTlsServerName(cluster.getTlsServerName());
    config.setCaCertData(cluster.getCertificateAuthorityData());
    config.setCaCertFile(Kubeconfig.resolved(entry.file(), cluster.getCertificateAuthority()));
    boolean unchecked = Boolean.TRUE.equals(cluster.getInsecureSkipTlsVerify());
    boolean file = Kubeconfig.given(cluster.getCertificateAuthority());
    boolean data = Kubeconfig.given(cluster.getCertificateAuthorityData());
    config.setTrustCerts(unchecked);
    config.setDisableHostnameVerification(unchecked);
    if (unchecked && (file || data)) {
      problem("insecure-skip-tls-verify", "not allowed with a certificate authority");
    } else if (file && data) {
      problem("certificate-authority", "not allowed with certificate-authority-data");
    } else {
      checkTrust(config, file ? "certificate-authority" : "certificate-authority-data");
    }
    proxy(server.get()).ifPresent(config::setHttpProxy);
    config.setHttpsProxy(config.getHttpProxy());
    return problems;
  }

  private void checkTrust(Config config, String member) {
    try {
      ServerTrust.trust(config);
    } catch (IllegalArgumentException unusable) {
      problem(member, String.valueOf(unusable.getMessage()));
    }
  }

  private Optional<String> proxy(URI server) {
    String own = Objects.requireNonNullElse(entry.body().getProxyUrl(), "");
    try {
      return own.isBlank() ? environmentProxy(server, environment) : Optional.of(usable(own));
    } catch (KubeconfigException unusable) {
      problems.add(
          own.isBlank()
              ? String.valueOf(unusable.getMessage())
              : entry.at("cluster", "proxy-url") + unusable.getMessage());
      return Optional.empty();
    }
  }

  /**
   * The proxy of the environment for a server.
   *
   * @throws KubeconfigException if it is of a kind that is not supported
   */
  static Optional<String> environmentProxy(URI server, Map<String, String> environment) {
    return EnvironmentProxy.of(server, environment)
        .map(proxy -> usable(proxy.contains("://") ? proxy : "http://" + proxy));
  }

  private static String usable(String proxy) {
    URI url =
        Kubeconfig.address(proxy)
            // The JDK keeps a password from the proxy, which would answer 407.
            .filter(known -> known.getScheme().equalsIgnoreCase("http") && userless(known))
            .orElseThrow(
                () ->
                    new KubeconfigException(
                        "found the proxy %s, allowed is http://HOST:PORT without a user"
                            .formatted(proxy.replaceFirst("^(\\w+://)?.*@", "$1***@"))));
    return "http://%s:%d".formatted(url.getHost(), url.getPort() < 0 ? HTTP : url.getPort());
  }

  private static boolean userless(URI url) {
    return url.getRawUserInfo() == null;
  }

  private void problem(String member, String what) {
    problems.add(entry.at("cluster", member) + what);
  }
}
