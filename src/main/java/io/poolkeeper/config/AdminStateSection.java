package io.poolkeeper.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the sections {@code admin-state} and {@code spot} and checks the rules between keys. */
record AdminStateSection(Values values) {
  private static final String TAINTS = "admin-state.extra-taints";
  private static final String MESSAGES = "spot.event-messages";

  /** A cluster has no more nodes. */
  private static final int MOST_ENTRIES = 5_000;

  /** The same bound as in {@code NodeLimits}; a test compares. */
  static final int MOST_WORDS = 16;

  /** Of taints, as Kubernetes has it: a name, and before it a domain. */
  private static final Pattern KEY =
      Pattern.compile(
          "((?=[^/]{1,253}/)[a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?"
              + "(?=[^/]{1,63}$)[A-Za-z0-9]([-\\w.]*[A-Za-z0-9])?");

  private static final String ANY = "*";
  private static final Pattern PREFIX = Pattern.compile("\\*|[^\\s*]([^*]{0,198}[^\\s*])?");

  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration WIDEST = Duration.ofSeconds(10);

  Settings.AdminState read() {
    var min = values.duration("admin-state.backoff.min", SHORTEST, LONGEST);
    boolean sound = !values.rejected("admin-state.backoff.min");
    return new Settings.AdminState(
        values.flag("admin-state.enabled"),
        values.duration("admin-state.coalesce-window", Duration.ZERO, WIDEST),
        min,
        values.duration("admin-state.backoff.max", sound ? min : SHORTEST, LONGEST),
        values.integer("admin-state.min-active", 0, MOST_ENTRIES),
        words(TAINTS, KEY, "the key of a taint alone, such as karpenter.sh/disrupted"));
  }

  Settings.Spot readSpot() {
    List<String> messages =
        words(MESSAGES, PREFIX, "the begin of a message, of 1 to 200 characters and without *");
    if (messages.size() > 1 && messages.contains(ANY)) {
      values.reject(
          MESSAGES, "\"*\" beside others", "[\"*\"] alone, which stands for all messages");
    }
    return new Settings.Spot(values.flag("spot.enabled"), messages);
  }

  private List<String> words(String key, Pattern form, String allowed) {
    List<String> words = values.texts(key, form, allowed);
    if (words.size() > MOST_WORDS) {
      values.reject(key, words.size() + " of them", "at most " + MOST_WORDS);
    }
    return words;
  }
}
