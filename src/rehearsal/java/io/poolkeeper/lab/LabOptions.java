package io.poolkeeper.lab;

import io.poolkeeper.armsim.LatencyProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a rehearsal.
 *
 * @param interval replaces the shipped update interval
 * @param controller whether this process runs the controller; if not, the lab waits for one
 * @param port of the controller's HTTP API; 0 takes any free one
 * @param kills how often {@code crash} kills the controller
 * @param kubeconfig of a real, disposable API server to use instead of the embedded one
 */
public record LabOptions(
    Scenario scenario,
    long seed,
    Optional<Duration> interval,
    LatencyProfile profile,
    boolean controller,
    int port,
    Optional<Path> kubeconfig,
    int kills) {}
