package io.poolkeeper.arm.azure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The certificates to trust: those of the JDK and, beside them, those of a PEM file. */
final class TrustedCertificates {
  private TrustedCertificates() {}

  /**
   * Reads the file at once.
   *
   * @throws IllegalArgumentException if it cannot be read or holds no certificate
   */
  static TrustManagerFactory with(Path pem) {
    try (InputStream in = Files.newInputStream(pem)) {
      Collection<? extends Certificate> added =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (added.isEmpty()) {
        throw refused(pem, "no certificate", null);
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      List<Certificate> all = new ArrayList<>(jdk());
      all.addAll(added);
      for (int number = 0; number < all.size(); number++) {
        store.setCertificateEntry("trusted-" + number, all.get(number));
      }
      return factory(store);
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

  private static List<X509Certificate> jdk() throws GeneralSecurityException {
    return Stream.of(factory(null).getTrustManagers())
        .filter(X509TrustManager.class::isInstance)
        .map(X509TrustManager.class::cast)
        .flatMap(trust -> Stream.of(trust.getAcceptedIssuers()))
        .toList();
  }

  private static TrustManagerFactory factory(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }
}
