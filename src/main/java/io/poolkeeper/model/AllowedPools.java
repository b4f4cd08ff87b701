package io.poolkeeper.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pools that bindings of a namespace may name ({@code admission.allowed-pools}): only those
 * that a pattern names, and none of another subscription, as a namespaced object must not reach
 * every pool of this identity.
 */
public final class AllowedPools {
  private final String subscription;

  /** The patterns by resource group, folded, so that few are compared. */
  private final Map<String, List<Allowed>> byGroup;

  private record Allowed(String namespace, Pattern pools) {}

  private AllowedPools(String subscription, Map<String, List<Allowed>> byGroup) {
    this.subscription = subscription;
    this.byGroup = byGroup;
  }

  /**
   * By namespace the ARM ids of pools. A {@code *} stands for any characters within a segment, but
   * not in the resource group; case is ignored.
   *
   * @param subscription the configured one
   * @throws IllegalArgumentException for a pattern that is no id of a pool, see {@link #wrong}
   */
  public static AllowedPools of(String subscription, Map<String, List<String>> allowed) {
    Map<String, List<Allowed>> byGroup = new HashMap<>();
    for (Map.Entry<String, List<String>> entry : allowed.entrySet()) {
      for (String id : entry.getValue()) {
        List<Allowed> patterns = byGroup.computeIfAbsent(group(id), first -> new ArrayList<>());
        patterns.add(new Allowed(entry.getKey(), glob(id)));
      }
    }
    return new AllowedPools(subscription, Map.copyOf(byGroup));
  }

  /** Whether the text is no pattern of ids of pools. */
  public static boolean wrong(String pattern) {
    return PoolReference.parse(pattern)
        .flatMap(PoolReference::resourceGroup)
        .filter(group -> !group.contains("*"))
        .isEmpty();
  }

  /** Whether a pattern that is not {@link #wrong} can name a pool of the subscription. */
  public static boolean within(String subscription, String pattern) {
    return PoolReference.parse(pattern)
        .flatMap(PoolReference::subscription)
        .filter(named -> glob(named).matcher(Names.fold(subscription)).matches())
        .isPresent();
  }

  /** The resource group of a pattern that is not {@link #wrong}, folded. */
  public static String group(String pattern) {
    return PoolReference.parse(pattern)
        .flatMap(PoolReference::resourceGroup)
        .filter(group -> !group.contains("*"))
        .map(Names::fold)
        .orElseThrow(() -> new IllegalArgumentException("no id of a backend pool: " + pattern));
  }

  /** Of folded ids, as all others compare them: letters of any language have cases. */
  private static Pattern glob(String id) {
    String regex =
        Stream.of(Names.fold(id).split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining("[^/]*"));
    return Pattern.compile(regex);
  }

  /** The resource groups in which any pool is allowed, folded. */
  public Set<String> groups() {
    return byGroup.keySet();
  }

  /** The namespaces whose bindings may name the pool. */
  public Set<String> namespaces(PoolId pool) {
    if (!Names.fold(pool.loadBalancer().subscription()).equals(Names.fold(subscription))) {
      return Set.of();
    }
    String path = Names.fold(pool.path());
    return byGroup.getOrDefault(pool.loadBalancer().group(), List.of()).stream()
        .filter(allowed -> allowed.pools().matcher(path).matches())
        .map(Allowed::namespace)
        .collect(Collectors.toSet());
  }
}
