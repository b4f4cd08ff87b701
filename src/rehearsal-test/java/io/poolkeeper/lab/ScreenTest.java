package io.poolkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.poolkeeper.cli.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private static final String ERASE = "\r\u001b[2K";

  private final StringWriter written = new StringWriter();

  @Test
  void linesStayAndABarIsBelowThem() {
    Progress progress = new Progress(new PrintWriter(written), true);
    Audience screen = new LabCommand.Screen(progress::line, progress);

    screen.accept("one");
    screen.progress(2, 5, Duration.ofMillis(12_900));
    screen.accept("two");

    String bar = "[" + "#".repeat(12) + "-".repeat(18) + "] 12 s";
    assertThat(written).hasToString("one%n%s%s%stwo%n".formatted(ERASE, bar, ERASE));
  }
}
