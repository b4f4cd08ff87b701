package io.poolkeeper.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchesLostTest {
  @Test
  void with_severalLosses_countFromTheFirst() {
    WatchesLost two = WatchesLost.NONE.with(CacheKind.NODES, 7).with(CacheKind.ENDPOINT_SLICES, 9);

    assertThat(two.lost()).containsExactlyInAnyOrder(CacheKind.NODES, CacheKind.ENDPOINT_SLICES);
    assertThat(two.firstUnseen()).isEqualTo(7);
  }

  @Test
  void without_theLastOne_endsTheLossAndTheNextCountsAnew() {
    WatchesLost one =
        WatchesLost.NONE
            .with(CacheKind.NODES, 7)
            .with(CacheKind.ENDPOINT_SLICES, 9)
            .without(CacheKind.NODES);
    assertThat(one.any()).isTrue();

    WatchesLost none = one.without(CacheKind.ENDPOINT_SLICES);

    assertThat(none.any()).isFalse();
    assertThat(none.with(CacheKind.SERVICES, 12).firstUnseen()).isEqualTo(12);
  }
}
