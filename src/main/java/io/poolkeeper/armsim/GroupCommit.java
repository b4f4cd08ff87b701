package io.poolkeeper.armsim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decides when the state is saved and who has to wait for it: one save at a time, and what changes
 * meanwhile shares the next one. Whoever waits is told once the changes up to then are saved, or
 * that they were not. After a failure they remain to be saved. Pure: the saves are done elsewhere.
 * Confined to one thread; as many may wait as there are connections.
 */
final class GroupCommit {
  private List<Consumer<Optional<String>>> next = new ArrayList<>();
  private List<Consumer<Optional<String>>> riding = new ArrayList<>();
  private boolean unsaved;
  private boolean saving;

  /** Something changed. */
  void changed() {
    unsaved = true;
  }

  /**
   * Tells, now or later, whether all changes so far are saved.
   *
   * @param told is given why not, or nothing
   */
  void whenSaved(Consumer<Optional<String>> told) {
    if (unsaved) {
      next.add(told);
    } else if (saving) {
      riding.add(told);
    } else {
      told.accept(Optional.empty());
    }
  }

  /** Whether anybody waits for a save that has not begun. */
  boolean awaited() {
    return !next.isEmpty();
  }

  /** Whether a save of the state as it is now is to begin; if so, it has begun. */
  boolean begins() {
    if (saving || !unsaved) {
      return false;
    }
    saving = true;
    unsaved = false;
    riding = next;
    next = new ArrayList<>();
    return true;
  }

  /** The save has ended; empty: well. */
  void ended(Optional<String> failure) {
    saving = false;
    unsaved |= failure.isPresent();
    List<Consumer<Optional<String>>> waited = riding;
    riding = new ArrayList<>();
    waited.forEach(told -> told.accept(failure));
  }
}
