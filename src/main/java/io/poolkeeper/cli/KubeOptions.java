package io.poolkeeper.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.poolkeeper.kube.KubeClients;
import io.poolkeeper.process.Entropy;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options for the cluster and the namespace of Poolkeeper in it, as a mixin. */
@Command
class KubeOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Instead of KUBECONFIG and ~/.kube/config.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Of the kubeconfig, instead of its current one.")
  private @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      defaultValue = "poolkeeper",
      description = "Where Poolkeeper runs (${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init") // It has a default.
  private String namespace;

  final KubernetesClient client() {
    return KubeClients.create(
        Optional.ofNullable(kubeconfig), Optional.ofNullable(context), Entropy.system().wall());
  }

  final String namespace() {
    return namespace;
  }
}
