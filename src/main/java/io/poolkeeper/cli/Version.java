package io.poolkeeper.cli;

import io.poolkeeper.config.Build;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * {@code poolkeeper version}, and what {@code --version} prints: the program's version as the build
 * wrote it, its JDK and its API versions.
 */
@Command(
    name = "version",
    description = "Prints version, commit, JDK and the versions of the APIs in use.",
    footer = {"", "Example:", "  poolkeeper version"})
public final class Version extends CliCommand implements Runnable, IVersionProvider {
  @Override
  public void run() {
    spec().commandLine().printVersionHelp(out());
  }

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
