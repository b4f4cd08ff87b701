package io.poolkeeper.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A stream that cannot go on for ever: if nothing comes for a while, or if all of it takes too long
 * or is too much, it is closed, and reading fails. Closing must end a read that waits.
 */
final class LimitedStream extends FilterInputStream {
  /**
   * The bounds of a stream.
   *
   * @param silence the longest time in which nothing comes
   * @param whole the longest time until the end, or the next {@link #restart}
   * @param bytes the most until then
   */
  record Limits(Duration silence, Duration whole, long bytes) {
    /** The 5 MiB of 5,000 pools take less over any line that can be worked with. */
    static final Limits USUAL =
        new Limits(Duration.ofSeconds(10), Duration.ofSeconds(60), 64L << 20);
  }

  private final Limits limits;
  private CompletableFuture<Void> end = CompletableFuture.completedFuture(null);
  private long bytes;

  /** Why an alarm has closed it. */
  private volatile Optional<String> late = Optional.empty();

  LimitedStream(InputStream in, Limits limits) {
    super(in);
    this.limits = limits;
    restart();
  }

  /** Counts time and size from here. */
  void restart() {
    end.cancel(false);
    end = alarm(limits.whole, "it was not complete after %d s");
    bytes = 0;
  }

  private CompletableFuture<Void> alarm(Duration after, String text) {
    return CompletableFuture.runAsync(
        () -> {
          late = Optional.of(text.formatted(after.toSeconds()));
          try {
            in.close();
          } catch (IOException closed) {
            // What reads it says why.
          }
        },
        CompletableFuture.delayedExecutor(after.toMillis(), TimeUnit.MILLISECONDS));
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    CompletableFuture<Void> silence = alarm(limits.silence, "nothing came for %d s");
    int read;
    try {
      read = in.read(to, from, length);
    } catch (IOException | RuntimeException failed) {
      checkInTime();
      throw failed;
    } finally {
      silence.cancel(false);
    }
    checkInTime(); // closed, a stream may also look as if it had ended
    bytes += Math.max(0, read);
    if (bytes > limits.bytes) {
      throw new IOException("it is longer than %d MiB".formatted(limits.bytes >> 20));
    }
    return read;
  }

  /** Fails if an alarm has closed the stream. */
  private void checkInTime() throws SocketTimeoutException {
    if (late.isPresent()) {
      throw new SocketTimeoutException(late.get());
    }
  }

  @Override
  public void close() throws IOException {
    end.cancel(false);
    super.close();
  }
}
