package io.poolkeeper.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The real kubectl, signed in at a real API server. */
public record Kubectl(Path program, Path directory) {
  /** Keeps its files in the directory. */
  public static Kubectl of(RealApiServer server, Path directory) throws IOException {
    Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
    return new Kubectl(RealApiServer.programs().resolve("kubectl"), directory);
  }

  /** By which it signs in. */
  public Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  /** What it prints; it must succeed. */
  public List<String> run(String... arguments) throws IOException, InterruptedException {
    Path log = directory.resolve("kubectl.log");
    Stream<String> own = Stream.of(program.toString(), "--kubeconfig=" + kubeconfig());
    Process process =
        new ProcessBuilder(Stream.concat(own, Stream.of(arguments)).toList())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("kubectl ends").isTrue();
    List<String> output = Files.readAllLines(log);
    assertThat(process.exitValue()).as(String.join("\n", output)).isZero();
    return output;
  }
}
