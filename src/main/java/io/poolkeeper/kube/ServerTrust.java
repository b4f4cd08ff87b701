package io.poolkeeper.kube;

import static io.poolkeeper.kube.Kubeconfig.given;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import io.poolkeeper.tls.ClientCertificate;
import io.poolkeeper.tls.TrustedCertificates;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * How a client and the API server know each other: by its certificate authority and name, and by
 * the client's certificate or token. The library reads the files once, trusts the JDK's authorities
 * as well, and ignores {@code tls-server-name}. All is derived from the client's configuration, so
 * a client that has a copy of it has the same trust.
 */
final class ServerTrust {
  /** How long a session can be resumed, as that checks no certificate; in the JDK a day. */
  private static final int SESSION_SECONDS = 1;

  private ServerTrust() {}

  /** Adds the trust of a configuration to a client that is being built with it. */
  static void apply(Config config, HttpClient.Builder http) {
    if (config.getOauthTokenProvider() instanceof RenewedToken token) {
      http.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, token);
    }
    if (config.isTrustCerts() || config.getMasterUrl().startsWith("http://")) {
      return;
    }
    // Otherwise the library warns that it does not support a name.
    http.tlsServerName("");
    http.sslContext(
        clientCertificate(config).map(own -> new KeyManager[] {own}).orElse(null),
        new TrustManager[] {trust(config)});
    if (http instanceof StandardHttpClientBuilder<?, ?, ?> known) {
      SSLContext context = known.getSslContext();
      context.getClientSessionContext().setSessionTimeout(SESSION_SECONDS);
    }
  }

  /**
   * Which servers are trusted.
   *
   * @throws IllegalArgumentException if the authority cannot be used
   */
  static TrustedCertificates trust(Config config) {
    TrustedCertificates authority;
    if (given(config.getCaCertData())) {
      try {
        authority = TrustedCertificates.only(decoded(config.getCaCertData()));
      } catch (GeneralSecurityException unusable) {
        throw new IllegalArgumentException(unusable.getMessage(), unusable);
      }
    } else if (given(config.getCaCertFile())) {
      authority = TrustedCertificates.only(Path.of(config.getCaCertFile()));
    } else {
      authority = TrustedCertificates.ofJdk();
    }
    return given(config.getTlsServerName())
        ? authority.named(config.getTlsServerName())
        : authority;
  }

  /**
   * The client's own certificate, if it has one.
   *
   * @throws IllegalArgumentException if it cannot be used
   */
  static Optional<ClientCertificate> clientCertificate(Config config) {
    if (given(config.getClientCertFile()) && given(config.getClientKeyFile())) {
      return Optional.of(
          ClientCertificate.of(
              Path.of(config.getClientCertFile()), Path.of(config.getClientKeyFile())));
    }
    if (!given(config.getClientCertData()) || !given(config.getClientKeyData())) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ClientCertificate.of(
              decoded(config.getClientCertData()), decoded(config.getClientKeyData())));
    } catch (GeneralSecurityException unusable) {
      throw new IllegalArgumentException(unusable.getMessage(), unusable);
    }
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException("found no base64", malformed);
    }
  }
}
