package io.poolkeeper.armsim;

import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Random guids of version 4, in lower case. Confined to one thread, as its source is. */
record Guids(RandomGenerator random) implements Supplier<String> {
  private static final long VERSION_MASK = 0xffffffffffff0fffL;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_MASK = 0x3fffffffffffffffL;

  @Override
  public String get() {
    long high = (random.nextLong() & VERSION_MASK) | VERSION_4;
    long low = (random.nextLong() & VARIANT_MASK) | Long.MIN_VALUE;
    return new UUID(high, low).toString();
  }
}
