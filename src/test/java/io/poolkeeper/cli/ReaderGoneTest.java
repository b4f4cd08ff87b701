package io.poolkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody like {@code head -1} reads standard output no further. */
@Timeout(30)
class ReaderGoneTest {
  private static final String STATE =
      """
      {"whole": true, "pools": [], "status": {"now": "2026-11-28T10:00:00Z", "cluster": "c", "mode": "write",
       "pod": "p-0", "leads": true, "headline": {"tone": "ok", "text": "All is well."}}}
      """
          .replace("\n ", " ");

  /** As a pipe that is closed after the first flush. */
  private static final class Pipe extends Writer {
    private final StringBuilder text = new StringBuilder();
    private boolean closed;

    @Override
    public void write(char[] from, int begin, int length) throws IOException {
      if (closed) {
        throw new IOException("Broken pipe");
      }
      text.append(from, begin, length);
    }

    @Override
    public void flush() {
      closed |= !text.isEmpty();
    }

    @Override
    public void close() {}
  }

  @Test
  void aWatch_endsQuietly_althoughNothingChanges() throws Exception {
    var err = new StringWriter();
    int code;
    Pipe pipe = new Pipe();
    try (LeaderStub stub = new LeaderStub()) {
      stub.answer(LeaderStub.EVENTS, STATE);

      code =
          Cli.run(
              List.of("status", "--watch", "--url", stub.url().toString()),
              new PrintWriter(pipe),
              new PrintWriter(err),
              Map.of());
    }

    assertThat(pipe.text).contains("All is well.");
    assertThat(code).isEqualTo(141);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void anAnswerThatCannotBeWritten_isNoSuccess() {
    Pipe pipe = new Pipe();
    pipe.closed = true;

    int code =
        Cli.run(
            List.of("--help"),
            new PrintWriter(pipe),
            new PrintWriter(Writer.nullWriter()),
            Map.of());

    assertThat(code).isEqualTo(141);
  }
}
