package io.poolkeeper.ops;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The figures of Prometheus' own clients about every process, under their names; read on each
 * scrape. A figure that the system does not give is {@code NaN}.
 */
final class ProcessFigures {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final double KIBIBYTE = 1_024;

  private ProcessFigures() {}

  static void bindTo(MeterRegistry registry) {
    ProcessHandle self = ProcessHandle.current();
    Metrics.show(registry, Metric.PROCESS_CPU, self, ProcessFigures::cpuSeconds);
    Metrics.show(registry, Metric.PROCESS_START, self, ProcessFigures::startSeconds);
    Metrics.show(registry, Metric.PROCESS_MEMORY, STATUS, ProcessFigures::residentBytes);
  }

  private static double cpuSeconds(ProcessHandle process) {
    return process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L) / 1e3;
  }

  private static double startSeconds(ProcessHandle process) {
    return process.info().startInstant().map(at -> at.toEpochMilli() / 1e3).orElse(Double.NaN);
  }

  /** The number in the line {@code VmRSS: 123456 kB} of a file of Linux. */
  static double residentBytes(Path status) {
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * KIBIBYTE)
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException notLinux) {
      return Double.NaN;
    }
  }
}
