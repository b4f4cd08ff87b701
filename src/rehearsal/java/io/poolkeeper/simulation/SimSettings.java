package io.poolkeeper.simulation;

import io.poolkeeper.admission.AdmissionLimits;
import io.poolkeeper.arm.Azure;
import io.poolkeeper.config.Settings;
import io.poolkeeper.lock.LockLimits;
import io.poolkeeper.node.NodeLimits;
import io.poolkeeper.node.SpotLimits;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The settings of a process: what its seed has drawn, and the rest as it is in every run. */
final class SimSettings {
  private static final String VNET =
      "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet";

  private SimSettings() {}

  static Settings of(SimOptions options) {
    boolean other = options.nodes().otherSignals();
    return new Settings(
        "kubernetes",
        Settings.Mode.WRITE,
        false,
        azure(options.size().loadBalancers()),
        true,
        options.pools(),
        true,
        new NodeLimits(
            true,
            new SpotLimits(
                true,
                other ? List.of("*") : NodeSignals.SHIPPED,
                List.of("default"),
                List.of(),
                1_000),
            options.nodes().minActive(),
            Duration.ofMillis(20),
            other ? Set.of(NodeSignals.EXTRA) : Set.of()),
        options.rateLimiter(),
        options.maxRetryAfter(),
        lock(options.sharing()),
        SimElection.SETTINGS,
        new Settings.Admission(
            options.bindings().isPresent(),
            new AdmissionLimits(SimBindings.LONGEST_DELAY),
            options.freezes() ? List.of("freeze") : List.of(),
            Map.of(SimBinding.NAMESPACE, List.of(BindingUsers.BALANCER.pool("*").path()))),
        Settings.Http.open("127.0.0.1", 0));
  }

  private static Settings.Lock lock(SimOptions.Sharing sharing) {
    return new Settings.Lock(
        sharing.lease(),
        "lease",
        "kube-system",
        "poolkeeper",
        Duration.ofMinutes(15),
        new LockLimits(LeaseClient.MAX_HOLD, sharing.maxTail(), sharing.yield()),
        Optional.of(LeaseClient.DRAIN_WAIT),
        sharing.unreachableAfter());
  }

  private static Azure azure(int loadBalancers) {
    return new Azure(
        SimOptions.SUBSCRIPTION,
        SimOptions.GROUP,
        SimOptions.GROUP,
        Optional.of(VNET),
        IntStream.range(0, loadBalancers).mapToObj(SimArm::name).toList(),
        Azure.Cloud.PUBLIC,
        Optional.of(URI.create(SimOptions.ENDPOINT)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new Azure.Credential.None(),
        "2025-05-01");
  }
}
