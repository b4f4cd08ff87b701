package io.poolkeeper.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsIdentityTest {
  private static final Instant NOW = Instant.parse("2026-11-26T18:00:00Z");

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "secp256r1", "secp521r1"})
  void key_ofEitherForm_isThatOfItsCertificate(String kind) throws Exception {
    KeyPair keys = keys(kind);
    String certificate = certificate(keys);

    for (String pem : List.of(pem(keys.getPrivate()), pkcs8(keys))) {
      assertThat(TlsIdentity.of(certificate, pem).key()).isEqualTo(keys.getPrivate());
    }
    assertThat(pem(keys.getPrivate())).containsPattern("BEGIN (RSA|EC) PRIVATE KEY");
  }

  @Test
  void whatDoesNotBelongTogether_isRefusedInPlainWords() throws Exception {
    KeyPair own = keys("secp256r1");
    String certificate = certificate(own);

    assertRefused(certificate, pkcs8(keys("secp256r1")), "the key is not that of the first");
    assertRefused(certificate, pem(keys("RSA").getPrivate()), "none of the certificate's kind, EC");
    assertRefused(certificate, certificate, "no private key in PEM");
    assertRefused(certificate, pkcs8(own).replace("M", "!"), "no private key in PEM");
    assertRefused("", pkcs8(own), "no valid certificate in PEM");
    assertRefused(certificate.substring(0, 200), pkcs8(own), "no valid certificate in PEM");
  }

  private static void assertRefused(String certificate, String key, String why) {
    assertThatThrownBy(() -> TlsIdentity.of(certificate, key))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining(why);
  }

  @Test
  void selfMade_isOneForLoopbackAndItsName_andSignsItself() throws Exception {
    TlsIdentity made = SelfMade.create(NOW, 42);

    X509Certificate certificate = (X509Certificate) made.chain().getFirst();
    certificate.verify(certificate.getPublicKey());
    certificate.checkValidity(Date.from(NOW.minus(Duration.ofHours(1))));
    certificate.checkValidity(Date.from(NOW.plus(Duration.ofDays(3_000))));
    assertThat(certificate.getSerialNumber()).isEqualTo(BigInteger.valueOf(42));
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=poolkeeper");
    assertThat(List.copyOf(certificate.getSubjectAlternativeNames()))
        .isEqualTo(
            List.of(List.of(2, "poolkeeper"), List.of(2, "localhost"), List.of(7, "127.0.0.1")));
    assertThat(TlsIdentity.of(pem(certificate), pem(made.key())).key()).isEqualTo(made.key());
  }

  @Test
  void selfMade_validBeyond2049_hasTheLongYear() {
    X509Certificate late =
        (X509Certificate)
            SelfMade.create(Instant.parse("2045-01-01T00:00:00Z"), 1).chain().getFirst();

    assertThat(late.getNotBefore()).isEqualTo(Date.from(Instant.parse("2044-12-31T00:00:00Z")));
    assertThat(late.getNotAfter()).isAfter(Date.from(Instant.parse("2054-01-01T00:00:00Z")));
  }

  private static KeyPair keys(String kind) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(kind.equals("RSA") ? kind : "EC");
    if (kind.equals("RSA")) {
      generator.initialize(2_048);
    } else {
      generator.initialize(new ECGenParameterSpec(kind));
    }
    return generator.generateKeyPair();
  }

  private static String certificate(KeyPair keys) throws Exception {
    X500Name name = new X500Name("CN=a");
    String algorithm = "SHA256with" + keys.getPrivate().getAlgorithm().replace("EC", "ECDSA");
    return pem(
        new JcaX509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(NOW),
                Date.from(NOW.plus(Duration.ofDays(1))),
                name,
                keys.getPublic())
            .build(new JcaContentSignerBuilder(algorithm).build(keys.getPrivate())));
  }

  private static String pkcs8(KeyPair keys) throws Exception {
    return pem(new JcaPKCS8Generator(keys.getPrivate(), null));
  }

  private static String pem(Object of) throws Exception {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(of);
    }
    return text.toString();
  }
}
