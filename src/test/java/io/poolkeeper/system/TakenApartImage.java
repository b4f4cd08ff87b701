package io.poolkeeper.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** The image's archive, taken apart in a directory, and what runs from it as in a container. */
final class TakenApartImage {
  private static final Path ARCHIVE = Path.of("target", "poolkeeper-image.tar");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A root that cannot be written, with what a container has beside its image. */
  private static final String CONTAINER =
      """
      mount --bind "$0" "$0"
      mkdir -p "$0/proc" "$0/dev" "$0/etc/poolkeeper" "$0/var/run/secrets/kubernetes.io/serviceaccount"
      touch "$0/etc/resolv.conf"
      mount -o remount,bind,ro "$0"
      mount --rbind /proc "$0/proc"
      mount --rbind /dev "$0/dev"
      mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"
      mount --bind /etc/resolv.conf "$0/etc/resolv.conf"
      mount --bind "$1" "$0/etc/poolkeeper"
      mount --bind "$2" "$0/var/run/secrets/kubernetes.io/serviceaccount"
      root=$0
      shift 2
      exec unshare --root="$root" --wd=/tmp --setgid=65532 --setuid=65532 "$@"
      """;

  private final Path directory;

  /** The paths of its files, in the order of its layers. */
  final List<String> files = new ArrayList<>();

  final Path root;
  final JsonNode manifest;
  final JsonNode config;

  /** Takes it apart in a directory that exists. */
  TakenApartImage(Path directory) throws Exception {
    this.directory = directory;
    Path blobs = Files.createDirectory(directory.resolve("archive"));
    try (InputStream in = Files.newInputStream(ARCHIVE)) {
      extract(in, blobs);
    }
    JsonNode index = JSON.readTree(blobs.resolve("index.json").toFile());
    assertThat(JSON.readTree(blobs.resolve("oci-layout").toFile()).path("imageLayoutVersion"))
        .hasToString("\"1.0.0\"");
    manifest = JSON.readTree(blob(index.path("manifests").path(0)).toFile());
    config = JSON.readTree(blob(manifest.path("config")).toFile());
    root = Files.createDirectory(directory.resolve("root"));
    for (JsonNode layer : manifest.path("layers")) {
      assertThat(layer.path("mediaType").asText())
          .isEqualTo("application/vnd.oci.image.layer.v1.tar+gzip");
      try (InputStream in = new GZIPInputStream(Files.newInputStream(blob(layer)), 1 << 16)) {
        files.addAll(extract(in, root));
      }
    }
  }

  /** What a descriptor names, if it is that. */
  private Path blob(JsonNode descriptor) throws Exception {
    String digest = descriptor.path("digest").asText();
    Path file = directory.resolve("archive/blobs").resolve(digest.replace(':', '/'));
    MessageDigest sum = MessageDigest.getInstance("SHA-256");
    sum.update(Files.readAllBytes(file));
    assertThat("sha256:" + HexFormat.of().formatHex(sum.digest())).isEqualTo(digest);
    assertThat(Files.size(file)).isEqualTo(descriptor.path("size").asLong());
    return file;
  }

  /** With modes and times; returns the paths of the files. */
  private static List<String> extract(InputStream archive, Path to) throws IOException {
    List<String> paths = new ArrayList<>();
    TarArchiveInputStream tar = new TarArchiveInputStream(new BufferedInputStream(archive));
    for (TarArchiveEntry of = tar.getNextEntry(); of != null; of = tar.getNextEntry()) {
      Path file = to.resolve(of.getName());
      assertThat(of.isDirectory() || (of.isFile() && !of.isLink())).as(of.getName()).isTrue();
      if (of.isDirectory()) {
        Files.createDirectories(file);
      } else {
        Files.createDirectories(file.getParent());
        Files.copy(tar, file);
        paths.add("/" + of.getName());
      }
      Files.setPosixFilePermissions(file, permissions(of.getMode()));
      Files.setLastModifiedTime(file, FileTime.from(of.getLastModifiedTime().toInstant()));
    }
    return paths;
  }

  static Set<PosixFilePermission> permissions(int mode) {
    assertThat(mode & 07000).as("setuid, setgid, sticky").isZero();
    StringBuilder text = new StringBuilder("rwxrwxrwx");
    for (int i = 0; i < text.length(); i++) {
      if (((mode >> (text.length() - 1 - i)) & 1) == 0) {
        text.setCharAt(i, '-');
      }
    }
    return PosixFilePermissions.fromString(text.toString());
  }

  /** The image's entry point; JVM options may come behind its first word. */
  List<String> entrypoint() {
    List<String> words = new ArrayList<>();
    config.at("/config/Entrypoint").forEach(word -> words.add(word.asText()));
    return words;
  }

  /**
   * A command as it is run in a container of the image.
   *
   * @param settings mounted at /etc/poolkeeper
   * @param account mounted where a service account's files are
   */
  List<String> inContainer(Path settings, Path account, List<String> command) {
    List<String> words = new ArrayList<>(List.of("unshare", "--mount", "sh", "-ec", CONTAINER));
    words.addAll(List.of(root.toString(), settings.toString(), account.toString()));
    words.addAll(command);
    return words;
  }

  /** What kubectl exec is given in the documentation, for a command of that name. */
  List<String> command(String name) throws IOException {
    Matcher line =
        Pattern.compile("^kubectl .* exec .* -- (\\S+ @\\S+ )status$", Pattern.MULTILINE)
            .matcher(Files.readString(Path.of("docs", "topics", "commands.md")));
    assertThat(line.find()).isTrue();
    return List.of((line.group(1) + name).split(" "));
  }
}
