package io.poolkeeper.config;

import com.typesafe.config.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Settings with their origins.
 *
 * @param effective every key of {@code reference.conf} in reading order, secrets masked
 * @param pekko the user's section {@code pekko}, which overrides {@code application.conf}
 * @param ignored settings that have no effect beside the other settings, and why
 */
public record LoadedSettings(
    Settings settings, List<Effective> effective, Config pekko, List<String> ignored) {
  /** Keys of taints that nodes have without leaving, and why (docs/topics/admin-state.md). */
  private static final SortedMap<String, String> STAYING =
      new TreeMap<>(
          Map.of(
              "DeletionCandidateOfClusterAutoscaler",
              "the autoscaler may keep the node",
              "kubernetes.azure.com/scalesetpriority",
              "every spot node has it for as long as it lives",
              "node.kubernetes.io/not-ready",
              "one failure may put it on all nodes, and the health probe finds those that are dead",
              "node.kubernetes.io/unreachable",
              "one failure may put it on all nodes, and the health probe finds those that are dead",
              "node.kubernetes.io/unschedulable",
              "it is a cordon, which means no new pods, not no new connections"));

  public LoadedSettings {
    effective = List.copyOf(effective);
    ignored = List.copyOf(ignored);
  }

  /** Settings that are allowed, but may not be intended. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>(ignored);
    if (settings.azure().vnetId().isEmpty()) {
      warnings.add(
          "poolkeeper.azure.vnet-id is not set: addresses are added only to a pool that"
              + " names a virtual network, or has an entry that does");
    }
    STAYING.forEach(
        (taint, why) -> {
          if (settings.nodes().extraTaints().contains(taint)) {
            warnings.add(
                "poolkeeper.admin-state.extra-taints has %s: a node with it gets no new connections,"
                        .formatted(taint)
                    + " but "
                    + why);
          }
        });
    return warnings;
  }

  /**
   * The value of one key.
   *
   * @param value in HOCON, so that a line of {@link #toString} can be loaded again
   * @param origin {@code FILE:LINE}, {@code FILE: key} for azure.json, {@code env NAME}, {@code
   *     option NAME}, {@code default}
   */
  public record Effective(String path, String value, String origin) {
    @Override
    public String toString() {
      return "%s = %s  # %s".formatted(path, value, origin);
    }
  }
}
