package io.poolkeeper.lab;

import io.poolkeeper.armsim.LatencyProfile;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The controller's configuration in the lab: the shipped one, but for where and how full. */
final class LabConfig {
  static final String NAME = "poolkeeper.conf";

  /** The buckets as after minutes without a write. */
  private static final String FULL_BUCKETS =
      """
        turnstile {
          writes.initial = ${poolkeeper.turnstile.writes.burst}
          early.initial = ${poolkeeper.turnstile.early.burst}
        }
      """;

  /**
   * A finalizer goes once no write of the controller before can arrive any more: a short rehearsal
   * has a shorter deadline.
   */
  private static final String SHORT_PERMITS = "  turnstile.turn-deadline = 10s\n";

  private static final String BOUND =
      """
        admission.allowed-pools."%s" = ["%s"]
        admission.allowed-pools."%s" = ["%s"]
      """
          .formatted(
              Blueprint.NAMESPACE,
              UnmanagedBalancer.ALLOWED,
              UnmanagedBalancer.RIVAL,
              UnmanagedBalancer.ALLOWED_TWICE);

  /** Where commands look for the leader; a real server may lack the namespace. */
  private static final String FOUND = "  leader-election.namespace = poolkeeper\n";

  /** From the interval, which is the cloud provider's own here, until a pool is verified. */
  private static final Duration LATER = Duration.ofSeconds(5);

  /** The shipped wait of a drain; a short rehearsal has a shorter one. */
  private static final Duration DRAIN_WAIT = Duration.ofSeconds(10);

  private LabConfig() {}

  private static String paced(Duration interval) {
    long drainWait = Math.min(DRAIN_WAIT.toMillis(), 2 * interval.toMillis());
    return "  updater.interval = %dms\n  updater.verify-after = %dms\n  lock.drain-wait = %dms\n"
        .formatted(interval.toMillis(), interval.plus(LATER).toMillis(), drainWait);
  }

  private static String bound(LabOptions options) {
    return options.profile() == LatencyProfile.FAST ? BOUND + SHORT_PERMITS : BOUND;
  }

  /** A process that is killed has its identity again only on the same port. */
  private static int port(LabOptions options) throws IOException {
    if (options.port() > 0 || !options.scenario().kills()) {
      return options.port();
    }
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  static Path write(Path directory, LabOptions options, URI arm) throws IOException {
    String interval = options.interval().map(LabConfig::paced).orElse("");
    String buckets = options.scenario().rested() ? FULL_BUCKETS : "";
    String text =
        """
        # Written by the lab; good for `poolkeeper run --config` while the lab runs.
        poolkeeper {
          mode = write
          cluster-name = "%s"
          azure {
            subscription-id = "%s"
            resource-group = "%s"
            load-balancers = [%s]
            vnet-id = "%s"
            endpoint = "%s"
            credential = none
          }
          http.port = %d
        %s%s%s%s}
        """
            .formatted(
                Blueprint.CLUSTER,
                Blueprint.SUBSCRIPTION,
                Blueprint.RESOURCE_GROUP,
                String.join(", ", Blueprint.CONFIGURED.stream().map(n -> "\"" + n + "\"").toList()),
                ArmSeed.vnet(),
                arm,
                port(options),
                options.kubeconfig().isEmpty() ? FOUND : "",
                interval,
                buckets,
                options.scenario().bound() ? bound(options) : "");
    Path file = directory.resolve(NAME);
    Files.writeString(file, text);
    return file;
  }
}
