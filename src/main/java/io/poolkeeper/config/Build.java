package io.poolkeeper.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What the build wrote of itself; {@code unknown} where it wrote nothing. */
public record Build(String version, String commit) {
  private static final String UNKNOWN = "unknown";

  public static Build read() {
    Properties properties = new Properties();
    try (var in = Build.class.getResourceAsStream("/version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Build(property(properties, "version"), property(properties, "commit"));
  }

  private static String property(Properties built, String name) {
    String value = built.getProperty(name, UNKNOWN);
    // An IDE does not fill it in.
    return value.isBlank() || value.startsWith("${") ? UNKNOWN : value;
  }
}
