package io.poolkeeper.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * A client of the stream of events, as an open page is: it reads all that comes, keeps nothing, and
 * opens the stream again when it has ended.
 */
final class OpenPage implements AutoCloseable {
  private static final int BUFFER = 64 * 1024;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final URI stream;
  private final HttpClient http = HttpClient.newHttpClient();
  private volatile int opened;
  private volatile long bytes;
  private volatile long longest;
  private volatile boolean closed;

  private OpenPage(URI stream) {
    this.stream = stream;
  }

  static OpenPage open(URI stream) {
    OpenPage page = new OpenPage(stream);
    Thread.ofVirtual().start(page::read);
    return page;
  }

  // This thread alone writes the fields.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void read() {
    while (!closed) {
      try (InputStream in = get()) {
        opened++;
        byte[] buffer = new byte[BUFFER];
        long last = System.nanoTime();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          long now = System.nanoTime();
          longest = Math.max(longest, now - last);
          last = now;
          bytes += read;
        }
      } catch (IOException ended) { // shown by the number of times
        pause();
      } catch (InterruptedException stopped) {
        return;
      }
    }
  }

  private InputStream get() throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        http.send(
            HttpRequest.newBuilder(stream).build(), HttpResponse.BodyHandlers.ofInputStream());
    if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
      answer.body().close();
      throw new IOException("answered " + answer.statusCode());
    }
    return answer.body();
  }

  private static void pause() {
    try {
      Rig.pause(AGAIN);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public String toString() {
    return "the page was opened %d times, read %d KiB, and heard nothing for at most %.1f s"
        .formatted(opened, bytes / 1024, longest / 1e9);
  }

  @Override
  public void close() {
    closed = true;
    http.shutdownNow();
  }
}
