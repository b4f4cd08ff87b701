package io.poolkeeper.armsim;

import io.poolkeeper.tls.TlsIdentity;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority of one run: EC keys on P-256, valid for a year. Its name and serial
 * numbers are derived from its keys, so that a client which trusts two of them cannot confuse them.
 */
public final class Authority {
  private static final Duration VALIDITY = Duration.ofDays(365);

  /** Tolerance for clocks of containers and virtual machines that are slow. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private static final int SERIAL_BYTES = 16;
  private static final int NAME_BYTES = 4;

  private final KeyPair keys;
  private final Instant from;
  private final X500Name name;
  private final X509Certificate certificate;

  private Authority(KeyPair keys, Instant from)
      throws GeneralSecurityException, CertIOException, OperatorCreationException {
    this.keys = keys;
    this.from = from;
    String hex = HexFormat.of().formatHex(digest(keys.getPublic()), 0, NAME_BYTES);
    this.name = new X500Name("CN=Poolkeeper ARM simulator CA " + hex);
    X509v3CertificateBuilder builder = builder(name, keys.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
    builder.addExtension(
        Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    this.certificate = sign(builder);
  }

  public static Authority create(InstantSource clock) {
    try {
      return new Authority(newKeys(), clock.instant().minus(SKEW));
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException impossible) {
      throw new IllegalStateException("no certificate could be made", impossible);
    }
  }

  public String pem() {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(certificate);
    } catch (IOException impossibleInMemory) {
      throw new UncheckedIOException(impossibleInMemory);
    }
    return text.toString();
  }

  /** A server on this machine, with a certificate for all names of loopback. */
  public TlsIdentity server() {
    try {
      KeyPair own = newKeys();
      X509v3CertificateBuilder builder = builder(new X500Name("CN=localhost"), own.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              new GeneralName[] {
                new GeneralName(GeneralName.dNSName, "localhost"),
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                new GeneralName(GeneralName.iPAddress, "::1")
              }));
      return new TlsIdentity(own.getPrivate(), List.of(sign(builder), certificate));
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException impossible) {
      throw new IllegalStateException("no certificate could be made", impossible);
    }
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** The common part of every certificate of this authority. */
  private X509v3CertificateBuilder builder(X500Name subject, PublicKey key)
      throws GeneralSecurityException, CertIOException {
    var builder =
        new JcaX509v3CertificateBuilder(
            name,
            new java.math.BigInteger(1, digest(key), 0, SERIAL_BYTES).setBit(0),
            Date.from(from),
            Date.from(from.plus(VALIDITY)),
            subject,
            key);
    var extensions = new JcaX509ExtensionUtils();
    builder.addExtension(
        Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(key));
    builder.addExtension(
        Extension.authorityKeyIdentifier,
        false,
        extensions.createAuthorityKeyIdentifier(keys.getPublic()));
    return builder;
  }

  private X509Certificate sign(X509v3CertificateBuilder builder)
      throws GeneralSecurityException, OperatorCreationException {
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
  }

  private static byte[] digest(PublicKey key) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
  }
}
