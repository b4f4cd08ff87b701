package io.poolkeeper.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Notations of one address are equal, and other texts are refused. */
class AddressTest {
  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "10.0.0.4", "10.240.255.254", "255.255.255.255", " 10.0.0.4 "})
  void parse_dottedQuad_isIpv4(String text) {
    Address address = Address.of(text);

    assertThat(address.family()).isEqualTo(IpFamily.IPV4);
    assertThat(address).hasToString(text.trim());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0",
        "10.0.0.",
        ".10.0.0.4",
        "10.0.0.4.",
        "10..0.4",
        "10.0.0.4.5",
        "10.0.0.256",
        "10.0.0.999",
        "10.0.0.04",
        "010.0.0.4",
        "0x0a.0.0.4",
        "167772164",
        "10.1",
        "-1.0.0.4",
        "+1.0.0.4",
        "10.0.0.4/24",
        "10.0.0.4:80",
        "10. 0.0.4",
        "١٠.0.0.4"
      })
  void parse_anythingButFourPlainOctets_isNoAddress(String text) {
    assertThat(Address.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fd00::4",
        "FD00::4",
        "fd00:0:0:0:0:0:0:4",
        "fd00:0000:0000:0000:0000:0000:0000:0004",
        "fd00::0:4",
        "fd00:0:0::4",
        "fd00::0.0.0.4",
        " fd00::4\t"
      })
  void parse_spellingsOfOneIpv6Address_areEqual(String text) {
    Address address = Address.of(text);

    assertThat(address).isEqualTo(Address.of("fd00::4")).hasSameHashCodeAs(Address.of("fd00::4"));
    assertThat(address.family()).isEqualTo(IpFamily.IPV6);
  }

  /** RFC 5952, the form that Kubernetes and other writers of pools use. */
  @ParameterizedTest
  @ValueSource(strings = {"fd00::4", "FD00:0:0::4", "fd00:0:0:0:0:0:0:4"})
  void text_ofAnIpv6Address_isAsItWasWritten(String spelling) {
    // Others compare their own texts, so the text is kept; only Poolkeeper's equality ignores the
    // notation.
    assertThat(Address.of(spelling)).hasToString(spelling).isEqualTo(Address.of("fd00::4"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ":",
        ":::",
        "1:2",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1::2::3",
        "fd00::12345",
        "fd00::g",
        "fd00::4%eth0",
        "fd00::4%1",
        "[fd00::4]",
        "fd00::4/64",
        "fd00::1.2.3",
        "fd00::1.2.3.256",
        "dead:beef",
        "a:b"
      })
  void parse_malformedIpv6_isNoAddress(String text) {
    assertThat(Address.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST", "node-1", "example.com", "ip6-localhost", "a"})
  void parse_nameThatCouldBeResolved_isNoAddress(String text) {
    assertThat(Address.parse(text)).isEmpty();
  }

  @Test
  void parse_ipv4InsideIpv6_isTheIpv4Address() {
    assertThat(Address.of("::ffff:10.0.0.4")).isEqualTo(Address.of("10.0.0.4"));
    assertThat(Address.of("::ffff:a00:4")).isEqualTo(Address.of("10.0.0.4"));
  }

  @Test
  void of_noAddress_isRefusedWithTheText() {
    assertThatThrownBy(() -> Address.of("node-1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not an IP address: node-1");
  }

  @Test
  void compareTo_differentAddresses_isConsistentWithEquals() {
    List<Address> some =
        List.of(
            Address.of("10.0.0.4"),
            Address.of("fd00::4"),
            Address.of("10.0.0.5"),
            Address.of("fd00::5"),
            Address.of("10.0.0.40"));

    for (Address one : some) {
      for (Address other : some) {
        assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
        assertThat(Integer.signum(one.compareTo(other)))
            .isEqualTo(-Integer.signum(other.compareTo(one)));
      }
    }
    assertThat(new TreeSet<>(some)).hasSameSizeAs(some);
  }
}
