package io.poolkeeper.cli;

import io.poolkeeper.config.Build;
import picocli.CommandLine.IVersionProvider;

/** The program's version as the build wrote it, its JDK and its API versions. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    Build built = Build.read();
    return new String[] {
      "version = " + built.version(),
      "commit = " + built.commit(),
      "jdk = %s (%s)".formatted(Runtime.version(), System.getProperty("java.vendor", "unknown")),
      "arm-api = Microsoft.Network 2025-05-01",
      "kubernetes-api = v1, discovery.k8s.io/v1"
    };
  }
}
