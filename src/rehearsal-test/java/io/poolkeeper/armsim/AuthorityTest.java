package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import org.junit.jupiter.api.Test;

class AuthorityTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  private final Authority authority = Authority.create(InstantSource.fixed(NOW));

  @Test
  void server_isSignedByTheAuthorityForEveryNameOfLoopback() throws Exception {
    X509Certificate server = (X509Certificate) authority.server().chain().getFirst();

    assertThatCode(() -> server.verify(own(authority).getPublicKey())).doesNotThrowAnyException();
    assertThat(server.getSubjectAlternativeNames().stream().<Object>map(name -> name.get(1)))
        .containsExactlyInAnyOrder("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(server.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(server.getBasicConstraints()).as("no authority").isEqualTo(-1);
    assertThat(
            ((ECPublicKey) server.getPublicKey()).getParams().getCurve().getField().getFieldSize())
        .isEqualTo(256);
  }

  @Test
  void certificates_areValidForAYearFromJustBefore() throws Exception {
    X509Certificate server = (X509Certificate) authority.server().chain().getFirst();

    for (X509Certificate certificate : new X509Certificate[] {own(authority), server}) {
      certificate.checkValidity(Date.from(NOW.minusSeconds(1)));
      assertThat(certificate.getNotAfter().toInstant())
          .isBetween(NOW.plus(Duration.ofDays(364)), NOW.plus(Duration.ofDays(365)));
    }
  }

  @Test
  void pem_isTheCertificateAndNoKey() throws Exception {
    String pem = authority.pem();

    assertThat(pem).startsWith("-----BEGIN CERTIFICATE-----").doesNotContain("PRIVATE");
    assertThat(
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))))
        .isEqualTo(own(authority));
    assertThat(own(authority).getBasicConstraints()).as("authority").isZero();
  }

  @Test
  void twoAuthorities_haveNothingInCommon() {
    Authority other = Authority.create(InstantSource.fixed(NOW));

    assertThat(own(other).getSubjectX500Principal())
        .isNotEqualTo(own(authority).getSubjectX500Principal());
    assertThat(own(other).getSerialNumber()).isNotEqualTo(own(authority).getSerialNumber());
  }

  private static X509Certificate own(Authority authority) {
    return (X509Certificate) authority.server().chain().getLast();
  }
}
