package io.poolkeeper.armsim;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The settings of a simulator.
 *
 * @param port on loopback; 0 = any free one
 * @param seed of latencies and guids
 * @param pageSize items per page of a list
 * @param stateFile loaded at the start if it exists; a write is answered after it was saved there
 * @param nanos monotonic nanoseconds, for the log
 * @param clock wall time, for headers, certificates and tokens
 * @param access http or https, with or without required tokens
 */
public record ArmSimSettings(
    int port,
    LatencyProfile latency,
    long seed,
    int pageSize,
    Optional<Path> stateFile,
    LongSupplier nanos,
    InstantSource clock,
    Access access) {

  private static final int DEFAULT_PAGE_SIZE = 100;
  private static final int MAX_PORT = 65_535;

  public ArmSimSettings {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("port must be 0 to " + MAX_PORT + ", found " + port);
    }
    if (pageSize < 1) {
      throw new IllegalArgumentException("page size must be at least 1, found " + pageSize);
    }
  }

  /** Any port, no latency, no state file. */
  public static ArmSimSettings fast(LongSupplier nanos, InstantSource clock) {
    return new ArmSimSettings(
        0, LatencyProfile.FAST, 1, DEFAULT_PAGE_SIZE, Optional.empty(), nanos, clock, Access.OPEN);
  }

  public ArmSimSettings withPort(int other) {
    return new ArmSimSettings(other, latency, seed, pageSize, stateFile, nanos, clock, access);
  }

  public ArmSimSettings withLatency(LatencyProfile other) {
    return new ArmSimSettings(port, other, seed, pageSize, stateFile, nanos, clock, access);
  }

  public ArmSimSettings withSeed(long other) {
    return new ArmSimSettings(port, latency, other, pageSize, stateFile, nanos, clock, access);
  }

  public ArmSimSettings withPageSize(int other) {
    return new ArmSimSettings(port, latency, seed, other, stateFile, nanos, clock, access);
  }

  public ArmSimSettings withStateFile(Path other) {
    return new ArmSimSettings(
        port, latency, seed, pageSize, Optional.of(other), nanos, clock, access);
  }

  public ArmSimSettings withAccess(Access other) {
    return new ArmSimSettings(port, latency, seed, pageSize, stateFile, nanos, clock, other);
  }

  /**
   * With https; the certificate of its authority is written to a temporary file, or to the given
   * one.
   */
  public ArmSimSettings withTls(Optional<Path> caFile) {
    return withAccess(access.withTls(caFile));
  }
}
