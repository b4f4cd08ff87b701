package io.poolkeeper.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value made of files that Kubernetes may replace at any time: each question reads the files.
 * While changed files cannot be used, the last usable value counts, and that is logged once.
 * Contents are compared, not times: a file may be copied with its time. Thread-safe.
 */
final class ChangingFiles<T> implements Supplier<T> {
  private static final Logger log = LoggerFactory.getLogger(ChangingFiles.class);

  /** More bytes than all authorities of an operating system have. */
  private static final int MAX_BYTES = 4 << 20;

  /** Makes a value of the files' texts, in their order. */
  interface Parser<T> {
    T parse(List<String> texts) throws GeneralSecurityException;
  }

  /** The texts that were read last, none if they could not be read; and the last usable value. */
  private record State<T>(List<String> texts, T value) {}

  private final List<Path> files;
  private final Parser<T> parser;
  private final AtomicReference<State<T>> state;

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException if they cannot be used now
   */
  ChangingFiles(List<Path> files, Parser<T> parser) {
    this.files = List.copyOf(files);
    this.parser = parser;
    try {
      List<String> texts = read();
      state = new AtomicReference<>(new State<>(texts, parser.parse(texts)));
    } catch (IOException | GeneralSecurityException unusable) {
      throw new IllegalArgumentException(names() + ": " + unusable.getMessage(), unusable);
    }
  }

  @Override
  public T get() {
    State<T> last = state.get();
    List<String> texts = List.of();
    try {
      texts = read();
      if (texts.equals(last.texts())) {
        return last.value();
      }
      if (state.compareAndSet(last, new State<>(texts, parser.parse(texts)))) {
        log.info("file={} content=taken-up", names());
      }
    } catch (IOException | GeneralSecurityException unusable) {
      if (!texts.equals(last.texts())
          && state.compareAndSet(last, new State<>(texts, last.value()))) {
        log.warn("file={} content=kept error=\"{}\"", names(), unusable.getMessage());
      }
    }
    return state.get().value();
  }

  private String names() {
    return String.join(", ", files.stream().map(Path::toString).toList());
  }

  private List<String> read() throws IOException {
    List<String> texts = new ArrayList<>();
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file)) {
        texts.add(new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1));
      } catch (NoSuchFileException missing) {
        throw new IOException("found no file", missing);
      } catch (IOException unreadable) {
        String why = Objects.requireNonNullElse(unreadable.getMessage(), "");
        throw new IOException("cannot be read: " + why, unreadable);
      }
    }
    return texts;
  }
}
