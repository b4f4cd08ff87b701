package io.poolkeeper.config;

/**
 * One thing that is wrong with the configuration, complete enough to be mended without reading
 * anything else. Never holds a secret.
 *
 * @param where the file, with line and column where they are known, or the environment variable
 * @param path of the key in it; empty if the file as a whole is wrong
 * @param found what is there
 * @param allowed what may be there instead
 */
public record Problem(String where, String path, String found, String allowed) {
  /** The one line that people read. */
  @Override
  public String toString() {
    var place = path.isEmpty() ? where : where + ": " + path;
    return "%s: found %s; allowed: %s".formatted(place, found, allowed);
  }
}
