package io.poolkeeper.model;

import static io.poolkeeper.model.Names.fold;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The node of each pool entry: by any of its InternalIPs, or by the machine of its provider id;
 * never by the entry's name, which anybody may choose. A snapshot, shared and never copied. Nodes
 * that are to be left alone are not in it.
 *
 * @param byAddress all InternalIPs of all nodes
 * @param byMachine the ARM ids of virtual machines and of instances of scale sets, folded
 * @param machines the ARM ids of machines by IP configurations whose own ids name no machine, as
 *     far as known, folded
 */
public record ClusterNodes(
    Map<Address, NodeKey> byAddress, Map<String, NodeKey> byMachine, Map<String, String> machines) {
  private static final Pattern INSTANCE =
      Pattern.compile(
          "(/subscriptions/[^/]+/resourcegroups/[^/]+/providers)/microsoft\\.(?:compute|network)"
              + "/(virtualmachinescalesets/[^/]+/virtualmachines/[^/]+)/networkinterfaces/.+");

  public static final ClusterNodes NONE = new ClusterNodes(Map.of(), Map.of(), Map.of());

  /** Whether both are the same snapshot, without a comparison of all nodes. */
  @SuppressWarnings("ReferenceEquality") // that is what is asked
  public boolean is(ClusterNodes other) {
    return this == other;
  }

  /** The node of an entry; empty if it has none, or if that is unknown. */
  public Optional<NodeKey> of(PoolEntry entry) {
    return entry.address().map(byAddress::get).or(() -> entry.ipConfiguration().map(this::of));
  }

  private @Nullable NodeKey of(String ipConfigurationId) {
    return machineOf(ipConfigurationId)
        .or(() -> Optional.ofNullable(machines.get(fold(ipConfigurationId))))
        .map(byMachine::get)
        .orElse(null);
  }

  /**
   * The machine that the id of an IP configuration names: that of a scale set's instance, under
   * either provider.
   *
   * @return the ARM id, folded
   */
  public static Optional<String> machineOf(String ipConfigurationId) {
    Matcher instance = INSTANCE.matcher(fold(ipConfigurationId));
    return instance.matches()
        ? Optional.of(instance.group(1) + "/microsoft.compute/" + instance.group(2))
        : Optional.empty();
  }
}
