package io.poolkeeper.pool;

import org.junit.jupiter.api.Tag;

/** The same by one step more, which takes minutes. */
@Tag("full")
class LongerPoolHistoriesTest extends ShortPoolHistoriesTest {
  @Override
  int length() {
    return 5;
  }

  @Override
  int least() {
    return 500;
  }
}
