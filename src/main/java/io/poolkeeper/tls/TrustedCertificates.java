package io.poolkeeper.tls;

import io.poolkeeper.model.Address;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts servers with a certificate of given authorities, for the host of the connection or for one
 * given name instead. Files are read again for each new connection ({@link ChangingFiles}).
 * Thread-safe.
 *
 * <p>Invariant: a server is trusted only if its chain was checked by the JDK, and its name by the
 * JDK or here. Clients are never trusted.
 */
public final class TrustedCertificates extends X509ExtendedTrustManager {
  /** Kinds of names in a certificate. */
  private static final int DNS = 2;

  private static final int ADDRESS = 7;

  private final Supplier<X509ExtendedTrustManager> trust;
  private final Optional<String> name;

  private TrustedCertificates(Supplier<X509ExtendedTrustManager> trust, Optional<String> name) {
    this.trust = trust;
    this.name = name;
  }

  /**
   * The authorities of a PEM file, and no others.
   *
   * @throws IllegalArgumentException if it cannot be read or holds no certificate
   */
  public static TrustedCertificates only(Path pem) {
    return new TrustedCertificates(
        new ChangingFiles<>(List.of(pem), texts -> manager(TlsIdentity.chain(texts.getFirst()))),
        Optional.empty());
  }

  /** The authorities of a text, and no others. */
  public static TrustedCertificates only(String pem) throws GeneralSecurityException {
    X509ExtendedTrustManager fixed = manager(TlsIdentity.chain(pem));
    return new TrustedCertificates(() -> fixed, Optional.empty());
  }

  /** The authorities that the JDK knows. */
  public static TrustedCertificates ofJdk() {
    X509ExtendedTrustManager fixed = jdk();
    return new TrustedCertificates(() -> fixed, Optional.empty());
  }

  /**
   * The authorities that the JDK knows, and those of a PEM file.
   *
   * @throws IllegalArgumentException if it cannot be read or holds no certificate
   */
  public static TrustedCertificates ofJdkAnd(Path pem) {
    List<Certificate> known = List.of(jdk().getAcceptedIssuers());
    return new TrustedCertificates(
        new ChangingFiles<>(
            List.of(pem),
            texts -> {
              List<Certificate> authorities = new ArrayList<>(known);
              authorities.addAll(TlsIdentity.chain(texts.getFirst()));
              return manager(authorities);
            }),
        Optional.empty());
  }

  /** The same authorities; the certificate must be for this name, whatever the host is. */
  public TrustedCertificates named(String other) {
    return new TrustedCertificates(trust, Optional.of(other));
  }

  private static X509ExtendedTrustManager jdk() {
    try {
      return manager((KeyStore) null);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has authorities", impossible);
    }
  }

  private static X509ExtendedTrustManager manager(List<Certificate> authorities)
      throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    try {
      store.load(null, null);
    } catch (IOException impossible) {
      throw new IllegalStateException("an empty store", impossible);
    }
    for (int number = 0; number < authorities.size(); number++) {
      store.setCertificateEntry("trusted-" + number, authorities.get(number));
    }
    return manager(store);
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
    if (name.isPresent()) {
      checkServerTrusted(chain, type);
    } else {
      trust.get().checkServerTrusted(chain, type, engine);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    if (name.isPresent()) {
      checkServerTrusted(chain, type);
    } else {
      trust.get().checkServerTrusted(chain, type, socket);
    }
  }

  /** The name is checked only if one was given: the caller has not said which host it means. */
  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trust.get().checkServerTrusted(chain, type);
    if (name.isPresent() && !isFor(name.get(), chain[0])) {
      throw new CertificateException("the certificate is not for " + name.get());
    }
  }

  /** As in Go, by subject alternative names alone, in which {@code *} is the whole first label. */
  static boolean isFor(String name, X509Certificate certificate) throws CertificateException {
    var names = certificate.getSubjectAlternativeNames();
    if (names == null) {
      return false;
    }
    Optional<Address> address = Address.parse(name);
    Predicate<String> isName =
        offered ->
            address.isPresent() ? address.equals(Address.parse(offered)) : matches(offered, name);
    int kind = address.isPresent() ? ADDRESS : DNS;
    return names.stream()
        .filter(entry -> entry.get(0).equals(kind))
        .anyMatch(entry -> entry.get(1) instanceof String offered && isName.test(offered));
  }

  private static boolean matches(String pattern, String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    String offered = pattern.toLowerCase(Locale.ROOT);
    int dot = wanted.indexOf('.');
    return offered.equals(wanted)
        || (dot > 0
            && offered.startsWith("*.")
            && offered.substring(1).equals(wanted.substring(dot)));
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
    return trust.get().getAcceptedIssuers();
  }
}
