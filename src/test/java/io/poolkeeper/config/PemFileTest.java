package io.poolkeeper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemFileTest {
  /** A self-signed certificate for localhost without its key; its validity does not matter. */
  static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBfjCCASWgAwIBAgIUEgn2s3BhIEGmZwfg7//aKPG++hAwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA0NTIzN1oYDzIxMjYxMDI4
      MDQ1MjM3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAAQxYveFQ/WNg3Rictl9MsOVgOOJV+CW2esVNrSpr7fW+dWHM1gFvQYm
      5NonRT+T0dGLCz0VP6a6RWY4zZnKqXrPo1MwUTAdBgNVHQ4EFgQUPgszRgAnT/Gg
      22rEFMCWRSnWnJEwHwYDVR0jBBgwFoAUPgszRgAnT/Gg22rEFMCWRSnWnJEwDwYD
      VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBtByDow4byd5nMf1xwqeat
      j2S9BAaYZLJaw9ebsdMBzwIgDY+mmgDqUXDB2+Hfd+WITZ/wVU26V9qYvv3z8H7E
      R4A=
      -----END CERTIFICATE-----
      """;

  @TempDir private Path temp;

  @Test
  void objection_certificate_none() throws Exception {
    var file = Files.writeString(temp.resolve("ca.pem"), CERTIFICATE + CERTIFICATE);

    assertThat(PemFile.objection(file)).isEmpty();
  }

  @Test
  void objection_emptyFile_saysSo() throws Exception {
    var file = Files.writeString(temp.resolve("ca.pem"), "");

    assertThat(PemFile.objection(file)).contains("a file without certificate");
  }

  @Test
  void objection_damagedCertificate_saysSo() throws Exception {
    var file = Files.writeString(temp.resolve("ca.pem"), CERTIFICATE.replace("MII", "AAA"));

    assertThat(PemFile.objection(file)).contains("a file that holds no valid certificate");
  }
}
