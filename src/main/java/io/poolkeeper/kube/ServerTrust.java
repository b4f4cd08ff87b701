package io.poolkeeper.kube;

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
import org.jspecify.annotations.Nullable;

/**
 * How a client and the API server know each other: by its certificate authority and name, and by
 * the client's certificate or token. The library reads the files once, trusts the JDK's authorities
 * as well, and ignores {@code tls-server-name}. All is derived from the client's configuration, so
 * a client that has a copy of it has the same trust.
 */
final class ServerTrust {
  /** In seconds. A resumed session checks no certificate; the JDK resumes for a day. */
  private static final int RESUMED = 1;

  private ServerTrust() {}

  /** Gives it to a client that is being built with this configuration. */
  static void apply(Config of, HttpClient.Builder http) {
    if (of.getOauthTokenProvider() instanceof RenewedToken token) {
      http.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, token);
    }
    if (of.isTrustCerts() || of.getMasterUrl().startsWith("http://")) {
      return;
    }
    // Else the library warns that it does not know it.
    http.tlsServerName("");
    http.sslContext(
        clientCertificate(of).map(own -> new KeyManager[] {own}).orElse(null),
        new TrustManager[] {trust(of)});
    if (http instanceof StandardHttpClientBuilder<?, ?, ?> known) {
      SSLContext context = known.getSslContext();
      context.getClientSessionContext().setSessionTimeout(RESUMED);
    }
  }

  /**
   * Which servers are trusted.
   *
   * @throws IllegalArgumentException if the authority cannot be used
   */
  static TrustedCertificates trust(Config of) {
    TrustedCertificates authority;
    if (given(of.getCaCertData())) {
      try {
        authority = TrustedCertificates.only(decoded(of.getCaCertData()));
      } catch (GeneralSecurityException unusable) {
        throw new IllegalArgumentException(unusable.getMessage(), unusable);
      }
    } else if (given(of.getCaCertFile())) {
      authority = TrustedCertificates.only(Path.of(of.getCaCertFile()));
    } else {
      authority = TrustedCertificates.ofJdk();
    }
    return given(of.getTlsServerName()) ? authority.named(of.getTlsServerName()) : authority;
  }

  /**
   * The client's own certificate, if it has one.
   *
   * @throws IllegalArgumentException if it cannot be used
   */
  static Optional<ClientCertificate> clientCertificate(Config of) {
    if (given(of.getClientCertFile()) && given(of.getClientKeyFile())) {
      return Optional.of(
          ClientCertificate.of(Path.of(of.getClientCertFile()), Path.of(of.getClientKeyFile())));
    }
    if (!given(of.getClientCertData()) || !given(of.getClientKeyData())) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ClientCertificate.of(decoded(of.getClientCertData()), decoded(of.getClientKeyData())));
    } catch (GeneralSecurityException unusable) {
      throw new IllegalArgumentException(unusable.getMessage(), unusable);
    }
  }

  private static boolean given(@Nullable String text) {
    return text != null && !text.isBlank();
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException("found no base64", malformed);
    }
  }
}
