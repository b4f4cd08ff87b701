package io.poolkeeper.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.poolkeeper.model.Truncated;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rate limits of azure.json as a layer of the rate limiter's limits (spec 2, Risks). Rates are
 * calls per second, to a thousandth; buckets are calls. The stanza for load balancers goes before
 * the general members, member by member; a zero in it means unset, as in the cloud provider.
 *
 * <p>Invariant: a limit is only lowered, and only if the configuration file leaves it at its
 * default. What is not used is said in one warning and is never a problem.
 */
final class RateLimits {
  private static final String SWITCH = "cloudProviderRateLimit";
  private static final String STANZA = "loadBalancerRateLimit";
  private static final String RATE_LIMITER = Values.ROOT + ".turnstile.";
  private static final String BUCKET_WRITE = SWITCH + "BucketWrite";

  /** The decimals of a rate; a bucket has none. */
  private static final int THOUSANDTHS = 3;

  private final List<JsonFields> fields = new ArrayList<>();
  private final List<String> unused = new ArrayList<>();
  private final Config set;
  private Config layer = ConfigFactory.empty();

  private RateLimits(JsonFields json, Config set) {
    this.set = set;
    var stanza = json.node(STANZA);
    stanza
        .filter(JsonNode::isObject)
        .map(node -> new JsonFields(node, json.file(), STANZA + ".", json.problems()))
        .ifPresent(fields::add);
    stanza
        .filter(node -> !node.isObject())
        .ifPresent(node -> unused.add(new Member(STANZA, node) + ", not an object"));
    fields.add(json);
  }

  /**
   * The layer.
   *
   * @param set the configuration file over the defaults
   */
  static Config read(JsonFields json, Config set, List<String> warnings) {
    var limits = new RateLimits(json, set);
    limits.translate();
    if (!limits.unused.isEmpty()) {
      warnings.add(json.file() + ": " + String.join("; ", limits.unused));
    }
    return limits.layer;
  }

  /** Whether the key of a burst has its value from an azure.json. */
  static boolean setsBurst(Values values, String key) {
    return values.azureJson(key, BUCKET_WRITE).isPresent()
        || values.azureJson(key, STANZA + "." + BUCKET_WRITE).isPresent();
  }

  private void translate() {
    var enabled = member(SWITCH);
    if (enabled.map(Member::node).filter(JsonNode::booleanValue).isPresent()) {
      lower("reads.rate", SWITCH + "QPS", THOUSANDTHS);
      lower("reads.burst", SWITCH + "Bucket", 0);
      lower("writes.rate", SWITCH + "QPSWrite", THOUSANDTHS);
      lower("writes.burst", BUCKET_WRITE, 0);
      if (layer.hasPath(RATE_LIMITER + "writes.burst")) {
        lower("writes.drain-reserve.burst", BUCKET_WRITE, 0);
      }
    } else if (enabled.isPresent() || fields.size() > 1 || hasRateLimit()) {
      var found = enabled.map(Member::toString).orElse(SWITCH + " is not set");
      unused.add(found + ", so that no rate limit of this file is used");
    }
  }

  private boolean hasRateLimit() {
    return Stream.of("QPS", "Bucket", "QPSWrite", "BucketWrite")
        .anyMatch(suffix -> member(SWITCH + suffix).isPresent());
  }

  private void lower(String limit, String name, int decimals) {
    var key = RATE_LIMITER + limit;
    member(name)
        .ifPresent(
            member -> {
              var number = number(member.node(), decimals);
              if (number.isEmpty()) {
                var allowed = decimals == 0 ? "a whole number from 1" : "a number from 0.001";
                unused.add("%s, not %s".formatted(member, allowed));
              } else if (!isDefault(key)) {
                unused.add("%s, but the configuration sets %s".formatted(member, key));
              } else if (number.get().compareTo(new BigDecimal(set.getString(key))) >= 0) {
                unused.add("%s, which does not lower %s".formatted(member, key));
              } else {
                var origin = fields.getLast().file() + ": " + member.path();
                var value = ConfigValueFactory.fromAnyRef(number.get(), origin);
                layer = layer.withValue(key, value);
              }
            });
  }

  private boolean isDefault(String key) {
    return set.hasPath(key) && Origins.describe(set.getValue(key).origin()).equals(Origins.DEFAULT);
  }

  /** A positive number; decimals that are too fine are cut off. */
  private static Optional<BigDecimal> number(JsonNode node, int decimals) {
    if (!node.isNumber() || !Double.isFinite(node.doubleValue())) {
      return Optional.empty();
    }
    boolean exact = decimals > 0 || node.canConvertToExactIntegral();
    return Optional.of(node.decimalValue().setScale(decimals, RoundingMode.DOWN))
        .filter(number -> exact && number.signum() > 0);
  }

  private Optional<Member> member(String name) {
    return fields.stream()
        .flatMap(
            from -> from.node(name).map(node -> new Member(from.prefix() + name, node)).stream())
        .filter(member -> !member.isUnset())
        .findFirst();
  }

  private record Member(String path, JsonNode node) {
    boolean isUnset() {
      return path.startsWith(STANZA) && node.isNumber() && node.doubleValue() == 0;
    }

    @Override
    public String toString() {
      return path + " is " + Truncated.middle(80, JsonFields.describe(node, path));
    }
  }
}
