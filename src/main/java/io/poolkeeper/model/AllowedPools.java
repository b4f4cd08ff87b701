package io.poolkeeper.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which pools the bindings of a namespace may name ({@code admission.allowed-pools}): none that no
 * pattern names, and none of another subscription, as a namespaced object must not reach every pool
 * that this identity can.
 */
public final class AllowedPools {
  private final String subscription;
  private final Map<String, List<Pattern>> patterns;

  private AllowedPools(String subscription, Map<String, List<Pattern>> patterns) {
    this.subscription = subscription;
    this.patterns = patterns;
  }

  /**
   * By namespace the ARM ids of pools. A {@code *} stands for any characters within a segment; case
   * is ignored.
   *
   * @param subscription the configured one
   * @throws IllegalArgumentException for a pattern that is no id of a pool, see {@link #wrong}
   */
  public static AllowedPools of(String subscription, Map<String, List<String>> allowed) {
    Map<String, List<Pattern>> patterns = new HashMap<>();
    allowed.forEach(
        (namespace, ids) ->
            patterns.put(namespace, ids.stream().map(AllowedPools::pattern).toList()));
    return new AllowedPools(subscription, Map.copyOf(patterns));
  }

  /** Whether the text is no pattern of ids of pools. */
  public static boolean wrong(String pattern) {
    return PoolReference.parse(pattern).isEmpty();
  }

  /** Whether a pattern that is not {@link #wrong} can name a pool of the subscription. */
  public static boolean within(String subscription, String pattern) {
    return PoolReference.parse(pattern)
        .flatMap(PoolReference::subscription)
        .filter(named -> glob(named).matcher(subscription).matches())
        .isPresent();
  }

  private static Pattern pattern(String id) {
    if (wrong(id)) {
      throw new IllegalArgumentException("no id of a backend pool: " + id);
    }
    return glob(id);
  }

  private static Pattern glob(String id) {
    String regex =
        Stream.of(id.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining("[^/]*"));
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
  }

  /** Whether a binding of the namespace may name the pool. */
  public boolean allows(String namespace, PoolId pool) {
    return Names.fold(pool.loadBalancer().subscription()).equals(Names.fold(subscription))
        && patterns.getOrDefault(namespace, List.of()).stream()
            .anyMatch(pattern -> pattern.matcher(pool.path()).matches());
  }
}
