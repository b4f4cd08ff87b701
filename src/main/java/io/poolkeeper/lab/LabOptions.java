package io.poolkeeper.lab;

import io.poolkeeper.armsim.LatencyProfile;
import io.poolkeeper.lab.scenario.Scenario;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a rehearsal.
 *
 * @param interval replaces the shipped update interval
 * @param keep leave everything running afterwards
 * @param controller whether this process runs the controller; if not, the lab waits for one
 * @param port of the controller's HTTP API; 0 takes any free one
 * @param kubeconfig of a real, disposable API server to use instead of the embedded one
 */
public record LabOptions(
    Scenario scenario,
    long seed,
    Optional<Duration> interval,
    LatencyProfile profile,
    boolean keep,
    boolean controller,
    int port,
    Optional<Path> kubeconfig) {
  /** An ordinary rehearsal of a scenario. */
  public static LabOptions of(Scenario scenario) {
    return new LabOptions(
        scenario, 1, Optional.empty(), LatencyProfile.FAST, false, true, 0, Optional.empty());
  }

  public LabOptions withInterval(Duration other) {
    return new LabOptions(
        scenario, seed, Optional.of(other), profile, keep, controller, port, kubeconfig);
  }

  public LabOptions withKubeconfig(Path file) {
    return new LabOptions(
        scenario, seed, interval, profile, keep, controller, port, Optional.of(file));
  }
}
