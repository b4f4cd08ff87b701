package io.poolkeeper.armsim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decides when the state is saved: one save at a time, and changes meanwhile share the next one. A
 * waiting caller is notified when its changes were saved or the save failed. After a failure the
 * changes remain unsaved. Pure: the saves are done elsewhere. Confined to one thread; as many
 * callers may wait as there are connections.
 */
final class GroupCommit {
  private List<Consumer<Optional<String>>> next = new ArrayList<>();
  private List<Consumer<Optional<String>>> inSave = new ArrayList<>();
  private boolean unsaved;
  private boolean saving;

  void changed() {
    unsaved = true;
  }

  /**
   * Notifies, now or later, whether all changes so far are saved; {@code onSaved} gets the failure,
   * if there is one.
   */
  void whenSaved(Consumer<Optional<String>> onSaved) {
    if (unsaved) {
      next.add(onSaved);
    } else if (saving) {
      inSave.add(onSaved);
    } else {
      onSaved.accept(Optional.empty());
    }
  }

  /** Whether a caller waits for a save that has not begun. */
  boolean awaited() {
    return !next.isEmpty();
  }

  /** Begins a save of the current state; false if one is running or there is nothing to save. */
  boolean begins() {
    if (saving || !unsaved) {
      return false;
    }
    saving = true;
    unsaved = false;
    inSave = next;
    next = new ArrayList<>();
    return true;
  }

  /** The save has ended; empty means success. */
  void ended(Optional<String> failure) {
    saving = false;
    unsaved |= failure.isPresent();
    List<Consumer<Optional<String>>> waited = inSave;
    inSave = new ArrayList<>();
    waited.forEach(onSaved -> onSaved.accept(failure));
  }
}
