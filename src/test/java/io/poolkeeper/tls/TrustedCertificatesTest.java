package io.poolkeeper.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class TrustedCertificatesTest {
  private static final Instant NOW = Instant.parse("2026-11-26T18:00:00Z");

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "api.example, api.example, true",
    "API.example, api.EXAMPLE, true",
    "*.example, api.example, true",
    "*.example, example, false",
    "*.example, a.api.example, false",
    "*, api, false",
    "a*.example, api.example, false",
    "*.0.0.1, 10.0.0.1, false",
    "10.0.0.1, 10.0.0.1, true",
    "10.0.0.1, 10.0.0.2, false",
    "fd00::1, fd00:0::1, true",
    "example, api.example, false",
  })
  void isFor_alternativeName_matchesAsInGo(String offered, String name, boolean matches)
      throws Exception {
    int kind =
        Character.isDigit(offered.charAt(0)) || offered.contains(":")
            ? GeneralName.iPAddress
            : GeneralName.dNSName;

    assertThat(TrustedCertificates.isFor(name, certificate(new GeneralName(kind, offered))))
        .isEqualTo(matches);
  }

  @Test
  void isFor_commonNameAlone_isNoName() throws Exception {
    assertThat(TrustedCertificates.isFor("api.example", certificate())).isFalse();
  }

  @Test
  void only_file_isReadAnewWhateverItsTime_andKeptWhileUnusable() throws Exception {
    Path pem = write("a", SelfMade.create(NOW, 1));
    TrustedCertificates trust = TrustedCertificates.only(pem);
    var time = Files.getLastModifiedTime(pem);
    TlsIdentity other = SelfMade.create(NOW, 2);
    Files.copy(write("b", other), pem, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(pem, time);

    assertThat(trust.getAcceptedIssuers())
        .containsExactly((X509Certificate) other.chain().getFirst());
    for (String unusable : new String[] {"", "-----BEGIN CERTIFICATE-----\nx"}) {
      Files.writeString(pem, unusable);
      assertThat(trust.getAcceptedIssuers()).hasSize(1);
    }
    Files.delete(pem);
    assertThat(trust.getAcceptedIssuers()).hasSize(1);
  }

  @Test
  void changingFiles_twoReadersOfOneChange_areLoggedOnce() throws Exception {
    Path file = Files.writeString(directory.resolve("f"), "good");
    List<ChangingFiles<String>> files = new ArrayList<>();
    ChangingFiles.Parser<String> parser =
        texts -> {
          // Another thread comes and goes while this one parses.
          files.stream()
              .toList()
              .forEach(
                  of -> {
                    files.clear();
                    CompletableFuture.supplyAsync(of).join();
                  });
          if (texts.getFirst().equals("bad")) {
            throw new GeneralSecurityException("bad");
          }
          return texts.getFirst();
        };
    ChangingFiles<String> changing = new ChangingFiles<>(List.of(file), parser);
    Logger logger = (Logger) LoggerFactory.getLogger(ChangingFiles.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    for (String text : List.of("bad", "better")) {
      Files.writeString(file, text);
      files.add(changing);
      assertThat(changing.get()).isEqualTo(text.replace("bad", "good"));
    }
    logger.detachAppender(log);

    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "file=%s content=kept error=\"bad\"".formatted(file),
            "file=%s content=taken-up".formatted(file));
  }

  @Test
  void clients_areNeverTrusted() throws Exception {
    TlsIdentity made = SelfMade.create(NOW, 1);
    TrustedCertificates trust = TrustedCertificates.only(write("a", made));
    X509Certificate[] chain = {(X509Certificate) made.chain().getFirst()};

    assertThatThrownBy(() -> trust.checkClientTrusted(chain, "EC")).hasMessage("no server");
  }

  private Path write(String name, TlsIdentity identity) throws Exception {
    Path place = Files.createDirectory(directory.resolve(name));
    PemText.write(identity, place);
    return place.resolve("tls.crt");
  }

  private static X509Certificate certificate(GeneralName... names) throws Exception {
    KeyPair keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
    X500Name subject = new X500Name("CN=api.example");
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            subject,
            BigInteger.ONE,
            Date.from(NOW),
            Date.from(NOW.plus(Duration.ofDays(1))),
            subject,
            keys.getPublic());
    if (names.length > 0) {
      builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
    }
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
  }
}
