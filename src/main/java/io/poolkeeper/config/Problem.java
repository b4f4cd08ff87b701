package io.poolkeeper.config;

import io.poolkeeper.model.Truncated;

/**
 * One error in the configuration, with all that is needed to fix it. Never contains a secret.
 *
 * @param where the file, with line and column where they are known, or the environment variable
 * @param path of the key in it; empty if the file as a whole is wrong
 * @param found the value found, both ends of a long one: what is wrong in an id is often at its end
 * @param allowed the values allowed
 */
public record Problem(String where, String path, String found, String allowed) {
  /** Enough for the ARM id of a pool. */
  private static final int MAX_LENGTH = 320;

  public Problem {
    path = Truncated.middle(MAX_LENGTH, path);
    found = Truncated.middle(MAX_LENGTH, found);
  }

  @Override
  public String toString() {
    var place = path.isEmpty() ? where : where + ": " + path;
    return "%s: found %s; allowed: %s".formatted(place, found, allowed);
  }
}
