package io.poolkeeper.armsim;

import io.poolkeeper.model.Range;
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
  private static final Range<Integer> PORT = new Range<>(0, 65_535);
  private static final Range<Integer> PAGE_SIZE = new Range<>(1, Integer.MAX_VALUE);

  public ArmSimSettings {
    PORT.check("port", port);
    PAGE_SIZE.check("page size", pageSize);
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
   * Whether a simulator uses http or https, and whether it requires tokens. A certificate file
   * needs https.
   *
   * @param tls whether it uses https, with a certificate of its own authority
   * @param caFile where the authority's certificate is written; empty = a fresh temporary file
   * @param tokenRequired whether Resource Manager's routes refuse a call without a bearer token
   */
  public record Access(boolean tls, Optional<Path> caFile, boolean tokenRequired) {
    /** Plain http without tokens. */
    public static final Access OPEN = new Access(false, Optional.empty(), false);

    public Access {
      if (caFile.isPresent() && !tls) {
        throw new IllegalArgumentException("a file for the CA certificate needs TLS");
      }
    }

    public Access withTls(Optional<Path> file) {
      return new Access(true, file, tokenRequired);
    }

    public Access withTokenRequired() {
      return new Access(tls, caFile, true);
    }

    String scheme() {
      return tls ? "https" : "http";
    }
  }
}
