package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.access.AccessPolicy.Authorization;
import io.poolkeeper.tls.PemText;
import io.poolkeeper.tls.SelfMade;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section {@code http}: what it means in a pod and outside, and what is refused. */
class HttpSettingsTest {
  private static final Map<String, String> IN_POD =
      Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "POOLKEEPER_HTTP_HOST", "0.0.0.0");

  @TempDir private Path temp;
  private ConfigDir dir;

  @BeforeEach
  void start() {
    dir = new ConfigDir(temp);
  }

  private Settings.Http http(String line, Map<String, String> env) {
    return dir.loadFile(ConfigDir.REQUIRED + "\n" + line, env).settings().http();
  }

  @Test
  void port_asTextFromEnvironment_isANumber() {
    var loaded = dir.loadFile(ConfigDir.REQUIRED, Map.of("POOLKEEPER_HTTP_PORT", "9000"));

    assertThat(loaded.settings().http().port()).isEqualTo(9000);
  }

  @Test
  void authorization_auto_isOffOnLoopback_andRequiredInAPod() {
    for (var host : new String[] {"127.0.0.1", "localhost", "\"::1\""}) {
      assertThat(http("poolkeeper.http.host = " + host, Map.of()).access().authorization())
          .isEqualTo(Authorization.OFF);
    }
    assertThat(http("", IN_POD).access().authorization()).isEqualTo(Authorization.REQUIRED);
    assertThat(http("poolkeeper.http.authorization = off", IN_POD).access().authorization())
        .isEqualTo(Authorization.OFF);
  }

  @Test
  void authorization_autoOnAnotherAddress_isRefusedUntilItIsSaid() {
    assertThat(dir.problems("poolkeeper.http.host = 0.0.0.0"))
        .singleElement()
        .asString()
        .endsWith(
            "poolkeeper.http.authorization: found auto; allowed: required, metrics-open or off, as"
                + " http.host 0.0.0.0 is no loopback address and this is no pod");
    assertThat(
            http("poolkeeper.http { host = 0.0.0.0, authorization = off }", Map.of())
                .access()
                .authorization())
        .isEqualTo(Authorization.OFF);
  }

  @Test
  void tls_withoutFiles_isSelfMadeWhereTokensTravel() throws Exception {
    assertThat(http("", IN_POD).tls()).isEqualTo(new Settings.Tls.SelfMade());
    assertThat(http("poolkeeper.http.authorization = off", IN_POD).tls())
        .isEqualTo(new Settings.Tls.None());
    assertThat(http("poolkeeper.http.authorization = required", Map.of()).tls())
        .isEqualTo(new Settings.Tls.None());
  }

  @Test
  void tls_filesBesideTheConfiguration_areUsed() throws Exception {
    PemText.write(SelfMade.create(Instant.EPOCH, 1), temp);

    assertThat(
            http("poolkeeper.http.tls { certificate-file = tls.crt, key-file = tls.key }", Map.of())
                .tls())
        .isEqualTo(new Settings.Tls.Files(temp.resolve("tls.crt"), temp.resolve("tls.key")));
  }

  @Test
  void tls_filesThatCannotBeUsed_areRefusedByName() throws Exception {
    PemText.write(SelfMade.create(Instant.EPOCH, 1), temp);
    Path other = Files.createDirectory(temp.resolve("other"));
    PemText.write(SelfMade.create(Instant.EPOCH, 2), other);

    assertThat(dir.problems("poolkeeper.http.tls.certificate-file = tls.crt"))
        .containsExactly(
            "p.conf: poolkeeper.http.tls.key-file: found null; allowed: a PEM file, as there is one"
                + " of the certificate");
    assertThat(tls("none.crt", "tls.key")).contains("tls.certificate-file", "no such file");
    assertThat(tls("tls.key", "tls.key"))
        .contains("tls.certificate-file", "no valid certificate in PEM");
    assertThat(tls("tls.crt", "other/tls.key"))
        .contains("tls.key-file", "the key is not that of the first certificate");
    assertThat(tls("tls.crt", "tls.crt")).contains("tls.key-file", "no private key in PEM");
  }

  private String tls(String certificate, String key) {
    return String.join(
        "\n",
        dir.problems(
            "poolkeeper.http.tls { certificate-file = \"%s\", key-file = \"%s\" }"
                .formatted(certificate, key)));
  }
}
