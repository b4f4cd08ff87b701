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

  /** Sets what the entry says in a configuration, and returns the problems with it. */
  List<String> applyTo(Config config) {
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
    boolean hasFile = Kubeconfig.given(cluster.getCertificateAuthority());
    boolean hasData = Kubeconfig.given(cluster.getCertificateAuthorityData());
    config.setTrustCerts(unchecked);
    config.setDisableHostnameVerification(unchecked);
    if (unchecked && (hasFile || hasData)) {
      problem("insecure-skip-tls-verify", "not allowed with a certificate authority");
    } else if (hasFile && hasData) {
      problem("certificate-authority", "not allowed with certificate-authority-data");
    } else {
      checkTrust(config, hasFile ? "certificate-authority" : "certificate-authority-data");
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
    String url = Objects.requireNonNullElse(entry.body().getProxyUrl(), "");
    try {
      return url.isBlank() ? environmentProxy(server, environment) : Optional.of(checked(url));
    } catch (KubeconfigException unusable) {
      String place = url.isBlank() ? "" : entry.place("cluster", "proxy-url");
      problems.add(place + unusable.getMessage());
      return Optional.empty();
    }
  }

  /**
   * The proxy of the environment for a server.
   *
   * @throws KubeconfigException if it is of a kind that is not supported
   */
  static Optional<String> environmentProxy(URI server, Map<String, String> environment) {
    return EnvironmentProxy.find(server, environment)
        .map(proxy -> checked(proxy.contains("://") ? proxy : "http://" + proxy));
  }

  private static String checked(String proxy) {
    URI url =
        Kubeconfig.address(proxy)
            .filter(address -> address.getScheme().equalsIgnoreCase("http"))
            // The JDK keeps a password from the proxy, which would answer 407.
            .filter(address -> address.getRawUserInfo() == null)
            .orElseThrow(
                () ->
                    new KubeconfigException(
                        "found the proxy %s, allowed is http://HOST:PORT without a user"
                            .formatted(proxy.replaceFirst("^(\\w+://)?.*@", "$1***@"))));
    return "http://%s:%d".formatted(url.getHost(), url.getPort() < 0 ? HTTP : url.getPort());
  }

  private void problem(String member, String what) {
    problems.add(entry.place("cluster", member) + what);
  }
}
