package io.poolkeeper.model;

import java.util.Optional;

/**
 * Whether new connections may go to an entry of a pool (spec 2). ARM leaves out a state that was
 * never set, which is the same as {@link #NONE}.
 */
public enum AdminState {
  /** As the health probe says. */
  NONE("None"),
  /** Whatever the probe says; also any state that Poolkeeper does not know. It is never written. */
  UP("Up"),
  /** None; established TCP connections stay. */
  DOWN("Down");

  private final String text;

  AdminState(String text) {
    this.text = text;
  }

  /** What ARM calls it. */
  public String text() {
    return text;
  }

  /** The state that ARM shows, in any case. */
  public static AdminState of(Optional<String> shown) {
    String state = shown.orElse(NONE.text);
    return state.equalsIgnoreCase(NONE.text) ? NONE : state.equalsIgnoreCase(DOWN.text) ? DOWN : UP;
  }
}
