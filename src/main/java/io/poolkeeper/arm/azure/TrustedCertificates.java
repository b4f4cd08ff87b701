package io.poolkeeper.arm.azure;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trusts the certificates of the JDK and, beside them, those of a PEM file. Each new connection
 * looks whether the file has changed; while a changed one cannot be used, the last one that could
 * counts. Thread-safe.
 */
final class TrustedCertificates extends X509ExtendedTrustManager {
  private static final Logger log = LoggerFactory.getLogger(TrustedCertificates.class);

  private final Path pem;
  private volatile Seen seen;

  /** The file as it was read, or could not be. */
  private record Seen(FileTime modified, X509ExtendedTrustManager trust) {}

  private TrustedCertificates(Path pem) {
    this.pem = pem;
    seen = new Seen(modified(pem), read(pem));
  }

  /**
   * Reads the file at once.
   *
   * @throws IllegalArgumentException if it cannot be read or holds no certificate
   */
  static TrustedCertificates with(Path pem) {
    return new TrustedCertificates(pem);
  }

  private X509ExtendedTrustManager trust() {
    Seen last = seen;
    FileTime modified = modified(pem);
    if (modified.equals(last.modified())) {
      return last.trust();
    }
    try {
      seen = new Seen(modified, read(pem));
      log.info("trust-ca-file={} certificates=taken-up", pem);
    } catch (IllegalArgumentException unusable) {
      seen = new Seen(modified, last.trust());
      log.warn("trust-ca-file={} certificates=kept error=\"{}\"", pem, unusable.getMessage());
    }
    return seen.trust();
  }

  private static FileTime modified(Path pem) {
    try {
      return Files.getLastModifiedTime(pem);
    } catch (IOException gone) {
      return FileTime.fromMillis(0);
    }
  }

  private static X509ExtendedTrustManager read(Path pem) {
    try (InputStream in = Files.newInputStream(pem)) {
      Collection<? extends Certificate> added =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (added.isEmpty()) {
        throw refused(pem, "no certificate", null);
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      List<Certificate> all = new ArrayList<>(List.of(manager(null).getAcceptedIssuers()));
      all.addAll(added);
      for (int number = 0; number < all.size(); number++) {
        store.setCertificateEntry("trusted-" + number, all.get(number));
      }
      return manager(store);
    } catch (IOException | GeneralSecurityException e) {
      throw refused(pem, e.toString(), e);
    }
  }

  private static IllegalArgumentException refused(
      Path pem, String found, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "azure.trust-ca-file: %s: found %s, allowed is a file of PEM certificates"
            .formatted(pem, Failures.line(found)),
        cause);
  }

  private static X509ExtendedTrustManager manager(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return Stream.of(factory.getTrustManagers())
        .filter(X509ExtendedTrustManager.class::isInstance)
        .map(X509ExtendedTrustManager.class::cast)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    trust().checkServerTrusted(chain, type, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    trust().checkServerTrusted(chain, type, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trust().checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("no server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("no server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("no server");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust().getAcceptedIssuers();
  }
}
