package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final String ERASE = "\r\u001b[2K";

  private final StringWriter written = new StringWriter();

  private Progress progress(boolean terminal) {
    return new Progress(new PrintWriter(written), terminal);
  }

  @Test
  void accept_noTerminal_aPlainLineEach() {
    Progress progress = progress(false);

    progress.accept("one");
    progress.accept("x".repeat(200));
    progress.done();

    assertThat(written.toString().lines()).containsExactly("one", "x".repeat(200));
  }

  @Test
  void accept_onATerminal_writesOverTheStepBefore() {
    Progress progress = progress(true);

    progress.accept("one");
    progress.accept("two");

    assertThat(written).hasToString(ERASE + "one" + ERASE + "two");
  }

  @Test
  void accept_longerThanATerminal_isCut() {
    progress(true).accept("x".repeat(80));

    assertThat(written).hasToString(ERASE + "x".repeat(76) + "...");
  }

  @Test
  void line_onATerminal_replacesTheStepAndStays() {
    Progress progress = progress(true);

    progress.line("zero");
    progress.accept("one");
    progress.line("two");
    progress.accept("three");

    assertThat(written).hasToString("zero%n%sone%stwo%n%sthree".formatted(ERASE, ERASE, ERASE));
  }

  @Test
  void done_onATerminal_erasesTheLastStepAndWritesOverNoMore() {
    Progress progress = progress(true);

    progress.accept("one");
    progress.done();
    progress.accept("two");
    progress.accept("three");

    assertThat(written).hasToString("%sone%stwo%nthree%n".formatted(ERASE, ERASE));
  }
}
