package io.poolkeeper.model;

import java.util.Optional;

/**
 * Whether new connections may go to an entry of a pool (spec 2). ARM leaves out a state that was
 * never set, which is the same as {@link #NONE}.
 */
public enum AdminState {
  /** The health probe decides. */
  NONE("None"),
  /** Yes, whatever the probe says; also any unknown state. It is never written. */
  UP("Up"),
  /** No new connections; established TCP connections stay. */
  DOWN("Down");

  private final String text;

  AdminState(String text) {
    this.text = text;
  }

  /** The state in ARM's words. */
  public String text() {
    return text;
  }

  /** The state that ARM shows, in any case. */
  public static AdminState of(Optional<String> shown) {
    String state = shown.orElse(NONE.text);
    if (state.equalsIgnoreCase(NONE.text)) {
      return NONE;
    }
    return state.equalsIgnoreCase(DOWN.text) ? DOWN : UP;
  }
}
