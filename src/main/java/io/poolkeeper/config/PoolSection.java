package io.poolkeeper.config;

import io.poolkeeper.model.Range;
import io.poolkeeper.node.NodeLimits;
import io.poolkeeper.node.SpotLimits;
import io.poolkeeper.pool.Brake;
import io.poolkeeper.pool.PoolLimits;
import io.poolkeeper.retry.Backoff;
import io.poolkeeper.retry.Jitter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the sections {@code updater}, {@code backoff}, {@code admin-state}, {@code spot} and {@code
 * brake} and checks the rules between keys.
 */
final class PoolSection {
  private static final String BACKOFF = "admin-state.backoff.";
  private static final List<Map.Entry<String, Jitter>> JITTERS =
      List.of(
          Map.entry("equal", Jitter.EQUAL),
          Map.entry("full", Jitter.FULL),
          Map.entry("decorrelated", Jitter.DECORRELATED));

  private static final String MESSAGES = "spot.event-messages";
  private static final Range<Duration> DELAYS =
      new Range<>(Duration.ofMillis(100), Duration.ofHours(1));

  /** The meaning of {@code max-retries = null}, as in the cloud provider's configuration. */
  private static final int DEFAULT_MAX_RETRIES = 3;

  /** The key of a taint: a name, and before it a domain if it has one. */
  private static final Pattern TAINT_KEY =
      Pattern.compile(
          "((?=[^/]{1,253}/)[a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?"
              + "(?=[^/]{1,63}$)[A-Za-z0-9]([-\\w.]*[A-Za-z0-9])?");

  private static final Pattern PREFIX = Pattern.compile("\\*|[^\\s*]([^*]{0,198}[^\\s*])?");

  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern SOURCE = Pattern.compile("\\S{1,128}");

  private final Values values;
  final boolean enabled;
  final boolean spot;
  final NodeLimits nodes;
  final PoolLimits pools;

  PoolSection(Values values, boolean shadow, boolean optIn) {
    this.values = values;
    enabled = values.flag("updater.enabled");
    var interval = values.duration("updater.interval", PoolLimits.INTERVAL);
    var minInterval = values.duration("updater.min-interval", PoolLimits.INTERVAL);
    var verifyAfter = values.duration("updater.verify-after", PoolLimits.VERIFY_AFTER);
    boolean leadingEdge = values.flag("updater.leading-edge");
    var window =
        values.duration(
            "updater.coalesce-window",
            new Range<>(Duration.ZERO, interval),
            "the value of updater.interval");
    int maxRetries =
        values.count("updater.max-retries", DEFAULT_MAX_RETRIES, PoolLimits.MAX_RETRIES);
    var resync = values.duration("updater.resync", PoolLimits.RESYNC);
    var min = values.duration(BACKOFF + "min", DELAYS);
    boolean adminStates = values.flag("admin-state.enabled");
    var drains = values.duration("admin-state.coalesce-window", NodeLimits.WINDOW);
    boolean minIsValid = !values.rejected(BACKOFF + "min");
    var max =
        values.duration(BACKOFF + "max", minIsValid ? new Range<>(min, DELAYS.max()) : DELAYS);
    var jitter = values.oneOf("backoff.jitter", JITTERS, Jitter.EQUAL);
    int minActive = values.integer("admin-state.min-active", NodeLimits.MIN_ACTIVE);
    var taint = "the key of a taint alone, such as ToBeDeletedByClusterAutoscaler";
    var taints = Set.copyOf(words("admin-state.extra-taints", TAINT_KEY, taint));
    spot = values.flag("spot.enabled");
    nodes = new NodeLimits(adminStates, spot(spot && !optIn), minActive, drains, taints);
    pools =
        new PoolLimits(
            interval,
            minInterval,
            leadingEdge,
            window,
            verifyAfter,
            resync,
            maxRetries,
            new Backoff(minIsValid ? min : max, max, jitter),
            new Brake(
                values.thousandths("brake.max-removal", Brake.MAX_REMOVAL),
                values.integer("brake.min-entries", Brake.MIN_ENTRIES),
                values.duration("brake.delay", Brake.DELAY)),
            shadow);
  }

  private SpotLimits spot(boolean taints) {
    return new SpotLimits(
        taints,
        messages(),
        words("spot.event-namespaces", NAMESPACE, "the name of a namespace"),
        words("spot.event-sources", SOURCE, "the name of a component, of 1 to 128 characters"),
        values.thousandths("spot.max-tainted", SpotLimits.MAX_TAINTED));
  }

  private List<String> messages() {
    var messages =
        words(MESSAGES, PREFIX, "the begin of a message, of 1 to 200 characters and without *");
    if (messages.size() > 1 && messages.contains("*")) {
      values.reject(
          MESSAGES, "\"*\" beside others", "[\"*\"] alone, which stands for all messages");
    }
    return messages;
  }

  private List<String> words(String key, Pattern form, String allowed) {
    var words = values.texts(key, form, allowed);
    if (words.size() > NodeLimits.MOST_WORDS) {
      values.reject(key, words.size() + " of them", "at most " + NodeLimits.MOST_WORDS);
    }
    return words.stream().limit(NodeLimits.MOST_WORDS).toList();
  }
}
