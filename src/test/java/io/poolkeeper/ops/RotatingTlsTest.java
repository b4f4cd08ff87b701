package io.poolkeeper.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.poolkeeper.tls.PemText;
import io.poolkeeper.tls.SelfMade;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which certificate is in force while its files change; the symbolic link is Kubernetes' way. */
class RotatingTlsTest {
  private static final Instant START = Instant.parse("2026-11-26T18:00:00Z");

  @TempDir private Path directory;
  private Instant now = START;

  @BeforeEach
  void start() throws Exception {
    mount("first");
  }

  /** A directory of its own, to which the link points from now on. */
  private void mount(String name) throws Exception {
    Path target = Files.createDirectory(directory.resolve(name));
    PemText.write(SelfMade.create(START, 1), target);
    Files.deleteIfExists(directory.resolve("data"));
    Files.createSymbolicLink(directory.resolve("data"), target);
  }

  private Path file(String name) {
    return directory.resolve("data").resolve(name);
  }

  private RotatingTls tls() {
    return new RotatingTls(file("tls.crt"), file("tls.key"), () -> now);
  }

  @Test
  void files_thatChange_areReadAtTheNextPeriod_andNotBefore() throws Exception {
    RotatingTls tls = tls();
    SSLContext first = tls.get();
    mount("second");

    now = START.plus(RotatingTls.PERIOD).minusNanos(1);
    assertThat(tls.get()).isSameAs(first);
    now = START.plus(RotatingTls.PERIOD);
    SSLContext second = tls.get();
    assertThat(second).isNotSameAs(first);

    now = now.plus(RotatingTls.PERIOD);
    assertThat(tls.get()).as("nothing has changed").isSameAs(second);
  }

  @Test
  void files_thatCannotBeUsed_leaveTheLastInForce_untilTheyCan() throws Exception {
    RotatingTls tls = tls();
    SSLContext first = tls.get();
    PemText.write(SelfMade.create(START, 2), Files.createDirectory(directory.resolve("other")));

    Files.copy(directory.resolve("other/tls.key"), directory.resolve("first/tls.key.new"));
    Files.move(
        directory.resolve("first/tls.key.new"),
        directory.resolve("first/tls.key"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    now = now.plus(RotatingTls.PERIOD);
    assertThat(tls.get()).as("the key of another certificate").isSameAs(first);

    Files.delete(directory.resolve("first/tls.key"));
    now = now.plus(RotatingTls.PERIOD);
    assertThat(tls.get()).as("no key").isSameAs(first);

    mount("good");
    now = now.plus(RotatingTls.PERIOD);
    assertThat(tls.get()).isNotSameAs(first);
  }

  @Test
  void files_unusableAtTheStart_areRefused() throws Exception {
    Files.writeString(file("tls.key"), "none");

    assertThatThrownBy(this::tls)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no private key in PEM");
  }
}
