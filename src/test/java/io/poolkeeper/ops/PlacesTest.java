package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private final Places<String> places = new Places<>(3, 2);

  private static InetAddress address(String of) throws Exception {
    return InetAddress.getByName(of);
  }

  @Test
  void admit_whenAnAddressHasItsPlaces_refusesIt_andNoOther() throws Exception {
    places.take(address("10.0.0.1"), "a");
    places.take(address("10.0.0.1"), "b");

    assertThat(places.admit(address("10.0.0.1"))).isFalse();
    assertThat(places.admit(address("10.0.0.2"))).isTrue();
  }

  @Test
  void admit_ofIpv6_countsANetworkOf64Bits() throws Exception {
    places.take(address("fd00::1"), "a");
    places.take(address("fd00::2"), "b");

    assertThat(places.admit(address("fd00::3"))).isFalse();
    assertThat(places.admit(address("fd00:0:0:1::3"))).isTrue();
  }

  @Test
  void take_whenAllPlacesAreTaken_endsTheOldest() throws Exception {
    places.take(address("10.0.0.1"), "a");
    places.take(address("10.0.0.1"), "b");
    places.take(address("10.0.0.2"), "c");

    assertThat(places.take(address("10.0.0.3"), "d")).contains("a");
    assertThat(places.admit(address("10.0.0.1"))).isTrue();
  }

  @Test
  void leave_givesThePlaceBack() throws Exception {
    places.take(address("10.0.0.1"), "a");
    places.take(address("10.0.0.1"), "b");
    places.leave("a");

    assertThat(places.admit(address("10.0.0.1"))).isTrue();
    assertThat(places.take(address("10.0.0.2"), "c")).isEmpty();
  }
}
