package io.poolkeeper.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.access.AccessPolicy.Authorization;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessPolicyTest {
  private static final AccessPolicy TRUSTING =
      new AccessPolicy(Authorization.REQUIRED, true, false);

  private static boolean needs(AccessPolicy policy, Area area, String peer, String host)
      throws Exception {
    return policy.needsToken(area, InetAddress.getByName(peer), host);
  }

  @Test
  void needsToken_byTheWordOfTheSetting() throws Exception {
    AccessPolicy metricsOpen = new AccessPolicy(Authorization.METRICS_OPEN, false, false);
    AccessPolicy off = new AccessPolicy(Authorization.OFF, false, false);

    assertThat(needs(metricsOpen, Area.METRICS, "10.0.0.9", "pod")).isFalse();
    assertThat(needs(metricsOpen, Area.VIEW, "10.0.0.9", "pod")).isTrue();
    assertThat(needs(off, Area.VIEW, "10.0.0.9", "pod")).isFalse();
    assertThat(needs(TRUSTING, Area.METRICS, "10.0.0.9", "localhost")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, localhost, false",
    "127.0.0.1, 127.0.0.1, false",
    "::1, [::1], false",
    "127.0.0.1, evil.example, true",
    "127.0.0.1, '', true",
    "127.0.0.6, localhost, true",
    "10.0.0.9, localhost, true",
  })
  void needsToken_fromLoopback_onlyIfPeerAndHostAreLoopback(String peer, String host, boolean needs)
      throws Exception {
    assertThat(needs(TRUSTING, Area.VIEW, peer, host)).isEqualTo(needs);
  }

  @Test
  void needsToken_fromLoopbackThatIsNotTrusted_always() throws Exception {
    AccessPolicy policy = new AccessPolicy(Authorization.REQUIRED, false, false);

    assertThat(needs(policy, Area.VIEW, "127.0.0.1", "localhost")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "Bearer abc.d-e_f~g+h/i==, abc.d-e_f~g+h/i==",
    "bearer  x, x",
    "Basic dTpw, ",
    "Bearer, ",
    "Bearer a b, ",
    "Bearer a\u00e9, ",
  })
  void token_isThatOfABearer(String header, String value) {
    assertThat(Token.of(header).map(Token::value).orElse(null)).isEqualTo(value);
  }

  @Test
  void token_isNeverShown() {
    assertThat(new Token("secret").toString()).doesNotContain("secret");
    assertThat(Verdicts.Key.of(new Token("secret"), Area.VIEW).toString()).doesNotContain("secret");
  }
}
