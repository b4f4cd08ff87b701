package io.poolkeeper.ops;

import io.poolkeeper.tls.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of new connections, by two files that may change at any time. They are read again at a
 * new connection, at most once per {@link #PERIOD}. Unusable files leave the last good ones in
 * force, and are logged once.
 */
public final class RotatingTls implements Supplier<SSLContext> {
  private static final Logger log = LoggerFactory.getLogger(RotatingTls.class);

  static final Duration PERIOD = Duration.ofSeconds(10);

  /** Between the two files in one text. */
  private static final String SEPARATOR = "\0";

  /** The last text, which may be unusable, and what is in force. */
  private record State(String read, SSLContext context, Instant at) {}

  private final Path certificates;
  private final Path key;
  private final InstantSource clock;
  private final AtomicReference<State> state;

  /**
   * Reads the files.
   *
   * @param clock monotonic
   * @throws IllegalArgumentException if they cannot be used now
   */
  public RotatingTls(Path certificates, Path key, InstantSource clock) {
    this.certificates = certificates;
    this.key = key;
    this.clock = clock;
    try {
      state = new AtomicReference<>(parsed(text()));
    } catch (GeneralSecurityException | IOException unusable) {
      throw new IllegalArgumentException(
          "%s, %s: %s".formatted(certificates, key, unusable.getMessage()), unusable);
    }
  }

  @Override
  public SSLContext get() {
    State last = state.get();
    Instant now = clock.instant();
    State checked = new State(last.read(), last.context(), now);
    boolean due = !now.isBefore(last.at().plus(PERIOD));
    // Of several connections, one reads.
    if (due && state.compareAndSet(last, checked)) {
      state.set(reread(checked));
    }
    return state.get().context();
  }

  private State reread(State last) {
    String text = "";
    try {
      text = text();
      if (text.equals(last.read())) {
        return last;
      }
      State fresh = parsed(text);
      log.info("tls=renewed certificate-file={}", certificates);
      return fresh;
    } catch (GeneralSecurityException | IOException unusable) {
      if (!text.equals(last.read())) {
        log.warn(
            "tls=kept certificate-file={} key-file={} error=\"{}\"",
            certificates,
            key,
            unusable.getMessage());
      }
      return new State(text, last.context(), last.at());
    }
  }

  /** Both files in one text. */
  private String text() throws IOException {
    return Files.readString(certificates) + SEPARATOR + Files.readString(key);
  }

  private State parsed(String text) throws GeneralSecurityException {
    int middle = text.indexOf(SEPARATOR);
    TlsIdentity identity = TlsIdentity.of(text.substring(0, middle), text.substring(middle + 1));
    return new State(text, identity.context(), clock.instant());
  }
}
