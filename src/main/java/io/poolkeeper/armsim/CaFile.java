package io.poolkeeper.armsim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of the certificate that clients have to trust. Without a given path it is temporary and
 * deleted with the simulator.
 */
record CaFile(Path path, boolean temporary) {
  private static final Logger LOG = LoggerFactory.getLogger(CaFile.class);

  /** Writes the file; a failure names it. */
  static CaFile write(Optional<Path> named, String pem) {
    try {
      Path path =
          named.isPresent()
              ? named.get().toAbsolutePath()
              : Files.createTempFile("poolkeeper-arm-sim-ca-", ".pem");
      Files.writeString(path, pem);
      return new CaFile(path, named.isEmpty());
    } catch (IOException failed) {
      String place = named.map(Path::toString).orElse(System.getProperty("java.io.tmpdir", ""));
      throw new UncheckedIOException(
          "CA certificate %s cannot be written: %s".formatted(place, failed), failed);
    }
  }

  void remove() {
    if (!temporary) {
      return;
    }
    try {
      Files.deleteIfExists(path);
    } catch (IOException failed) {
      LOG.warn("ca certificate not removed file={} error={}", path, failed.toString());
    }
  }
}
