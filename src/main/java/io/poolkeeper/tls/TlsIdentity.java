package io.poolkeeper.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A private key and its chain of certificates, which belong together. */
public record TlsIdentity(PrivateKey key, List<Certificate> chain) {
  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  public TlsIdentity {
    chain = List.copyOf(chain);
  }

  /**
   * Reads PEM: the own certificate first; the key as PKCS #8, or in the older forms of RSA and EC.
   *
   * @throws GeneralSecurityException with what is wrong, in plain words
   */
  public static TlsIdentity of(String certificates, String key) throws GeneralSecurityException {
    List<Certificate> chain = chain(certificates);
    PublicKey own = chain.getFirst().getPublicKey();
    PrivateKey found = key(key, own);
    if (!arePair(found, own)) {
      throw new InvalidKeyException("the key is not that of the first certificate");
    }
    return new TlsIdentity(found, chain);
  }

  /** The certificates of a PEM text, at least one. */
  static List<Certificate> chain(String pem) throws GeneralSecurityException {
    try {
      var found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)));
      if (!found.isEmpty()) {
        return List.copyOf(found);
      }
    } catch (CertificateException malformed) {
      // The same message.
    }
    throw new CertificateException("no valid certificate in PEM");
  }

  private static PrivateKey key(String pem, PublicKey own) throws GeneralSecurityException {
    Matcher found = KEY.matcher(pem);
    if (!found.find()) {
      throw new InvalidKeyException("no private key in PEM; one with a password is not read");
    }
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(found.group(2));
      if (!found.group(1).equals("PRIVATE KEY")) {
        bytes = Der.sequence(Der.integer(0), algorithm(own), Der.octets(bytes));
      }
      return KeyFactory.getInstance(own.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (GeneralSecurityException | IllegalArgumentException malformed) {
      throw new InvalidKeyException(
          "no valid private key, or none of the certificate's kind, " + own.getAlgorithm());
    }
  }

  /** The first part of an encoded public key, which names the algorithm of both keys. */
  private static byte[] algorithm(PublicKey key) {
    byte[] encoded = key.getEncoded();
    int start = encoded[1] >= 0 ? 2 : 2 + (encoded[1] & 0x7f);
    return Arrays.copyOfRange(encoded, start, start + 2 + encoded[start + 1]);
  }

  private static boolean arePair(PrivateKey key, PublicKey publicKey)
      throws GeneralSecurityException {
    String algorithm =
        switch (publicKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> publicKey.getAlgorithm();
        };
    byte[] text = "poolkeeper".getBytes(StandardCharsets.US_ASCII);
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    signature.update(text);
    return signature.verify(signed);
  }

  /** The TLS context of a server with this identity. */
  public SSLContext context() {
    try {
      char[] none = new char[0];
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, none);
      store.setKeyEntry("server", key, none, chain.toArray(Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, none);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException("a key that was read cannot be used", impossible);
    }
  }
}
