package io.poolkeeper.ops;

/** Upper bounds of histograms, in milliseconds. */
final class Buckets {
  static final long[] COMMON = {10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000};

  static final long[] PROPAGATION = {
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 30_000, 60_000
  };

  /** The cloud provider's: ExponentialBuckets(0.001, 2, 14). */
  static final long[] CLOUD_PROVIDER_LOCK = {
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192
  };

  /** The cloud provider's. */
  static final long[] CLOUD_PROVIDER_OPERATION = {
    100, 200, 500, 1_000, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000, 60_000, 100_000,
    200_000, 300_000, 600_000, 1_200_000
  };

  private Buckets() {}
}
