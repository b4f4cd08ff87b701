package io.poolkeeper.status;

import java.time.Instant;
import java.util.Optional;

/**
 * The identity of this process.
 *
 * @param cluster the name of the cluster
 * @param shadow whether nothing is written
 * @param pod its name, or that of its machine
 * @param namespace of its leader's Lease
 * @param election whether replicas elect a leader, so that there is such a Lease
 * @param lease its name
 * @param port of this API
 * @param started when, of the time of day
 * @param runbooks the URL of the folder of runbooks
 */
public record Installation(
    String cluster,
    boolean shadow,
    String pod,
    String namespace,
    boolean election,
    String lease,
    int port,
    Instant started,
    String version,
    String commit,
    Optional<String> runbooks) {
  /** The page about an alert, as its annotation has it. */
  public Optional<String> runbook(String alert) {
    return runbooks.filter(any -> !alert.isEmpty()).map(of -> of + "/" + alert + ".md");
  }
}
