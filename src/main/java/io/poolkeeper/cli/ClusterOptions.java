package io.poolkeeper.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options for the cluster and the leader's Lease in it, as a mixin. */
@Command
final class ClusterOptions extends KubeOptions {
  static final String USUAL_LEASE = "poolkeeper-leader";
  static final String SHADOW = "-shadow";

  @Option(
      names = "--lease",
      paramLabel = "NAME",
      description = "Of the leader: leader-election.name (" + USUAL_LEASE + ", or with -shadow).")
  private @Nullable String lease;

  /** The names of the Leases, in the order in which they are read. */
  List<String> leases() {
    return lease == null ? List.of(USUAL_LEASE, USUAL_LEASE + SHADOW) : List.of(lease);
  }
}
