package io.poolkeeper.arm.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.poolkeeper.arm.Azure;
import io.poolkeeper.arm.Azure.Cloud;
import io.poolkeeper.arm.Azure.Credential;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArmEndpointTest {
  private static ArmEndpoint endpoint(Cloud cloud, Optional<String> url, Credential credential) {
    return endpoint(cloud, url, credential, Optional.empty());
  }

  private static ArmEndpoint endpoint(
      Cloud cloud, Optional<String> url, Credential credential, Optional<String> audience) {
    return ArmEndpoint.of(
        new Azure(
            "s",
            "g",
            "g",
            Optional.empty(),
            List.of(),
            cloud,
            url.map(URI::create),
            Optional.empty(),
            audience,
            Optional.empty(),
            credential,
            "v"));
  }

  @ParameterizedTest
  @CsvSource({
    "PUBLIC,https://management.azure.com",
    "CHINA,https://management.chinacloudapi.cn",
    "US_GOVERNMENT,https://management.usgovcloudapi.net"
  })
  void of_cloud_hasItsEndpointAndScope(Cloud cloud, String base) {
    ArmEndpoint endpoint = endpoint(cloud, Optional.empty(), new Credential.Default());

    assertThat(endpoint.scope()).isEqualTo(base + "/.default");
    assertThat(endpoint.url("/a b/c")).isEqualTo(base + "/a%20b/c?api-version=v");
  }

  /** Group names may have letters of any language. */
  @Test
  void url_lettersBeyondAscii_areEscapedAsUtf8() {
    ArmEndpoint endpoint = endpoint(Cloud.PUBLIC, Optional.empty(), new Credential.Default());

    assertThat(endpoint.url("/resourceGroups/größe-(1)/节点"))
        .isEqualTo(
            "https://management.azure.com/resourceGroups/gr%C3%B6%C3%9Fe-(1)"
                + "/%E8%8A%82%E7%82%B9?api-version=v");
  }

  @Test
  void scope_audience_isInPlaceOfTheEndpoint() {
    Optional<String> url = Optional.of("https://arm.example");
    Optional<String> audience = Optional.of("https://management.core.windows.net/");

    assertThat(endpoint(Cloud.PUBLIC, url, new Credential.Default(), audience).scope())
        .isEqualTo("https://management.core.windows.net//.default");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://localhost:1", "http://127.0.0.1/", "http://127.8.0.1", "https://[::1]:2"})
  void of_noCredentialOnLoopback_isAllowed(String url) {
    assertThat(endpoint(Cloud.PUBLIC, Optional.of(url), new Credential.None()).isLoopback())
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://10.0.0.1", "https://localhost.example", "https://example"})
  void of_noCredentialElsewhere_isRefused(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> endpoint(Cloud.PUBLIC, Optional.of(url), new Credential.None()))
        .withMessageContainingAll("azure.credential", "loopback", url);
  }

  @Test
  void of_noCredentialOnTheCloud_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> endpoint(Cloud.PUBLIC, Optional.empty(), new Credential.None()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://localhost", "ftp://example", "mailto:x", "https://a?b", "/x"})
  void of_endpointThatMustNotGetAToken_isRefused(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> endpoint(Cloud.PUBLIC, Optional.of(url), new Credential.Default()))
        .withMessageContainingAll("azure.endpoint", url);
  }

  @ParameterizedTest
  @CsvSource({
    "https://arm.example/x,true",
    "HTTPS://ARM.example:443/x?y=z,true",
    "http://arm.example/x,false",
    "https://arm.example:444/x,false",
    "https://arm.example@evil.example/x,false",
    "https://user@arm.example/x,false",
    "https://arm.example.evil/x,false",
    "//arm.example/x,false"
  })
  void foreign_url_comparesTheOrigin(String url, boolean own) {
    ArmEndpoint endpoint =
        endpoint(Cloud.PUBLIC, Optional.of("https://arm.example"), new Credential.Default());

    assertThat(endpoint.otherOrigin(url).isEmpty()).isEqualTo(own);
  }
}
