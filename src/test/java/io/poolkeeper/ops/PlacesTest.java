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
  void take_whenAnAddressHasItsPlaces_endsTheOldestOfThatAddress() throws Exception {
    places.take(address("fd00::2"), "other");
    places.take(address("fd00::1"), "a");
    places.take(address("fd00::1"), "b");

    assertThat(places.take(address("fd00::1"), "c")).contains("a");
    assertThat(places.take(address("fd00::1"), "d")).contains("b");
  }

  @Test
  void take_whenAllPlacesAreTaken_endsTheOldest() throws Exception {
    places.take(address("10.0.0.1"), "a");
    places.take(address("10.0.0.1"), "b");
    places.take(address("10.0.0.2"), "c");

    assertThat(places.take(address("10.0.0.3"), "d")).contains("a");
    assertThat(places.take(address("10.0.0.1"), "e")).contains("b");
  }

  @Test
  void leave_givesThePlaceBack() throws Exception {
    places.take(address("10.0.0.1"), "a");
    places.take(address("10.0.0.1"), "b");
    places.leave("a");

    assertThat(places.take(address("10.0.0.1"), "c")).isEmpty();
    assertThat(places.take(address("10.0.0.2"), "d")).isEmpty();
  }
}
