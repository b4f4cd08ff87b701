package io.poolkeeper.node;

import io.poolkeeper.model.NodeView;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The notice that a spot machine will be evicted, from the message of a condition or an event, such
 * as {@code Preempt Scheduled: Thu, 19 Nov 2026 10:00:00 GMT. EventId: 1f2e}. The reason alone
 * proves nothing: AKS's node-problem-detector reports own failures under it, too. Messages of
 * conditions have the detector's words; prefixes of events' messages are configured (ADR 20).
 *
 * @param ids by which the same preemption is recognised: the id of the scheduled event and its
 *     NotBefore, as far as the message names them; empty if it names neither
 */
record Notice(List<String> ids) {
  /** Stands for every event but the false alarms, in the place of a prefix. */
  static final String ANY = "*";

  private static final Pattern PREEMPTION =
      Pattern.compile("Preempt (?:Scheduled|Started):(.*)", Pattern.DOTALL);

  private static final Pattern YEAR = Pattern.compile("\\b\\d{4}\\b");

  /** The longest NotBefore, in characters. */
  private static final int LONGEST_TIME = 120;

  private static final Pattern EVENT_ID = Pattern.compile("\\bEventId:\\s*([\\w-]{1,64})");

  /**
   * Beginnings of messages that announce no preemption although their reason says so: the detector
   * could not ask Azure, was throttled or found nothing; a recommendation; a preemption that was
   * cancelled; an event of a machine that stays.
   */
  private static final Pattern FALSE_ALARM =
      Pattern.compile(
          "\\s*(?:$|IMDS query failed|429\\b|too many requests|(?:VM has )?no (?:scheduled|preempt)"
              + "|SpotRebalanceRecommendation|Preempt (?:Cancell?ed|Completed)"
              + "|(?:Freeze|Reboot|Redeploy|Terminate) (?:Scheduled|Started))",
          Pattern.CASE_INSENSITIVE);

  Notice {
    ids = List.copyOf(ids);
  }

  /** Whether a condition of the node announces a preemption. */
  static boolean inConditionOf(NodeView node) {
    return node.preemptions().stream().anyMatch(message -> ofCondition(message).isPresent());
  }

  /** The notice in the message of a condition; empty if that is none. */
  static Optional<Notice> ofCondition(String message) {
    return PREEMPTION.matcher(message).matches() ? Optional.of(of(message)) : Optional.empty();
  }

  /**
   * The notice in the message of an event; empty if that is none.
   *
   * @param prefixes the beginnings of such messages, or {@value #ANY}
   */
  static Optional<Notice> ofEvent(String message, List<String> prefixes) {
    boolean announces =
        prefixes.stream().anyMatch(prefix -> prefix.equals(ANY) || message.startsWith(prefix));
    return announces && !FALSE_ALARM.matcher(message).lookingAt()
        ? Optional.of(of(message))
        : Optional.empty();
  }

  /**
   * Reads the ids. A time is one in the detector's words only; else it may be the message's own.
   */
  private static Notice of(String message) {
    Matcher preemption = PREEMPTION.matcher(message);
    Matcher event = EVENT_ID.matcher(message);
    String eventId = event.find() ? event.group(1) : "";
    String notBefore = preemption.matches() ? notBefore(preemption.group(1)) : "";
    return new Notice(Stream.of(eventId, notBefore).filter(id -> !id.isEmpty()).toList());
  }

  /**
   * The NotBefore in the first sentence; empty once the eviction has started. No pattern: anybody
   * may write such a text, and one with two open ends takes seconds.
   */
  private static String notBefore(String text) {
    int end = text.indexOf('.');
    String rest = end < 0 ? "" : text.substring(end + 1);
    String first = (end < 0 ? text : text.substring(0, end)).strip();
    boolean time =
        (rest.isEmpty() || Character.isWhitespace(rest.charAt(0)))
            && first.length() <= LONGEST_TIME
            && first.indexOf(';') < 0
            && YEAR.matcher(first).find();
    return time ? first : "";
  }
}
