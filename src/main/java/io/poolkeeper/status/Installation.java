package io.poolkeeper.status;

import java.time.Instant;
import java.util.Optional;

/**
 * The identity of this process.
 *
 * @param cluster the name of the cluster
 * @param shadow whether nothing is written
 * @param pod the name of the pod, or else of the machine
 * @param namespace of the leader's Lease
 * @param election whether replicas elect a leader, so that there is such a Lease
 * @param lease the name of the leader's Lease
 * @param port of the API of this process
 * @param started when the process started, of the time of day
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
    return alert.isEmpty()
        ? Optional.empty()
        : runbooks.map(folder -> folder + "/" + alert + ".md");
  }
}
