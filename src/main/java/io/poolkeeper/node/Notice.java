package io.poolkeeper.node;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A message that a spot machine will be evicted, of a condition or an event of the
 * node-problem-detector. It reports its own failures under the same reason: only messages that
 * begin as a preemption does are one.
 *
 * @param ids by which the same preemption is known again: the id of the scheduled event and its
 *     NotBefore, as far as the message names them; empty if it names neither
 */
record Notice(List<String> ids) {
  private static final Pattern PREEMPTION =
      Pattern.compile("Preempt (?:Scheduled|Started):(.*)", Pattern.DOTALL);

  /** The first sentence is the NotBefore; it is empty once the eviction has started. */
  private static final Pattern NOT_BEFORE =
      Pattern.compile(
          "\\s*([^;.]{0,60}?\\b\\d{4}\\b[^;.]{0,60}?)\\s*(?:\\.\\s.*|\\.?)", Pattern.DOTALL);

  private static final Pattern EVENT_ID = Pattern.compile("\\bEventId:\\s*([\\w-]{1,64})");

  Notice {
    ids = List.copyOf(ids);
  }

  /** The notice that a message is; empty if it is none. */
  static Optional<Notice> of(String message) {
    Matcher preemption = PREEMPTION.matcher(message);
    if (!preemption.matches()) {
      return Optional.empty();
    }
    String rest = preemption.group(1);
    Matcher event = EVENT_ID.matcher(rest);
    Matcher time = NOT_BEFORE.matcher(rest);
    return Optional.of(
        new Notice(
            Stream.of(event.find() ? event.group(1) : "", time.matches() ? time.group(1) : "")
                .filter(id -> !id.isEmpty())
                .toList()));
  }
}
