package io.poolkeeper.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The program's version as the build wrote it, its JDK and its API versions. */
public final class Version implements IVersionProvider {
  private static final String UNKNOWN = "unknown";

  @Override
  public String[] getVersion() {
    var built = built();
    return new String[] {
      "version = " + property(built, "version"),
      "commit = " + property(built, "commit"),
      "jdk = %s (%s)".formatted(Runtime.version(), System.getProperty("java.vendor", UNKNOWN)),
      "arm-api = Microsoft.Network 2025-05-01",
      "kubernetes-api = v1, discovery.k8s.io/v1"
    };
  }

  private static String property(Properties built, String name) {
    var value = built.getProperty(name, UNKNOWN);
    return value.isBlank() || value.startsWith("${")
        ? UNKNOWN
        : value; // An IDE does not fill it in.
  }

  private static Properties built() {
    var properties = new Properties();
    try (var in = Version.class.getResourceAsStream("/version.properties")) {
      if (in != null) {
        properties.load(in);
      }
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
