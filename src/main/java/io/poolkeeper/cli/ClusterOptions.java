package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster, and the Lease of whose leader, as a mixin. */
@Command
final class ClusterOptions {
  static final String USUAL_LEASE = "poolkeeper-leader";
  static final String SHADOW = "-shadow";

  @Mixin private final KubeOptions kube = new KubeOptions();

  @Option(
      names = "--lease",
      paramLabel = "NAME",
      description = "Of the leader: leader-election.name (" + USUAL_LEASE + ", or with -shadow).")
  private @Nullable String lease;

  KubernetesClient client() {
    return kube.client();
  }

  String namespace() {
    return kube.namespace();
  }

  /** In the order in which they are asked. */
  List<String> leases() {
    return lease == null ? List.of(USUAL_LEASE, USUAL_LEASE + SHADOW) : List.of(lease);
  }
}
