package io.poolkeeper.lab.cluster;

/** Hears of each change of an object before any client does. */
@FunctionalInterface
public interface Listener {
  /**
   * An object is now like this.
   *
   * @param object as JSON; one that was removed, as it was
   */
  void changed(String path, String object, boolean removed);
}
