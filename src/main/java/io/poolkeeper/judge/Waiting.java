package io.poolkeeper.judge;

import java.time.Duration;
import java.time.Instant;

/**
 * Something that is wrong, and has been shown to the controller.
 *
 * @param spacing of writes that was in force then
 * @param fight how long it may wait because others undo the same repair again and again
 */
record Waiting(Subject subject, Instant since, By by, Duration spacing, Duration fight) {
  /** What has shown it. */
  enum By {
    /** It was wanted, or a node has left or returned: this needs neither a look nor a retry. */
    CHANGE("what the watches delivered"),
    VIEW("a GET or a listing"),
    /** The cloud provider's own event, or the time of a look: a listing comes in a moment. */
    WORD("the cloud provider's event, or the time for a look");

    private final String text;

    By(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  boolean members() {
    return subject.how().members();
  }
}
