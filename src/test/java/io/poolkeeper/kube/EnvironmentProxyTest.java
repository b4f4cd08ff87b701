package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentProxyTest {
  private static final URI SERVER = URI.create("https://api.shop.example:6443");

  @Test
  void of_severalVariables_takesTheUpperCaseOneOfTheScheme() {
    assertThat(EnvironmentProxy.find(SERVER, Map.of("https_proxy", "low:1"))).hasValue("low:1");
    assertThat(EnvironmentProxy.find(SERVER, Map.of("https_proxy", "low:1", "HTTPS_PROXY", "up:1")))
        .hasValue("up:1");
    assertThat(EnvironmentProxy.find(SERVER, Map.of("https_proxy", "low:1", "HTTPS_PROXY", "")))
        .hasValue("low:1");
    assertThat(EnvironmentProxy.find(SERVER, Map.of("HTTP_PROXY", "up:1", "ALL_PROXY", "up:1")))
        .isEmpty();
  }

  @Test
  void of_exceptionsThatAreMissingOrEmpty_excludesNothing() {
    for (String variable : new String[] {"NO_PROXY", "no_proxy", "OTHER"}) {
      assertThat(EnvironmentProxy.find(SERVER, Map.of("HTTPS_PROXY", "p:1", variable, " ,")))
          .as(variable)
          .hasValue("p:1");
    }
    assertThat(EnvironmentProxy.find(SERVER, Map.of("HTTPS_PROXY", "p:1", "no_proxy", "example")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "https://api.shop.example:6443, 'other,*', true",
    "https://api.shop.example:6443, shop.example, true",
    "https://api.shop.example:6443, .SHOP.example, true",
    "https://api.shop.example:6443, *.shop.example, true",
    "https://api.shop.example:6443, op.example, false",
    "https://shop.example:6443, .shop.example, false",
    "https://shop.example:6443, shop.example:6443, true",
    "https://shop.example:6443, shop.example:443, false",
    "https://shop.example, shop.example:443, true",
    "https://10.1.2.3:6443, 10.1.2.3, true",
    "https://10.1.2.3:6443, ' 10.1.0.0/16 ', true",
    "https://10.1.2.3:6443, 10.1.2.0/24, true",
    "https://10.1.2.3:6443, 10.1.3.0/24, false",
    "https://10.1.2.3:6443, 10.1.2.3/33, false",
    "https://10.1.2.3:6443, fd00::/8, false",
    "https://10.1.2.3:6443, 2.3, false",
    "https://[fd00::1]:6443, fd00:0::1, true",
    "https://[fd00::1]:6443, fd00::/64, true",
    "https://[fd00::1]:6443, [fd00::1]:6443, true",
    "https://[fd00::1]:6443, [fd00::1]:443, false",
    "https://127.0.0.1:6443, other, true",
    "https://localhost:6443, other, true",
  })
  void of_entriesOfNoProxy_matchAsInGo(URI server, String list, boolean excluded) {
    assertThat(EnvironmentProxy.find(server, Map.of("HTTPS_PROXY", "p:1", "NO_PROXY", list)))
        .matches(proxy -> proxy.isEmpty() == excluded);
  }
}
