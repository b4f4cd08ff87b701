package io.poolkeeper.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Makes a certificate that signs itself, with a new key of the curve P-256, for the name {@code
 * poolkeeper} and for loopback. Nobody can verify it: it hides what is sent, and does not say who
 * answers.
 */
public final class SelfMade {
  private static final byte[] SHA256_WITH_ECDSA = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
  private static final String NAME = "poolkeeper";

  /** Longer than any process runs; a clock may be late at its start. */
  private static final Duration VALID = Duration.ofDays(3_650);

  private static final Duration BEFORE = Duration.ofDays(1);

  private SelfMade() {}

  /** Makes one; the serial is positive. */
  public static TlsIdentity create(Instant now, long serial) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      byte[] content = content(now, serial, keys);
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(content);
      byte[] whole = Der.sequence(content, SHA256_WITH_ECDSA, Der.bits(signature.sign()));
      return new TlsIdentity(
          keys.getPrivate(),
          List.of(
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(whole))));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has P-256", impossible);
    }
  }

  private static byte[] content(Instant now, long serial, KeyPair keys) {
    byte[] name = Der.sequence(Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.text(NAME))));
    byte[] validity = Der.sequence(Der.time(now.minus(BEFORE)), Der.time(now.plus(VALID)));
    byte[] names =
        Der.sequence(dns(NAME), dns("localhost"), Der.of(0x87, new byte[] {127, 0, 0, 1}));
    byte[] extension = Der.sequence(Der.oid("2.5.29.17"), Der.octets(names));
    return Der.sequence(
        Der.of(0xa0, Der.integer(2)), // version 3
        Der.integer(serial),
        SHA256_WITH_ECDSA,
        name,
        validity,
        name,
        keys.getPublic().getEncoded(),
        Der.of(0xa3, Der.sequence(extension)));
  }

  private static byte[] dns(String name) {
    return Der.of(0x82, name.getBytes(StandardCharsets.US_ASCII));
  }
}
