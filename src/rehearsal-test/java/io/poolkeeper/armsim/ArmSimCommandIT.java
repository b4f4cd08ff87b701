package io.poolkeeper.armsim;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.cli.CommandThread;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command prints when it has started, and what keeps it from starting. */
class ArmSimCommandIT {
  @TempDir private Path directory;

  @Test
  void withTls_itSaysWhereTheCertificateIs() throws Exception {
    Path relative = Path.of("").toAbsolutePath().relativize(directory.resolve("ca.pem"));
    try (CommandThread sim = start("--tls", "--ca-file", relative.toString())) {
      URI base = URI.create(sim.awaitOut("listening on "));
      String ca = sim.awaitOut("ca certificate: ");

      assertThat(base.getScheme()).isEqualTo("https");
      assertThat(Path.of(ca)).isAbsolute().hasSameBinaryContentAs(directory.resolve("ca.pem"));
      assertThat(Files.readString(Path.of(ca))).startsWith("-----BEGIN CERTIFICATE-----");
      assertThat(sim.interrupt()).isZero();
      assertThat(sim.out()).hasSize(2);
      assertThat(sim.err()).isEmpty();
    }
  }

  @Test
  void portThatIsTaken_isNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      assertRefused("cannot listen on 127.0.0.1:" + port, "--port", port);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"resourceGr", "{\"loadBalancers\":[]}"})
  void stateFileThatIsNone_isNamedAndLeftAlone(String content) throws Exception {
    Path file = Files.writeString(directory.resolve("bad.json"), content);

    assertRefused("state file " + file, "--state", file.toString());

    assertThat(file).hasContent(content);
  }

  @Test
  void fileThatCannotBeUsed_isNamed() {
    Path nowhere = directory.resolve("nowhere/arm.json");

    assertRefused(
        "state file %s cannot be read".formatted(directory), "--state", directory.toString());
    assertRefused(
        "state file %s cannot be written".formatted(nowhere), "--state", nowhere.toString());
    assertRefused(
        "CA certificate %s cannot be written".formatted(directory),
        "--tls",
        "--ca-file",
        directory.toString());
  }

  private static CommandThread start(String... options) {
    return CommandThread.start(
        Stream.concat(Stream.of("arm-sim"), Stream.of(options)).toArray(String[]::new));
  }

  private static void assertRefused(String message, String... options) {
    try (CommandThread sim = start(options)) {
      assertThat(sim.exitCode()).isEqualTo(1);
      assertThat(sim.out()).isEmpty();
      assertThat(sim.err()).singleElement().asString().startsWith(message);
    }
  }
}
