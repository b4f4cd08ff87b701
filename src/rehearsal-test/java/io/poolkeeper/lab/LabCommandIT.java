package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.cli.CommandThread;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What the command refuses once it has started a lab. */
@Isolated("log levels and the log of all labs of this JVM")
class LabCommandIT {
  @Test
  void aPortThatIsTakenIsNamedAtOnce() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      try (CommandThread lab = CommandThread.start("lab", "--port", port)) {
        assertThat(lab.exitCode()).isEqualTo(1);
        assertThat(lab.out()).isEmpty();
        assertThat(lab.err())
            .singleElement()
            .asString()
            .startsWith("cannot listen on 127.0.0.1:" + port);
      }
    }
  }
}
